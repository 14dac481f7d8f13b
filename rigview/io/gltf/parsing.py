"""The JSON of a glTF parsed: quickly where it is sound, and where it is not, told of in a sentence."""

import codecs
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from rigview.io.gltf.jsontext import BYTE_ORDER_MARK
from rigview.io.reading import LoadError

Content = bytes | memoryview

_TEXT_CHUNK = 16 << 20
_LETTERS_CHUNK = 1 << 16
# The deepest value of glTF lies ten levels down, and extras need not be much deeper. Python's own
# limit of 1,000 calls must do for walking a document recursively, two calls a level.
_MOST_LEVELS = 128
# Python reads these as numbers; JSON has none like them.
_CONSTANTS = ("NaN", "Infinity", "-Infinity")
_UNMARKED = bytes(set(range(256)) - set(b'"[]{}'))
_OBJECT = msgspec.json.Decoder(dict[str, Any])
# What the quick parser raises; it has no place that could be told.
DAMAGED = (msgspec.DecodeError, UnicodeDecodeError)
_MARK = BYTE_ORDER_MARK.encode()
_TOKENS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|NaN|-?Infinity')


def check_depth(path: Path, content: Content, tell: Callable[[], object] | None = None) -> None:
    """Refuse what is nested too deeply.

    Raises
    ------
    LoadError
        If it is.
    """
    if _depth(bytes(content), tell) > _MOST_LEVELS:
        raise LoadError(path, "", f"the JSON is nested more than {_MOST_LEVELS} levels deep")


def unmarked(content: Content) -> Content:
    """Return a JSON text without its byte order mark, if there is one."""
    return content[len(_MARK) :] if content[: len(_MARK)] == _MARK else content


def check_letters(content: Content) -> None:
    """Raise what is wrong with a text that is not UTF-8, as decoding it would."""
    if bytes(content).isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    for at in range(0, len(content), _LETTERS_CHUNK):
        decoder.decode(bytes(content[at : at + _LETTERS_CHUNK]))
    decoder.decode(b"", final=True)


def parse_quickly(content: Content) -> dict[str, Any] | None:
    """Return the object that a sound JSON text holds, or None where `parse` has to look at it."""
    try:
        return _OBJECT.decode(unmarked(content))
    except DAMAGED:
        return None


def parse(
    path: Path, text: str, parse_float: Callable[[str], float] | None = None
) -> dict[str, Any]:
    """Return the object that a JSON text holds, as Python's own parser reads it.

    Parameters
    ----------
    parse_float
        What makes a number of one that has a point or an exponent.

    Raises
    ------
    LoadError
        If the text is damaged, or holds no object.
    """
    document = parse_any(path, text, parse_float)
    if not isinstance(document, dict):
        raise LoadError(path, "", "the JSON is not an object")
    return document


def parse_any(path: Path, text: str, parse_float: Callable[[str], float] | None = None) -> Any:  # noqa: ANN401 - JSON
    """Return the value that a JSON text holds, like `parse`.

    Raises
    ------
    LoadError
        If the text is damaged.
    """

    def refuse(word: str) -> float:
        found = next(token for token in _TOKENS.finditer(text) if token[0] == word)
        raise json.JSONDecodeError(f"{word} is not a number", text, found.start())

    try:
        text = text.removeprefix(BYTE_ORDER_MARK)
        return json.loads(text, parse_float=parse_float, parse_constant=refuse)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        message = error.msg.removesuffix(" at").removesuffix(" starting")
        if not message.startswith(_CONSTANTS):
            message = f"{message[0].lower()}{message[1:]}"
        reason = f"the JSON is damaged: {message}"
        raise LoadError(path, place, reason) from None
    except ValueError:
        raise LoadError(path, "", "the JSON holds a number of too many digits") from None


def _depth(json_: bytes, tell: Callable[[], object] | None) -> int:
    """Return how deeply a JSON text is nested, without a look at anything but brackets and quotes."""
    if b"\\" in json_:
        # An escaped quote is none, unless what escapes it is escaped itself.
        json_ = json_.replace(b"\\\\", b"").replace(b'\\"', b"")
    found = bytearray()
    for at in range(0, len(json_), _TEXT_CHUNK):
        found += json_[at : at + _TEXT_CHUNK].translate(None, _UNMARKED)
        if tell is not None:
            tell()
    # Between two quotes side by side is no bracket: without them the others are as much within a text.
    marks = np.frombuffer(found.replace(b'""', b""), np.uint8)
    (brackets,) = (marks != ord('"')).nonzero()
    quotes_before = brackets - np.arange(len(brackets))
    outside = marks[brackets[quotes_before & 1 == 0]]
    # The second bit tells [ and { from ] and }.
    steps = (outside & 2).view(np.int8) - 1
    return int(np.maximum.reduce(np.add.accumulate(steps, dtype=np.int32), initial=0))
