"""A rewritten JSON text means what it should, and what did not change keeps its characters."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.io.gltf.jsontext import rewrite, same
from rigview.io.reading import SaveError

_ATOMS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3)
    | st.sampled_from(["\ud800", '"', "\\", "]}", "\ufeff", "😀"])
)
_KEYS = st.sampled_from(["a", "b", "c", "ä", '"', "\\"])
JSON = st.recursive(
    _ATOMS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=15,
)
FORMATS = st.sampled_from(
    [
        {},
        {"indent": 2},
        {"indent": "\t", "ensure_ascii": False},
        {"separators": (",", ":")},
        {"separators": (" ,\n ", "\t:  ")},
        {"indent": 1, "separators": (" ,", " :")},
    ]
)


@st.composite
def edits(draw):
    """Return a document, and the same with a few values changed, added or dropped somewhere."""
    old = draw(JSON)
    holder = [copy.deepcopy(old)]
    for _ in range(draw(st.integers(1, 3))):
        place, key = holder, 0
        while isinstance(place[key], dict | list) and place[key] and draw(st.booleans()):
            place = place[key]
            key = draw(
                st.sampled_from(list(place) if isinstance(place, dict) else range(len(place)))
            )
        inner = place[key]
        if isinstance(inner, dict) and draw(st.booleans()):
            inner[draw(_KEYS)] = draw(JSON)
        elif isinstance(inner, list) and draw(st.booleans()):
            inner.insert(draw(st.integers(0, len(inner))), draw(JSON))
        elif place is not holder and draw(st.booleans()):
            del place[key]
            break
        else:
            place[key] = draw(JSON)
    return old, holder[0]


def written(value, formatting):
    # A lone surrogate has no UTF-8, so only an escape can bring it into a file.
    text = json.dumps(value, **formatting)
    return "".join(c if not 0xD800 <= ord(c) < 0xE000 else f"\\u{ord(c):04x}" for c in text)


@settings(max_examples=400)
@given(edits(), FORMATS)
def test_a_rewritten_text_means_the_new_document(edit, formatting):
    old, new = edit
    text = rewrite(written(old, formatting), old, new)
    assert same(json.loads(text), new)
    text.encode()


@settings(max_examples=100)
@given(JSON, JSON, FORMATS)
def test_a_text_can_become_any_other(old, new, formatting):
    assert same(json.loads(rewrite(written(old, formatting), old, new)), new)


@settings(max_examples=200)
@given(JSON, FORMATS)
def test_an_unchanged_document_keeps_its_text(value, formatting):
    text = written(value, formatting)
    assert rewrite(text, value, copy.deepcopy(value)) == text


SPACE = st.text(" \t\r\n", max_size=3)


@settings(max_examples=200)
@given(st.lists(st.tuples(SPACE, JSON, SPACE, FORMATS), min_size=1, max_size=4), st.data())
def test_a_changed_element_changes_no_character_around_it(elements, data):
    changed = data.draw(st.integers(0, len(elements) - 1))
    values = [value for _, value, _, _ in elements]
    new = [["new"] if i == changed else value for i, value in enumerate(values)]
    # A list beside a list is rewritten from inside, so the old value must be none.
    values[changed] = "old"
    texts = [written(value, form) for value, (_, _, _, form) in zip(values, elements, strict=True)]
    spaced = [a + text + b for text, (a, _, b, _) in zip(texts, elements, strict=True)]
    lead, _, trail, _ = elements[changed]
    before = "[" + "".join(f"{text}," for text in spaced[:changed]) + lead
    after = trail + "".join(f",{text}" for text in spaced[changed + 1 :]) + "]"
    assert rewrite(f'{before}"old"{after}', values, new) == f'{before}["new"]{after}'


TEXT = """{
  "asset" : { "version": "2.0" } ,
  "nodes":[
    {"name":"A",  "scale":[1,1.0,1e0]},
    {"name":"B"}
  ],
  "extras": {"Ä": 1.10, "u": "\\u00e4\\/"}
}
"""


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        (lambda d: d["nodes"][0].update(name="C"), '"name":"A"', '"name":"C"'),
        (lambda d: d["nodes"][0].update(scale=[1, 2, 1]), "[1,1.0,1e0]", "[1,2,1e0]"),
        (lambda d: d["nodes"][0].pop("scale"), ',  "scale":[1,1.0,1e0]', ""),
        (lambda d: d["nodes"][0].pop("name"), '"name":"A",  ', ""),
        (lambda d: d["nodes"][1].update(mesh=0), '"name":"B"', '"name":"B","mesh":0'),
        (lambda d: d["nodes"].append({}), '{"name":"B"}', '{"name":"B"},\n    {}'),
        (lambda d: d["nodes"].pop(), ',\n    {"name":"B"}', ""),
        (
            lambda d: d["nodes"].pop(0),
            '\n    {"name":"A",  "scale":[1,1.0,1e0]},\n    {"name":"B"}',
            '\n    {"name":"B"}',
        ),
        (lambda d: d["extras"].update(v="ö"), '"\\u00e4\\/"', '"\\u00e4\\/", "v": "ö"'),
        (lambda d: d["asset"].clear(), '{ "version": "2.0" }', "{ }"),
        (lambda d: d.update(scene=0), '\\/"}\n', '\\/"} ,\n  "scene" : 0\n'),
        (lambda d: d.pop("asset"), '"asset" : { "version": "2.0" } ,\n  ', ""),
    ],
)
def test_only_what_changed_is_written_anew(edit, before, after):
    old, new = json.loads(TEXT), json.loads(TEXT)
    edit(new)
    assert TEXT.count(before) == 1
    assert rewrite(TEXT, old, new) == TEXT.replace(before, after)


def test_a_byte_order_mark_stays():
    assert rewrite("\ufeff {}", {}, {"a": 1}) == '\ufeff {"a":1}'


def test_of_a_key_that_stands_twice_the_last_one_is_changed():
    text = '{"a": {"b": 1}, "a": [1, 2]}'
    assert rewrite(text, {"a": [1, 2]}, {"a": [1, 3]}) == '{"a": {"b": 1}, "a": [1, 3]}'


def test_true_and_one_are_different():
    assert rewrite('{"a":1}', {"a": 1}, {"a": True}) == '{"a":true}'
    assert not same([1], [True])


def test_a_number_that_is_not_finite_is_refused():
    with pytest.raises(SaveError, match="not finite"):
        rewrite("[1]", [1], [float("nan")])
