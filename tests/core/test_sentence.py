"""Sentences keep their template and values, and are the English text for everyone else."""

import copy
import json
import pickle

import pytest

from rigview.core.sentence import Sentence, in_english, joined
from rigview.core.text import count, some_of


@pytest.fixture
def sentence():
    return Sentence(
        "{vertices} of {mesh} off by {worst:.3g}",
        vertices=count(3, "vertex"),
        mesh="a{b",
        worst=0.12345,
    )


def test_a_sentence_is_its_english_text(sentence):
    assert sentence == "3 vertices of a{b off by 0.123"
    assert json.loads(json.dumps([sentence])) == ["3 vertices of a{b off by 0.123"]
    assert {sentence: 1}["3 vertices of a{b off by 0.123"] == 1


@pytest.mark.parametrize(
    "way",
    [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s)), str, lambda s: str(ValueError(s))],
)
def test_a_sentence_stays_one_when_it_is_copied_or_raised(sentence, way):
    kept = way(sentence)
    assert (kept, kept.template, kept.values) == (sentence, sentence.template, sentence.values)


def test_the_english_text_is_a_string_of_its_own(sentence):
    assert type(in_english(sentence)) is str
    assert in_english(sentence) == sentence


def test_fixed_words_may_hold_braces():
    assert Sentence("a set {x} of joints") == "a set {x} of joints"


def test_parts_are_joined_into_one_sentence():
    parts = [count(1, "joint"), count(2, "mesh"), "hand_l"]
    assert joined(parts, "{first} or {rest}") == "1 joint or 2 meshes or hand_l"
    assert joined(parts[:1], "{first} or {rest}") is parts[0]
    assert joined([], "{first} or {rest}") == ""


def test_a_list_that_names_all_is_made_of_names_alone():
    assert not isinstance(some_of(["a", "b"], 2), Sentence)
    assert some_of(["a", "b", "c"], 2).template == "{names} and {left} more"
