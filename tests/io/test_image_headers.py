"""How large images say they are, against what Pillow finds."""

import io

import pytest
from PIL import Image

from rigview.io.image_headers import stated_size
from rigview.io.images import Spot, allowance, picture


def written(kind, size=(7, 5), **how):
    stream = io.BytesIO()
    Image.new("RGB", size, "red").save(stream, kind, **how)
    return stream.getvalue()


@pytest.mark.parametrize("view", [bytes, memoryview])
def test_png_and_jpeg_state_their_size(view):
    assert stated_size(view(written("PNG"))) == ("PNG", 7, 5)
    # The segments in front of the frame are passed over.
    for how in ({}, {"progressive": True}, {"comment": "x" * 300}):
        assert stated_size(view(written("JPEG", **how))) == ("JPEG", 7, 5)


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xd8\xff", written("PNG")[:20], written("JPEG")[:40], written("WEBP"), b"x" * 60],
)
def test_what_is_cut_off_or_another_kind_states_none(data):
    assert stated_size(data) is None


def test_an_image_that_states_two_sizes_is_not_shown(tmp_path):
    data = written("JPEG", (64, 48))
    at = data.index(b"\xff\xc0")
    frame = data[at : at + 2 + int.from_bytes(data[at + 2 : at + 4])]
    small = frame.replace((48).to_bytes(2) + (64).to_bytes(2), (6).to_bytes(2) + (8).to_bytes(2))
    lying = data[:at] + small + data[at:]
    assert stated_size(lying) == ("JPEG", 8, 6)
    found = picture(Spot(tmp_path, "/images/0"), lying, allowance())()
    assert found.reason.startswith("the image is damaged")
