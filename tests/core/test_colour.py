"""Colours as eyes tell them apart: places in OKLab, the gamut, and what colour-blind eyes see alike."""

import numpy as np
import pytest

from rigview.core import colour


def test_white_black_and_red_are_where_oklab_has_them():
    light = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    # Red as CSS Color 4 states it.
    wanted = [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.62796, 0.22486, 0.12585]]
    np.testing.assert_allclose(colour.lab(light), wanted, atol=1e-4)


def test_what_is_encoded_is_decoded():
    numbers = np.linspace(0.0, 1.0, 101)
    np.testing.assert_allclose(colour.linear(colour.encoded(numbers)), numbers, atol=1e-6)


@pytest.mark.parametrize("lightness", [0.3, 0.6, 0.9])
def test_vivid_colours_keep_lightness_and_hue_and_end_at_the_gamut(lightness):
    hues = np.linspace(-3.0, 3.0, 13)
    found = colour.lab(colour.linear(colour.vivid(lightness, hues, 0.17)))
    chroma = np.hypot(found[:, 1], found[:, 2])
    np.testing.assert_allclose(found[:, 0], lightness, atol=1e-3)
    np.testing.assert_allclose(np.arctan2(found[:, 2], found[:, 1]), hues, atol=0.02)
    assert chroma.max() <= 0.17 + 1e-3
    short = chroma < 0.169
    further = colour.light_of(lightness, chroma[short] + 2e-3, hues[short])
    assert np.all((further.min(axis=1) < 0.0) | (further.max(axis=1) > 1.0))


def test_red_and_green_of_one_lightness_are_one_to_colour_blind_eyes_and_lightness_is_not():
    red, green = colour.vivid(0.6, np.array([0.6, 2.1]), 0.1)
    dark, light = colour.vivid(0.4, np.zeros(1), 0.1)[0], colour.vivid(0.8, np.zeros(1), 0.1)[0]
    plain = np.linalg.norm(np.diff(colour.lab(colour.linear(np.stack([red, green]))), axis=0))
    assert colour.apart(np.stack([red, green]))[0, 1] < 0.6 * plain
    assert colour.apart(np.stack([dark, light]))[0, 1] > 0.35
