"""Templates of skeletons as TOML files: written, read, and those that rigview ships.

::

    source = "hero.glb"                     # where the facts come from
    date = "2026-11-28"                     # and when they were looked up
    unverified = ["…"]                      # what could not be verified
    extras = ["*_twist_*"]                  # names that further joints may have; ["*"] allows all
    named = true                            # whether the names count, or only tell which joint is which
    ordered = true                          # whether the order of the list counts
    tolerance = { degrees = 5.0, place = 0.05 }
    budget = { joints = 68, influences = 4, vertices = 50000, morphs = 60 }
    joints = [
      { name = "Hips", bone = "hips", place = [0.0, 0.53, 0.0], rotation = [0.0, 0.0, 0.0, 1.0] },
      { name = "Spine", parent = "Hips", bone = "spine", required = false },
    ]
"""

import json
import math
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rigview.assets import RESOURCES
from rigview.check.untrusted_files import read_text
from rigview.core.errors import UnknownName
from rigview.core.motion.body_bones import BONES
from rigview.core.templates.making import TemplateError
from rigview.core.templates.template import (
    Budget,
    Quadruple,
    Template,
    TemplateJoint,
    Triple,
    loop_in,
)
from rigview.core.text import system_reason, unknown_name

SUFFIX = ".skel.toml"
FOLDER = RESOURCES / "templates"
# A thousand joints take a tenth of it.
_MOST_BYTES = 1 << 20
# What a rotation's length may be off one, as it is written with five digits.
_UNIT = 1e-2


