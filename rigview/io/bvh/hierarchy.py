"""The joints of a BVH."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from rigview.io.bvh.words import Span, Tokens
from rigview.io.reading import quoted

_NUMBERS = re.compile(r"(?:\s+[-+.\d][^\s{}]*)*")
_CHANNELS = re.compile(
    r"(?:\s+(?!(?:ROOT|JOINT|END|ENDSITE|OFFSET|CHANNELS|MOTION)\b)[^\s{}]+)*", re.IGNORECASE
)
# Six are usual; a file that states more than this is damaged.
_MOST_CHANNELS = 64


@dataclass
class Joint:
    """A joint as the hierarchy states it; `channels` are its columns' names in lower case.

    Parameters
    ----------
    name_at, offset_at
        Where its name and the numbers of its OFFSET stand in the text; an end site has no name.
    """

    name: str
    parent: int
    offset: tuple[float, ...] = (0.0, 0.0, 0.0)
    channels: tuple[str, ...] = ()
    name_at: Span | None = None
    offset_at: tuple[Span, ...] = ()


@dataclass
class BvhHierarchy:
    """The joints in the order of the text; end sites are among them."""

    joints: list[Joint] = field(default_factory=list)
    end_sites: int = 0


def read_hierarchy(tokens: Tokens, tell: Callable[[], object]) -> BvhHierarchy:
    """Read everything up to MOTION, or all of a file without.

    Parameters
    ----------
    tell
        Called at every word that begins something; what it raises ends the reading.
    """
    result = BvhHierarchy()
    tokens.expect("HIERARCHY")
    open_: list[int] = []
    while not (tokens.is_over and result.joints and not open_):
        tell()
        word = tokens.next("MOTION").upper()
        if word in ("ROOT", "JOINT", "END", "ENDSITE"):
            open_.append(_begin(tokens, word, open_[-1] if open_ else -1, result))
        elif word == "}" and open_:
            open_.pop()
        elif word == "}" and result.joints:
            tokens.notes.append("a closing brace too many at the end of the hierarchy is ignored")
        elif word == "OFFSET" and open_:
            _offset(tokens, result.joints[open_[-1]])
            if tokens.words(_NUMBERS):
                tokens.notes.append("what stands behind the three numbers of an OFFSET is ignored")
        elif word == "CHANNELS" and open_:
            _channels(tokens, result.joints[open_[-1]])
        elif word == "MOTION" and not open_ and result.joints:
            return result
        else:
            tokens.fail("a joint, OFFSET, CHANNELS or MOTION", word)
    return result


def _offset(tokens: Tokens, joint: Joint) -> None:
    numbers = [(tokens.number(), (tokens.at, tokens.end)) for _ in range(3)]
    joint.offset = tuple(value for value, _ in numbers)
    joint.offset_at = tuple(span for _, span in numbers)


def _channels(tokens: Tokens, joint: Joint) -> None:
    """Read the names of a joint's channels; where they are not as many as stated, the names count."""
    stated = tokens.count("a number of channels", _MOST_CHANNELS)
    joint.channels = tuple(name.lower() for name in tokens.words(_CHANNELS))
    if len(joint.channels) != stated:
        tokens.notes.append("CHANNELS that name more or fewer than they count are read as named")


def _begin(tokens: Tokens, word: str, parent: int, hierarchy: BvhHierarchy) -> int:
    """Start a joint or an end site; return its number."""
    name, span = tokens.until_brace()
    if word == "JOINT" and not hierarchy.joints:
        tokens.notes.append(f"JOINT {quoted(name)} stands outside a joint and is taken for ROOT")
    elif (word == "ROOT") != (parent < 0):
        raise tokens.error(
            f"{word} {quoted(name)} stands {'below' if parent >= 0 else 'outside'} a joint"
        )
    if word.startswith("END"):
        hierarchy.end_sites += 1
        name, span = end_name(hierarchy.joints[parent].name), None
    hierarchy.joints.append(Joint(name, parent, name_at=span))
    return len(hierarchy.joints) - 1


def end_name(parent: str) -> str:
    """Return the name of an end site, which the text does not state."""
    return f"{parent}_End"
