"""Rewriting a JSON text so that every value that did not change keeps its very characters."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rigview.io.reading import SaveError

BYTE_ORDER_MARK = "\ufeff"
_SPACE = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DECODER = json.JSONDecoder()


class _Entry(NamedTuple):
    """One member of an object or element of an array, as positions in the text.

    Parameters
    ----------
    lead
        Where the text between the previous value (or the opening bracket) and this entry starts.
    start
        Where the entry starts: the key of a member, the value of an element.
    value, end
        Where its value starts and ends.
    """

    key: str
    lead: int
    start: int
    value: int
    end: int


def rewrite(text: str, old: Any, new: Any) -> str:  # noqa: ANN401 - JSON
    """Return `text`, the source of `old`, changed so that it parses to `new`.

    Members and elements that are equal are copied from the text, with their white space and their
    way of writing numbers; only the others are written anew, in compact form.
    """
    start = _skip(text, len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0)
    end = _end(text, start)
    return text[:start] + _value(text, start, end, old, new) + text[end:]


def same(old: Any, new: Any) -> bool:  # noqa: ANN401
    """Tell whether two JSON values are equal, true and 1 being different."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(same(v, new[k]) for k, v in old.items())
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(same, old, new))
    return isinstance(old, bool) == isinstance(new, bool) and bool(old == new)


def _value(text: str, start: int, end: int, old: Any, new: Any) -> str:  # noqa: ANN401
    if same(old, new):
        return text[start:end]
    if isinstance(old, dict) and isinstance(new, dict) and old:
        return _object(text, start, end, old, new)
    if isinstance(old, list) and isinstance(new, list) and old:
        return _array(text, start, end, old, new)
    return _fresh(new)


def _object(text: str, start: int, end: int, old: dict[str, Any], new: dict[str, Any]) -> str:
    entries = list(_members(text, start))
    # Where a key stands twice the last one counts; the others are nobody's and stay as they are.
    last = {entry.key: entry for entry in entries}
    kept = []
    for entry in entries:
        if entry is not last[entry.key]:
            kept.append((entry, text[entry.start : entry.end]))
        elif entry.key in new:
            value = _value(text, entry.value, entry.end, old[entry.key], new[entry.key])
            kept.append((entry, text[entry.start : entry.value] + value))
    key_end = _end(text, entries[0].start)
    colon = text[key_end : entries[0].value]
    added = [f"{_fresh(key)}{colon}{_fresh(value)}" for key, value in new.items() if key not in old]
    return "{" + _joined(text, entries, kept, added) + text[entries[-1].end : end - 1] + "}"


def _array(text: str, start: int, end: int, old: list[Any], new: list[Any]) -> str:
    """Keep what is equal at both ends; pair, drop or add elements between."""
    entries = list(_elements(text, start))
    shorter = min(len(old), len(new))
    tail = next((i for i in range(shorter) if not same(old[-1 - i], new[-1 - i])), shorter)
    paired = shorter - tail
    kept = [
        (entry, _value(text, entry.value, entry.end, before, after))
        for entry, before, after in zip(entries[:paired], old, new, strict=False)
    ]
    added = [_fresh(value) for value in new[paired : len(new) - tail]]
    behind = [(entry, text[entry.start : entry.end]) for entry in entries[len(old) - tail :]]
    inside = _joined(text, entries, kept, added, behind)
    return "[" + inside + text[entries[-1].end : end - 1] + "]"


def _joined(
    text: str,
    entries: Sequence[_Entry],
    kept: Sequence[tuple[_Entry, str]],
    added: Sequence[str],
    behind: Sequence[tuple[_Entry, str]] = (),
) -> str:
    """Put entries together: kept ones with the text that led to them, added ones like their like."""
    first = text[entries[0].lead : entries[0].start]
    usual = text[entries[1].lead : entries[1].start] if len(entries) > 1 else "," + first
    pieces = [(text[entry.lead : entry.start], content) for entry, content in kept]
    pieces += [(usual, content) for content in added]
    pieces += [(text[entry.lead : entry.start], content) for entry, content in behind]
    # What came first still does without a comma, and what did not needs one.
    leads = [first, *(lead if "," in lead else usual for lead, _ in pieces[1:])]
    return "".join(lead + content for lead, (_, content) in zip(leads, pieces, strict=False))


def _members(text: str, start: int) -> Iterator[_Entry]:
    lead = start + 1
    at = _skip(text, lead)
    while text[at] != "}":
        if text[at] == ",":
            at = _skip(text, at + 1)
        key, after = _DECODER.raw_decode(text, at)
        value = _skip(text, _skip(text, after) + 1)
        end = _end(text, value)
        yield _Entry(key, lead, at, value, end)
        lead, at = end, _skip(text, end)


def _elements(text: str, start: int) -> Iterator[_Entry]:
    lead = start + 1
    at = _skip(text, lead)
    while text[at] != "]":
        if text[at] == ",":
            at = _skip(text, at + 1)
        end = _end(text, at)
        yield _Entry("", lead, at, at, end)
        lead, at = end, _skip(text, end)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _end(text: str, start: int) -> int:
    """Return where the value that starts at `start` ends."""
    end: int = _DECODER.raw_decode(text, start)[1]
    return end


def _fresh(value: Any) -> str:  # noqa: ANN401
    try:
        written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        raise SaveError("a changed number is not finite, and JSON has no such number") from None
    # Half a surrogate pair has no UTF-8; JSON has it as an escape.
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
