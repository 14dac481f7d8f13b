"""The text of a BVH, a word at a time."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from rigview.io.reading import LARGEST_NUMBER, LoadError, quoted

TOKEN = re.compile(r"[{}]|[^\s{}]+")
_NO_NUMBER = re.compile(r"[-+]?(1\.#\w+|s?nan\(\w*\))", re.IGNORECASE)
_COMMENT = re.compile(r"^[ \t]*(?:#|//).*$", re.MULTILINE)
# Where words begin and end in a text.
Span = tuple[int, int]
_COMMAS = "decimal commas are read as points"


def without_comments(text: str, notes: list[str]) -> str:
    """Return a text with blanks for the lines that other programs take for comments."""
    if "#" not in text and "//" not in text:
        return text
    left = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    if left != text:
        notes.append("lines that begin with # or // are ignored")
    return left


class Tokens:
    """The words of the file, one after the other, each with its line for messages.

    `notes` are what is ignored of them, or taken for something else.
    """

    def __init__(self, path: Path, text: str, notes: list[str]) -> None:
        self._path, self.text, self.notes = path, text, notes
        self._found: Iterator[re.Match[str]] = TOKEN.finditer(text)
        self.at = self.end = 0

    def error(self, reason: str, at: int | None = None) -> LoadError:
        """Return the error that names the line of a position, of the last word if none is given."""
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        return LoadError(self._path, f"line {line}", reason)

    @property
    def is_over(self) -> bool:
        """Whether no word follows."""
        return not TOKEN.search(self.text, self.end)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what matches a pattern, if anything does."""
        found = pattern.match(self.text, self.end)
        if found is not None:
            self.end = found.end()
            self._found = TOKEN.finditer(self.text, self.end)
        return found

    def next(self, wanted: str) -> str:
        """Return the next word; `wanted` says what it should be."""
        found = next(self._found, None)
        if found is None:
            self.at = len(self.text)
            raise self.error(f"the file ends where {wanted} should be")
        self.at, self.end = found.span()
        return found[0]

    def expect(self, word: str) -> None:
        """Read a word that must be there."""
        found = self.next(word)
        if found.upper() != word:
            self.fail(word, found)

    def fail(self, wanted: str, found: str) -> NoReturn:
        """Raise the error that something else stands here."""
        raise self.error(f"wanted {wanted}, found {quoted(found)}")

    def number(self) -> float:
        """Return the next word as a number."""
        word = self.next("a number")
        try:
            value = float(self.plain(word))
        except ValueError:
            self.fail("a number", word)
        if not abs(value) <= LARGEST_NUMBER:
            self.fail("a number of a possible size", word)
        return value

    def count(self, wanted: str, most: int) -> int:
        """Return the next word as a whole number of things."""
        word = self.next(wanted)
        if not word.isdecimal() or len(word) > len(str(most)) or int(word) > most:
            self.fail(wanted, word)
        return int(word)

    def plain(self, word: str) -> str:
        """Return a number as it is usually written; what is none has several words on Windows."""
        if _NO_NUMBER.fullmatch(word):
            return "nan"
        if "," in word:
            self.notes.append(_COMMAS)
        return word.replace(",", ".")

    def rest(self) -> list[str]:
        """Return all words that are left."""
        return self.text[self.end :].split()

    def words(self, pattern: re.Pattern[str]) -> list[str]:
        """Read all words that follow and match a pattern, which may match none."""
        found = self.match(pattern)
        return [] if found is None else found[0].split()

    def until_brace(self) -> tuple[str, Span | None]:
        """Return the words before the next opening brace, which is read as well, and where they are."""
        words, spans = [], []
        while (word := self.next("{")) != "{":
            if word == "}":
                self.fail("{", word)
            words.append(word)
            spans.append((self.at, self.end))
        return " ".join(words), (spans[0][0], spans[-1][1]) if spans else None
