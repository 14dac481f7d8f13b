"""Maps of joints as small TOML files: which joint of a motion turns which joint of a character."""

import json
import tomllib
from pathlib import Path

from rigview.core.errors import RigviewError, UnknownName
from rigview.core.motion.joint_mapping import JointMapping, Match, plain
from rigview.core.names import body_parts
from rigview.core.rig import Rig
from rigview.core.text import system_reason
from rigview.io.files import read_file, save_bytes

# The largest rig known to us has fewer joints than would fill this.
_MOST_BYTES = 1 << 20


class MapError(RigviewError):
    """A map of joints that cannot be used: file, place in it, and why, in one sentence."""

    def __init__(self, path: Path, where: str, reason: str) -> None:
        super().__init__(f"{path}: {where}: {reason}" if where else f"{path}: {reason}")


def read_joint_map(path: Path, motion: Rig, character: Rig) -> JointMapping:
    """Read a map of joints.

    The table ``[joints]`` has the character's joint as key and the motion's as value; a value may also be
    ``{ from = "Spine", to = "Spine1", share = 0.5 }``, a turn between those of two joints.

    Raises
    ------
    MapError
        If the file cannot be read, is no TOML, or names a joint that a rig does not have.
    """
    try:
        stated = tomllib.loads(read_file(path, most=_MOST_BYTES).decode("utf-8"))
    except OSError as error:
        raise MapError(path, "", system_reason(error)) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise MapError(path, "", f"this is no TOML: {error}") from None
    table = stated.get("joints")
    if not isinstance(table, dict) or not table:
        raise MapError(path, "joints", 'wanted a table of joints, such as "hips" = "Hips"')
    matches = {}
    for name, value in table.items():
        where = f"joints.{json.dumps(name, ensure_ascii=False)}"
        try:
            matches[_joint(character, name)] = _match(motion, value)
        except (UnknownName, ValueError) as error:
            raise MapError(path, where, str(error)) from None
    return JointMapping(matches, body_parts(character))


def _joint(rig: Rig, name: str) -> int:
    """Return a joint by its name, with or without its namespace."""
    try:
        return rig.joint(name)
    except UnknownName:
        same = [joint for joint in rig.joints if plain(rig.nodes.names[joint]) == plain(name)]
        if len(same) == 1:
            return same[0]
        raise


def _match(motion: Rig, value: object) -> Match:
    if isinstance(value, str):
        return Match(_joint(motion, value), how="map")
    if not isinstance(value, dict) or set(value) != {"from", "to", "share"}:
        raise ValueError("wanted the name of a joint, or a table of from, to and share")
    start, end, share = value["from"], value["to"], value["share"]
    named = isinstance(start, str) and isinstance(end, str)
    if (
        not named
        or isinstance(share, bool)
        or not isinstance(share, int | float)
        or not 0.0 <= share <= 1.0
    ):
        raise ValueError("wanted names of joints as from and to, and as share a number from 0 to 1")
    return Match(_joint(motion, start), _joint(motion, end), float(share), "map")


def write_joint_map(path: Path, mapping: JointMapping, motion: Rig, character: Rig) -> None:
    """Write a map of joints; `read_joint_map` gives the same one back.

    Joints that have no counterpart stand in it as comments, so that whoever edits it sees their names.

    Raises
    ------
    SaveError
        If it cannot be written.
    """
    lines = [
        "# Joints of the character on the left, and on the right the joint of the motion that turns each.",
        "# A joint that is left out keeps its place below the one above it. A turn between two joints:",
        '# "spine_02" = { from = "Spine", to = "Spine1", share = 0.5 }',
        "[joints]",
    ]
    for joint in sorted(character.joints, key=lambda j: (int(character.nodes.depths[j]), j)):
        name = _quoted(character.nodes.label(joint))
        match = mapping.matches.get(joint)
        lines.append(f"# {name} =" if match is None else f"{name} = {_stated(match, motion)}")
    save_bytes(path, ("\n".join(lines) + "\n").encode("utf-8"))


def _stated(match: Match, motion: Rig) -> str:
    source = _quoted(motion.nodes.label(match.source))
    if match.beyond is None:
        return source
    beyond = _quoted(motion.nodes.label(match.beyond))
    return f"{{ from = {source}, to = {beyond}, share = {match.share!r} }}"


def _quoted(text: str) -> str:
    """Return a basic string of TOML, whose escapes JSON has as well; TOML wants DEL escaped, too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
