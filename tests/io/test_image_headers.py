"""How large images say they are and whether they are whole, against what Pillow finds."""

import io

import pytest
from PIL import Image

from rigview.core.materials import Image as Content
from rigview.io.image_headers import is_whole_png, stated_size
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
    found = picture(Spot(tmp_path, "/images/0"), lying, allowance()).decode()
    assert found.reason.startswith("the image is damaged")


def noise(kind, mode="RGB", **how):
    """Return the file of an image that compresses badly, so that most of it is pixels."""
    stream = io.BytesIO()
    Image.effect_noise((40, 30), 90).convert(mode).save(stream, kind, **how)
    return stream.getvalue()


def content(data, place, kinds=("PNG", "JPEG", "WEBP")):
    return Content("", picture(Spot(place, "/images/0"), data, allowance(), kinds))


@pytest.mark.parametrize("mode", ["L", "LA", "RGB", "RGBA", "P"])
def test_a_png_is_whole_until_a_byte_of_it_is_lost_or_changed(mode):
    data = noise("PNG", mode)
    assert is_whole_png(data)
    assert is_whole_png(memoryview(data))
    for at in range(len(data)):
        assert not is_whole_png(data[:at])
        assert not is_whole_png(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])


@pytest.mark.parametrize("mode", ["1", "I;16"])
def test_of_an_uncommon_png_its_pixels_tell(mode, tmp_path):
    image = Image.new(mode, (9, 7))
    stream = io.BytesIO()
    image.save(stream, "PNG")
    data = stream.getvalue()
    assert not is_whole_png(data)
    assert content(data, tmp_path).unread is None


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_what_is_said_of_an_image_does_not_depend_on_whether_it_is_decoded(kind, tmp_path):
    data = noise(kind)
    cut = data[: len(data) * 2 // 3]
    scratched = data[:400] + b"scratch" + data[407:]
    for one in (data, cut, scratched):
        asked, shown = content(one, tmp_path), content(one, tmp_path)
        shown.decode()
        assert asked.unread == shown.unread
    assert content(cut, tmp_path).unread is not None
    assert content(data, tmp_path).unread is None


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_whole_image_is_called_so_without_being_decoded(kind, tmp_path, monkeypatch):
    image = content(noise(kind), tmp_path)
    monkeypatch.setattr(Image.Image, "convert", None)
    assert image.unread is None


def test_a_palette_that_is_missing_is_no_matter_of_checksums(tmp_path):
    data = noise("PNG", "P")
    start = data.index(b"PLTE") - 4
    length = int.from_bytes(data[start : start + 4])
    assert not is_whole_png(data[:start] + data[start + 12 + length :])
