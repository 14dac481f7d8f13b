"""Pictures as PNG, and the session in their text that brings one back to them."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.core.bones import AXES
from rigview.core.methods.bulge import ANGLE_FACTORS, POLYNOMIAL_NAMES
from rigview.core.skinning import METHODS, Options
from rigview.render.camera import Camera
from rigview.render.image import png, png_text, straight_alpha
from rigview.render.look import OVERLAYS, SHADINGS, Look
from rigview.render.session import Session, from_text

finite = st.floats(-1e3, 1e3)
positive = st.floats(1e-3, 1e3)
words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs",), exclude_characters="\x00"), max_size=12
)
cameras = st.builds(
    Camera,
    target=st.tuples(finite, finite, finite),
    distance=positive,
    yaw=st.floats(-3.1, 3.1),
    pitch=st.floats(-1.5, 1.5),
    fov=st.floats(0.1, 2.0),
    orthographic=st.booleans(),
    reach=positive,
)
sessions = st.builds(
    Session,
    file=words,
    sha256=st.text("0123456789abcdef", min_size=64, max_size=64),
    clip=st.none() | words,
    time=st.floats(0, 100),
    methods=st.lists(st.sampled_from(list(METHODS)), min_size=1, max_size=3).map(tuple),
    camera=cameras,
    cameras=st.dictionaries(st.just(0), cameras),
    look=st.builds(
        Look,
        shading=st.sampled_from(SHADINGS),
        options=st.builds(
            Options,
            strength=st.floats(0, 1),
            axis=st.sampled_from(AXES),
            scale=st.sampled_from(["vertex", "origin"]),
            polynomial=st.one_of(
                st.sampled_from(POLYNOMIAL_NAMES), st.tuples(*[st.floats(-20, 20)] * 3)
            ),
            angle=st.sampled_from(ANGLE_FACTORS),
            blend=st.none() | st.floats(0, 1),
        ),
        vertex=st.none() | st.tuples(st.integers(0, 9), st.integers(0, 999)),
        **dict.fromkeys(OVERLAYS, st.booleans()),
        theme=st.sampled_from(["dark", "light"]),
    ),
    joint=st.none() | words,
)
PIXELS = np.zeros((3, 5, 4), dtype=np.uint8)


@given(session=sessions)
def test_a_session_comes_back_from_its_text(session):
    assert from_text(session.text()) == session


@given(session=sessions)
def test_a_session_comes_back_out_of_a_png(session):
    assert from_text(png_text(png(PIXELS, session.text()))) == session


def test_a_session_tells_people_what_the_picture_shows():
    session = Session("hero.glb", "0" * 64, None, 1.5, ("lbs", "dqs"), Camera(), Look())
    text = session.text()
    assert text["Software"] == "rigview"
    assert (text["file"], text["clip"], text["methods"]) == ("hero.glb", "none", "lbs,dqs")
    assert text["time"] == "1.500000 s"


def good():
    session = Session(
        "hero.glb", "0" * 64, "Walk", 0.5, ("lbs",), Camera(), Look(vertex=(0, 7)), "hips"
    )
    return json.loads(session.text()["rigview"])


def test_a_session_of_a_version_that_knew_fewer_overlays_has_the_others_off():
    saved = good()
    for name in ("sticks", "names"):
        del saved["look"][name]
    back = from_text({"rigview": json.dumps(saved)}).look
    assert (back.bones, back.sticks, back.names) == (True, False, False)


def test_a_picture_without_session_has_none():
    assert from_text({}) is None
    assert from_text({"Software": "GIMP"}) is None
    assert from_text(png_text(png(PIXELS, {}))) is None


def damage():
    """Yield (name, JSON) of sessions that are damaged in one place."""
    yield "no JSON", "{"
    yield "a list", "[]"
    yield "a number", "7"
    for key in good():
        # What earlier versions did not write may be missing.
        if key not in ("version", "weights", "made", "cameras"):
            yield f"without {key}", json.dumps({k: v for k, v in good().items() if k != key})
    wrong = {
        "clip of numbers": ("time", "soon"),
        "no camera": ("camera", None),
        "cameras that are none": ("cameras", [1]),
        "a camera of a pane that is not there": ("cameras", {"1": good()["camera"]}),
        "a camera of no pane": ("cameras", {"left": good()["camera"]}),
        "a pane's camera at no distance": ("cameras", {"0": {**good()["camera"], "distance": 0}}),
        "no look": ("look", []),
        "a clip made in no known way": ("made", {"kind": "magic"}),
        "a clip of a number": ("made", {"kind": "borrowed", "file": 7}),
        "a recipe that is none": ("made", "borrowed"),
        "weights read in no known way": ("weights", "doubled"),
        "an unknown method": ("methods", ["lbs", "linear"]),
        "no method": ("methods", []),
        "methods that are none": ("methods", 7),
        "a vertex of one number": ("vertex", [1]),
        "a vertex of words": ("vertex", ["a", "b"]),
        "time that is no number": ("time", math.nan),
    }
    for name, (key, value) in wrong.items():
        yield name, json.dumps({**good(), key: value})
    for group, key, value in (
        ("camera", "target", [0, 0]),
        ("camera", "target", "abc"),
        ("camera", "distance", "far"),
        ("camera", "distance", None),
        ("camera", "yaw", math.inf),
        ("camera", "lens", 1.0),
        ("camera", "distance", 0.0),
        ("camera", "reach", -1.0),
        ("camera", "fov", 7.0),
        ("look", "shading", "wire"),
        ("look", "theme", "pink"),
        ("look", "bones", "yes"),
        ("options", "axis", "+w"),
        ("options", "scale", "none"),
        ("options", "polynomial", "p9"),
        ("options", "strength", "much"),
        ("options", "blend", 7.0),
        ("options", "polynomial", [1.0, 2.0]),
        ("options", "power", 2),
    ):
        changed = good()
        changed[group] = {**changed[group], key: value}
        yield f"{group} {key} {value}", json.dumps(changed)


@pytest.mark.parametrize("text", [text for _, text in damage()], ids=[name for name, _ in damage()])
def test_a_damaged_session_is_none(text):
    assert from_text({"rigview": text}) is None


@pytest.mark.parametrize(
    "value", ["plain", "", "Ünïcödé κόσμος 骨 ✓ 🦴", "two\nlines", "x" * 5000, "é" * 5000]
)
def test_text_comes_back_out_of_a_png(value):
    assert png_text(png(PIXELS, {"rigview": value, "Software": "rigview"})) == {
        "rigview": value,
        "Software": "rigview",
    }


@pytest.mark.parametrize("data", [b"", b"no picture", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0"])
def test_what_is_no_png_carries_no_text(data):
    assert png_text(data) == {}


def test_half_a_png_carries_no_text():
    data = png(np.random.default_rng(0).integers(0, 255, (40, 40, 4)).astype(np.uint8), {"a": "b"})
    assert png_text(data[: len(data) // 2]) == {}


def test_a_png_holds_its_pixels():
    from io import BytesIO

    from PIL import Image

    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, (7, 9, 4)).astype(np.uint8)
    with Image.open(BytesIO(png(pixels, {}))) as picture:
        assert np.array_equal(np.asarray(picture), pixels)
    pixels[..., 3] = 255
    with Image.open(BytesIO(png(pixels, {}))) as picture:
        assert picture.mode == "RGB"
        assert np.array_equal(np.asarray(picture), pixels[..., :3])


@given(seed=st.integers(0, 2**32 - 1))
def test_straight_alpha_undoes_premultiplication(seed):
    rng = np.random.default_rng(seed)
    straight = rng.integers(0, 256, (4, 5, 4))
    alpha = straight[..., 3:] / 255.0
    premultiplied = np.concatenate([np.rint(straight[..., :3] * alpha), straight[..., 3:]], axis=-1)
    got = straight_alpha(premultiplied.astype(np.uint8)).astype(int)
    assert np.array_equal(got[..., 3], straight[..., 3])
    # Half a step before the division is more of a step after it.
    allowed = 0.5 / np.maximum(alpha, 1e-9) + 0.5
    seen = straight[..., 3:] > 0
    assert np.all(np.abs(got[..., :3] - straight[..., :3]) <= np.where(seen, allowed, 256))
    assert np.all(got[..., :3][~np.repeat(seen, 3, axis=-1)] == 0)


def test_opaque_pixels_are_straight_already():
    pixels = np.random.default_rng(0).integers(0, 256, (4, 5, 4)).astype(np.uint8)
    pixels[..., 3] = 255
    assert np.array_equal(straight_alpha(pixels), pixels)


def test_a_picture_of_an_earlier_version_drew_weights_as_the_file_states_them():
    text = json.dumps({k: v for k, v in good().items() if k != "weights"})
    assert from_text({"rigview": text}).weights == "literal"