class _Wrong(Exception):  # noqa: N818 - becomes a TemplateError that names the file
    """A value that means nothing: where it stands, and why."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}" if where else reason)


def shipped() -> tuple[Template, ...]:
    """Return the templates that come with rigview, by name."""
    return tuple(read_template(path) for path in sorted(FOLDER.glob(f"*{SUFFIX}")))


def shipped_names() -> tuple[str, ...]:
    """Return the names of the templates that come with rigview."""
    return tuple(path.name.removesuffix(SUFFIX) for path in sorted(FOLDER.glob(f"*{SUFFIX}")))


def named_template(text: str) -> Template:
    """Return the template of a name, or the one in the file of that path.

    Raises
    ------
    TemplateError
        If it cannot be read or means nothing.
    UnknownName
        If there is neither.
    """
    path = Path(text)
    if text in shipped_names():
        return read_template(FOLDER / f"{text}{SUFFIX}")
    if path.suffix.lower() == ".toml" or len(path.parts) > 1:
        return read_template(path)
    listing = f"a file ends with {SUFFIX}"
    raise UnknownName(unknown_name("template", text, shipped_names(), listing))


def read_template(path: Path) -> Template:
    """Read a template.

    Raises
    ------
    TemplateError
        If it cannot be read, is no TOML, or a key or value of it means nothing.
    """
    try:
        text = read_text(path, _MOST_BYTES)
    except OSError as error:
        raise TemplateError(f"{path}: {system_reason(error)}") from None
    except UnicodeDecodeError as error:
        raise TemplateError(f"{path}: this is no TOML: {error}") from None
    try:
        return template_of(path.name.removesuffix(SUFFIX).removesuffix(".toml"), text)
    except TemplateError as error:
        raise TemplateError(f"{path}: {error}") from None


def template_of(name: str, text: str) -> Template:
    """Return the template of a text in TOML.

    Raises
    ------
    TemplateError
        If it is no TOML, or a key or value of it means nothing.
    """
    try:
        return _template(name, tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise TemplateError(f"this is no TOML: {error}") from None
    except _Wrong as wrong:
        raise TemplateError(str(wrong)) from None


def _template(name: str, stated: Mapping[str, Any]) -> Template:
    _only(stated, _KEYS, "")
    values: dict[str, Any] = {}
    for key, value in stated.items():
        if key not in ("joints", "tolerance"):
            values[key] = _KEYS[key](value, key)
    tolerance = _fields(stated.get("tolerance", {}), _TOLERANCE, "tolerance")
    joints = _joints(stated.get("joints"))
    return Template(
        name=name,
        joints=joints,
        degrees=tolerance.get("degrees"),
        distance=tolerance.get("place"),
        **values,
    )


def _joints(value: object) -> tuple[TemplateJoint, ...]:
    if not isinstance(value, list) or not value:
        raise _Wrong("joints", 'wanted a list of joints, such as { name = "Hips" }')
    joints = tuple(_joint(one, f"joints[{number}]") for number, one in enumerate(value))
    names = {joint.name for joint in joints}
    seen: set[str] = set()
    for number, joint in enumerate(joints):
        where = f"joints[{number}]"
        if joint.name in seen:
            raise _Wrong(where, f"a second joint is called {joint.name}")
        if joint.parent and joint.parent not in names:
            raise _Wrong(where, f"its parent {joint.parent} is no joint of this template")
        if joint.bone and joint.bone in {other.bone for other in joints[:number]}:
            raise _Wrong(where, f"a second joint is the bone {joint.bone}")
        seen.add(joint.name)
    loop = loop_in(joints)
    if loop:
        raise _Wrong("joints", f"{loop} hangs below itself")
    return joints


def _joint(value: object, where: str) -> TemplateJoint:
    stated = _fields(value, _JOINT, where)
    if not stated.get("name"):
        raise _Wrong(where, "a joint needs a name")
    if "tolerance" in stated:
        tolerance = stated.pop("tolerance")
        stated |= {"degrees": tolerance.get("degrees"), "distance": tolerance.get("place")}
    return TemplateJoint(**stated)


Reader = Callable[[object, str], Any]


def _only(stated: Mapping[str, Any], known: Mapping[str, object], where: str) -> None:
    for key in stated:
        if key not in known:
            raise _Wrong(where, unknown_name("key", key, known, ""))


def _fields(value: object, readers: Mapping[str, Reader], where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong(where, f"wanted a table of {', '.join(readers)}")
    _only(value, readers, where)
    return {key: readers[key](one, f"{where}.{key}") for key, one in value.items()}


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise _Wrong(where, "wanted a text in quotes")
    return value


def _date(value: object, where: str) -> str:
    """TOML has dates without quotes, too."""
    return value if isinstance(value, str) else _text(str(value), where)


def _texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _Wrong(where, "wanted a list of texts in quotes")
    return tuple(value)


def _yes(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise _Wrong(where, "wanted true or false")
    return value


def _bone(value: object, where: str) -> str:
    if value not in BONES:
        raise _Wrong(where, unknown_name("bone", str(value), BONES, "VRM 1.0 names them"))
    return str(value)


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value < 1e6:
        raise _Wrong(where, "wanted a number of 0 or more")
    return float(value)


def _whole(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _Wrong(where, "wanted a whole number of 0 or more")
    return value


def _row(value: object, where: str, count: int) -> tuple[float, ...]:
    numbers = isinstance(value, list) and all(
        isinstance(one, int | float) and not isinstance(one, bool) and math.isfinite(one)
        for one in value
    )
    if not numbers or not isinstance(value, list) or len(value) != count:
        raise _Wrong(where, f"wanted {count} numbers in brackets")
    return tuple(float(one) for one in value)


def _place(value: object, where: str) -> Triple:
    x, y, z = _row(value, where, 3)
    return x, y, z


def _rotation(value: object, where: str) -> Quadruple:
    x, y, z, w = _row(value, where, 4)
    length = math.hypot(x, y, z, w)
    if abs(length - 1.0) > _UNIT:
        raise _Wrong(
            where, f"wanted a quaternion x, y, z, w of length 1; this one has {length:.3g}"
        )
    return x, y, z, w


_TOLERANCE: dict[str, Reader] = {"degrees": _number, "place": _number}
_BUDGET: dict[str, Reader] = {
    "joints": _whole,
    "influences": _whole,
    "vertices": _whole,
    "morphs": _whole,
}
_JOINT: dict[str, Reader] = {
    "name": _text,
    "parent": _text,
    "bone": _bone,
    "required": _yes,
    "place": _place,
    "rotation": _rotation,
    "tolerance": lambda value, where: _fields(value, _TOLERANCE, where),
}
# Every key at the top; joints and tolerance are read by themselves.
_KEYS: dict[str, Reader] = {
    "title": _text,
    "source": _text,
    "date": _date,
    "unverified": _texts,
    "extras": _texts,
    "named": _yes,
    "ordered": _yes,
    "tolerance": lambda value, _: value,
    "budget": lambda value, where: Budget(**_fields(value, _BUDGET, where)),
    "joints": lambda value, _: value,
}


def written(template: Template) -> str:
    """Return a template as `read_template` reads it, one joint a line."""
    lines = [
        "# A template of a skeleton: rigview conform FILE --template THIS says what in FILE is otherwise.",
        "# Places are in heights of the skeleton, rotations x, y, z, w; +Y is up, and it faces +Z.",
        f"title = {_quoted(template.title)}",
        f"source = {_quoted(template.source)}",
        f"date = {_quoted(template.date)}",
    ]
    lines += [f"unverified = {_list(template.unverified)}"] if template.unverified else []
    lines += [
        '# Names that further joints may have, such as "*_twist_*"; ["*"] allows all.',
        f"extras = {_list(template.extras)}",
        "# Whether the names count, or only tell which joint is which; whether the order counts.",
        f"named = {str(template.named).lower()}",
        f"ordered = {str(template.ordered).lower()}",
    ]
    tolerance = {"degrees": template.degrees, "place": template.distance}
    budget = {key: getattr(template.budget, key) for key in _BUDGET}
    for key, table in (("tolerance", tolerance), ("budget", budget)):
        if any(value is not None for value in table.values()):
            lines.append(f"{key} = {_inline(table)}")
    lines.append("joints = [")
    lines += [f"  {_inline(_joint_row(joint))}," for joint in template.joints]
    return "\n".join([*lines, "]", ""])


def _joint_row(joint: TemplateJoint) -> dict[str, object]:
    tolerance = {"degrees": joint.degrees, "place": joint.distance}
    return {
        "name": joint.name,
        "parent": joint.parent or None,
        "bone": joint.bone or None,
        "required": None if joint.required else False,
        "place": joint.place,
        "rotation": joint.rotation,
        "tolerance": tolerance if any(v is not None for v in tolerance.values()) else None,
    }


def _inline(table: Mapping[str, object]) -> str:
    stated = (f"{key} = {_value(value)}" for key, value in table.items() if value is not None)
    return f"{{ {', '.join(stated)} }}"


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return _inline(value)
    if isinstance(value, tuple):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    return _quoted(value) if isinstance(value, str) else repr(value)


def _list(texts: tuple[str, ...]) -> str:
    return _value(texts)


def _quoted(text: str) -> str:
    """Return a basic string of TOML, whose escapes JSON has as well; TOML wants DEL escaped, too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
