"""A changed rig comes back from its record as it was, and a damaged record is refused."""

import contextlib
import random
import zlib
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from rigview.app.arguments import rom_of
from rigview.check.rule import Refused
from rigview.check.run import findings_of
from rigview.core.motion.range_of_motion import with_clip
from rigview.io import load
from rigview.io.rig_records import RecordError, read_record, record_of
from rigview.io.rig_records.writing import MAGIC


def same(a, b, place="rig"):
    """Hold two values to one another, number by number."""
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype, place
        assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), place
    elif is_dataclass(a):
        assert type(a) is type(b), place
        for field in fields(a):
            same(getattr(a, field.name), getattr(b, field.name), f"{place}.{field.name}")
    elif isinstance(a, (str, bytes, int, float, frozenset)) or a is None:
        assert a == b or (a != a and b != b), place
    elif hasattr(a, "items"):
        assert list(a) == list(b), place
        for key in a:
            same(a[key], b[key], f"{place}[{key}]")
    elif hasattr(a, "__len__"):
        assert len(a) == len(b), place
        for i, (one, other) in enumerate(zip(a, b, strict=True)):
            same(one, other, f"{place}[{i}]")


def fixed(path):
    """Return a broken sample's rig, and the same after the first fix of the rule it is named by."""
    rig = load(path).rig
    for finding in findings_of(rig, "gltf", [path.stem], None):
        if finding.fix.repair is not None:
            with contextlib.suppress(Refused):
                return rig, finding.fix.repair(rig)
    return rig, None


def test_every_fix_comes_back_on_the_rig_of_another_reading(samples):
    seen = 0
    for path in sorted((samples / "broken").glob("*.gl*")):
        original, changed = fixed(path)
        if changed is not None:
            seen += 1
            same(changed, read_record(record_of(changed, original), load(path).rig), path.stem)
    assert seen > 20


@pytest.fixture(scope="module")
def reweighted(samples):
    """A rig, and the same with weights normalised, which its file states otherwise."""
    return fixed(samples / "broken" / "WGT-SUM.glb")


def test_a_record_holds_only_what_was_changed(samples):
    original = load(samples / "biped.glb").rig
    assert len(record_of(original, original)) < 200
    part = original.parts[0]
    old = original.primitive(part)
    weights = old.influences.weights.copy()
    weights[0] = weights[0][::-1]
    influences = replace(old.influences, weights=weights)
    changed = original.with_primitive(
        part.mesh, part.primitive, replace(old, influences=influences)
    )
    record = record_of(changed, original)
    assert len(record) < weights.nbytes
    same(changed, read_record(record, load(samples / "biped.glb").rig))


def test_a_clip_that_was_added_comes_back(samples):
    original = load(samples / "arm.glb").rig
    changed = with_clip(original, rom_of(original).clip)
    same(changed, read_record(record_of(changed, original), load(samples / "arm.glb").rig))


def test_damage_is_refused_or_does_no_harm(reweighted):
    original, changed = reweighted
    record = record_of(changed, original)
    chance = random.Random(4)
    plain = zlib.decompress(record[len(MAGIC) :])
    for _ in range(150):
        at = chance.randrange(len(plain))
        bad = bytearray(plain)
        bad[at] = chance.randrange(256)
        cut = bytes(bad[: chance.choice([len(bad), at])])
        with contextlib.suppress(RecordError):
            read_record(MAGIC + zlib.compress(cut, 1), original)


@pytest.mark.parametrize("data", [b"", b"x" * 40, MAGIC, MAGIC + b"nonsense"])
def test_what_is_no_record_is_refused(samples, data):
    with pytest.raises(RecordError):
        read_record(data, load(samples / "arm.glb").rig)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"node_meshes": {"at"', b'"node_meshes": {"a_"'),
        (b'"is": "Rig"', b'"is": "Mug"'),
        (b'"roots": {"at": "roots"}', b'"roots": {"at": "clips"}'),
    ],
)
def test_what_is_of_another_type_than_its_field_is_refused(reweighted, old, new):
    original, changed = reweighted
    plain = zlib.decompress(record_of(changed, original)[len(MAGIC) :])
    assert old in plain
    head = int.from_bytes(plain[:8], "little") + len(new) - len(old)
    bad = head.to_bytes(8, "little") + plain[8:].replace(old, new)
    with pytest.raises(RecordError):
        read_record(MAGIC + zlib.compress(bad), original)
