"""What the tests of the commands share: how one is run, and small rigs to run it on."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from rigview.cli import main

SAMPLES = Path(__file__).parents[2] / "samples"
# A file whose content is no rig at all.
NO_RIG = b"solid of another kind\n"


@dataclass(frozen=True)
class Outcome:
    """What a command came to: its exit status, and what it said to pipes and to people."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        """The output as JSON; NaN and Infinity, which JSON does not know, are refused."""

        def refuse(constant):
            raise ValueError(constant)

        return json.loads(self.out, parse_constant=refuse)


@pytest.fixture
def rigview(capsys):
    """Run a command in this process; paths and numbers may be given as they are."""

    def run(*arguments):
        try:
            status = main([str(a) for a in arguments])
        except SystemExit as end:
            status = end.code
        said = capsys.readouterr()
        return Outcome(status, said.out, said.err)

    return run


@pytest.fixture(scope="session")
def box():
    """A small rig without any finding, of one clip."""
    return SAMPLES / "box.glb"


@pytest.fixture(scope="session")
def broken():
    """Return the sample that breaks one rule."""
    return lambda rule: SAMPLES / "broken" / f"{rule}.glb"


@pytest.fixture
def no_rig(tmp_path):
    """A file that cannot be opened, beside nothing else."""
    path = tmp_path / "no_rig.glb"
    path.write_bytes(NO_RIG)
    return path


@pytest.fixture
def skeleton(tmp_path):
    """A rig of two joints and no mesh."""
    path = tmp_path / "skeleton.gltf"
    nodes = [{"name": "hip", "children": [1]}, {"name": "knee", "translation": [0, 1, 0]}]
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "skins": [{"joints": [0, 1]}],
    }
    path.write_text(json.dumps(document))
    return path
