"""Sentences made of values, which can be said in another language: English text, template and values."""

from collections.abc import Mapping, Sequence


class Sentence(str):
    """A sentence in English that knows what it is made of.

    It is a string like any other: reports, logs and files hold its English text. Whoever speaks another
    language looks the template up and fills in the values, of which some may be sentences themselves.
    What is made of it by other means (an f-string, `lower`) is a plain string.

    Parameters
    ----------
    template
        As `str.format` takes it: "{vertices} without any weight". Without values it is the text itself.
    values
        What the template names. A name out of a file is a string, words of ours are a sentence.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> "Sentence":
        """Fill the values in."""
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values = template, values
        return made

    def __str__(self) -> str:
        """Return the sentence itself, so that an exception's words stay a sentence."""
        return self

    def __add__(self, other: str) -> "Sentence":
        """Return the sentence with more words after it."""
        return Sentence("{first}{rest}", first=self, rest=other) if other else self

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.template, dict(self.values))


def _again(template: str, values: dict[str, object]) -> Sentence:
    """Return a sentence as it was before it was pickled."""
    return Sentence(template, **values)


def in_english(text: str) -> str:
    """Return the English text by itself: what writes JSON by the types of values takes no sentence."""
    return str.__str__(text)


def joined(parts: Sequence[str], template: str) -> str:
    """Return parts as one sentence: "a or b or c".

    Parameters
    ----------
    parts
        One or more; none give an empty text.
    template
        What stands between `{first}` and `{rest}`: "{first} or {rest}".
    """
    if len(parts) < 2:
        return parts[0] if parts else ""
    return Sentence(template, first=parts[0], rest=joined(parts[1:], template))
