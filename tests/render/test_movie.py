"""Animated pictures, read back by a library that did not write them."""

import io
import itertools

import numpy as np
import pytest
from PIL import Image

from rigview.render.image import png_text
from rigview.render.movie import BY_SUFFIX, MOVIES, Reel

WIDTH, HEIGHT, COUNT = 65, 47, 7


@pytest.fixture(params=[False, True], ids=["opaque", "clear"])
def pictures(request):
    """A disc that wanders over a ramp, or over nothing."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    result = np.zeros((COUNT, HEIGHT, WIDTH, 4), np.uint8)
    for i, picture in enumerate(result):
        disc = np.hypot(x - 12 - 6 * i, y - 20) < 9
        picture[..., 0], picture[..., 1], picture[..., 2] = 2 * x, 3 * y, 90
        picture[..., 3] = 0 if request.param else 255
        picture[~disc & (picture[..., 3] == 0)] = 0
        picture[disc] = 220, 150, 30, 255
    return result


def encoded(movie, pictures, rate=24.0, **more):
    clear = bool((pictures[..., 3] < 255).any())
    reel = Reel(len(pictures), rate, (WIDTH, HEIGHT), clear, **more)
    return b"".join(movie.encode(iter(pictures), reel))


def decoded(data):
    """Return pictures ``(n, H, W, 4)`` and how long each of them stands, in ms."""
    with Image.open(io.BytesIO(data)) as movie:
        frames, times = [], []
        for i in range(movie.n_frames):
            movie.seek(i)
            movie.load()
            frames.append(np.asarray(movie.convert("RGBA")))
            times.append(movie.info["duration"])
        return np.array(frames), times


@pytest.mark.parametrize("movie", MOVIES, ids=lambda movie: movie.name)
def test_all_pictures_come_back_in_their_order(movie, pictures):
    back, _ = decoded(encoded(movie, pictures))
    assert back.shape == pictures.shape
    # Lossy or not, each is like itself much more than like any other.
    covered = [p.astype(float) * (p[..., 3:] / 255.0) for p in (back, pictures)]
    away = [[np.abs(b - p).mean() for p in covered[1]] for b in covered[0]]
    assert np.argmin(away, axis=1).tolist() == list(range(COUNT))
    assert max(np.diagonal(away)) < 3.0
    assert np.array_equal(back[..., 3] > 127, pictures[..., 3] > 127)


def test_apng_is_lossless(pictures):
    back, _ = decoded(encoded(BY_SUFFIX[".apng"], pictures))
    seen = pictures[..., 3] > 0
    assert np.array_equal(back[..., 3], pictures[..., 3])
    assert np.array_equal(back[seen], pictures[seen])


@pytest.mark.parametrize("movie", MOVIES, ids=lambda movie: movie.name)
@pytest.mark.parametrize("rate", [12.5, 24.0, 29.97, 50.0])
def test_durations_add_up_and_it_loops_for_ever(movie, rate, pictures):
    data = encoded(movie, pictures, rate)
    _, times = decoded(data)
    # No duration is further off than what the format can say, nor is their sum.
    smallest = 10.0 if movie.name == "GIF" else 1.0
    ends = np.cumsum(times)
    assert np.abs(ends - 1000.0 * np.arange(1, COUNT + 1) / rate).max() <= 0.5 * smallest + 0.1
    assert Image.open(io.BytesIO(data)).info["loop"] == 0


def test_an_apng_carries_text(pictures):
    text = {"rigview": "{}", "file": "hält.glb"}
    assert png_text(encoded(BY_SUFFIX[".png"], pictures, text=text)) == text


@pytest.mark.parametrize("name", ["APNG", "GIF"])
def test_what_is_encoded_is_given_away_before_the_next_picture_is_asked_for(name, pictures):
    movie = next(movie for movie in MOVIES if movie.name == name)
    asked = []
    source = (asked.append(i) or p for i, p in enumerate(itertools.islice(pictures, COUNT)))
    parts = movie.encode(source, Reel(COUNT, 24.0, (WIDTH, HEIGHT)))
    assert not asked
    size = sum(len(part) for part in itertools.takewhile(lambda _: len(asked) < 3, parts))
    assert size > 200
    assert len(asked) == 3
