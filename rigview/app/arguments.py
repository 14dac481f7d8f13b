"""Turn what callers give into values: rigs, clips, methods and options; refuse what is none."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Literal, TypedDict

from rigview.assets import resource
from rigview.core.bones import Axis
from rigview.core.clip import Clip
from rigview.core.errors import UnknownName
from rigview.core.methods.bulge import AngleFactor, Profile
from rigview.core.methods.posed import ScaleConvention
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import RangeOfMotion, range_of_motion
from rigview.core.rig import Rig
from rigview.core.skinning import ASKED, Method, Options, fault
from rigview.core.text import unknown_name
from rigview.io import Loaded

# In the place of a clip's name: a made-up clip that takes every joint through its range.
ROM: Literal["rom"] = "rom"


class MethodSettings(TypedDict, total=False):
    """The options of the skinning methods, as keywords; `rigview.core.skinning.Options` explains them."""

    strength: float
    axis: Axis
    scale: ScaleConvention
    polynomial: Profile
    angle: AngleFactor
    blend: float | None


def rig_of(given: object, name: str = "rig") -> Rig:
    """Return the rig that is given, or that of an opened file.

    Raises
    ------
    TypeError
        If it is neither.
    """
    if isinstance(given, Loaded):
        return given.rig
    if isinstance(given, Rig):
        return given
    hint = ": open a file with rigview.load" if hasattr(given, "__fspath__") else ""
    hint = f": rigview.load({given!r}) opens a file" if isinstance(given, str) else hint
    raise wrong_type(name, "a Rig, or what rigview.load returns,", given, hint)


def wrong_type(name: str, wanted: str, given: object, hint: str = "") -> TypeError:
    """Return the error for an argument of a wrong type."""
    return TypeError(f"{name}: {wanted} is wanted, not {type(given).__name__}{hint}")


def clip_of(rig: Rig, given: object) -> Clip | None:
    """Return a clip by its name, its number or itself; None is the rest pose.

    Raises
    ------
    UnknownName
        If the rig has none of that name or number.
    TypeError
        If it is of another type.
    """
    if given is None or isinstance(given, Clip):
        return given
    if isinstance(given, str) and given == ROM and ROM not in rig.clip_names:
        return rom_of(rig).clip
    if isinstance(given, str | int) and not isinstance(given, bool):
        return rig.clip(given)
    raise wrong_type("clip", "the name or number of a clip, a Clip or None", given)


def rom_of(rig: Rig) -> RangeOfMotion:
    """Return the range of motion of a rig's joints, made by the limits of joints that rigview knows."""
    return range_of_motion(rig, LimitTable.of(resource("joint_limits.json")))


def time_of(clip: Clip | None, given: object) -> float:
    """Return a time in seconds, clamped to a clip.

    Raises
    ------
    TypeError, ValueError
        If it is no number of seconds.
    """
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise wrong_type("time", "a number of seconds", given)
    time = float(given)
    if time != time:
        raise ValueError("time: a number of seconds is wanted, not NaN")
    return time if clip is None else min(max(time, clip.start), clip.end)


def method_of(given: object) -> Method:
    """Return a skinning method by its id; "file" is what the file itself asks for.

    Raises
    ------
    UnknownName
        If there is none.
    TypeError
        If it is no text.
    """
    if isinstance(given, Method):
        return given
    if not isinstance(given, str):
        raise wrong_type("method", "the id of a method", given)
    if given not in ASKED:
        raise UnknownName(unknown_name("method", given, ASKED))
    return ASKED[given]


def methods_of(given: object) -> tuple[str, ...]:
    """Return the ids of methods: one, several, or "all".

    Raises
    ------
    UnknownName, TypeError, ValueError
        If one does not exist, is of another type, or none is given.
    """
    if isinstance(given, str):
        given = [name for name in ASKED if name != "file"] if given == "all" else [given]
    if not isinstance(given, Iterable):
        raise wrong_type("methods", "the ids of methods", given)
    ids = tuple(method_of(one).id for one in given)
    if not ids:
        raise ValueError("methods: at least one is wanted")
    return ids


def options_of(settings: MethodSettings) -> Options:
    """Return the options that keywords state.

    Raises
    ------
    TypeError
        If there is no such option.
    ValueError
        If a value cannot be used.
    """
    known = {field.name for field in fields(Options)}
    for name in settings:
        if name not in known:
            raise TypeError(unknown_name("option", name, sorted(known)))
    options = Options(**settings)
    wrong = fault(options)
    if wrong is not None:
        raise ValueError(wrong)
    return options


def one_of(name: str, given: object, known: Iterable[str]) -> None:
    """Refuse a word that is none of those known.

    Raises
    ------
    ValueError
        If it is not.
    """
    if given not in (words := tuple(known)):
        raise ValueError(f"{name}: {', '.join(words)} is wanted, not {given!r}")
