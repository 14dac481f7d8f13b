"""What a VRM says of its character: which node is which bone of a body, its title and its licence."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rigview.io.gltf.cursor import Cursor
from rigview.io.reading import LoadError, quoted

EXTENSIONS = ("VRMC_vrm", "VRM")


@dataclass(frozen=True)
class Character:
    """The metadata of a VRM 0 or 1; empty of any other file.

    Parameters
    ----------
    humanoid
        Node → the name of the body's bone that it is, as VRM spells it.
    """

    humanoid: dict[int, str] = field(default_factory=dict)
    title: str = ""
    licence: str = ""


def read_character(root: Cursor, nodes: int, notes: list[str]) -> Character:
    """Read the metadata of the newer version that the file states.

    What is damaged in it is noted and left out: nothing moves for that.
    """
    for name, read in zip(EXTENSIONS, (_version_1, _version_0), strict=True):
        found = root.extension(name)
        if found is not None:
            return read(found, nodes, notes)
    return Character()


@contextmanager
def _borne(notes: list[str]) -> Iterator[None]:
    """Note what is damaged and go on behind it."""
    try:
        yield
    except LoadError as error:
        text = f"{error.where}: {error.reason}; that part of the VRM metadata is left out"
        notes.append(text)


def _version_1(place: Cursor, nodes: int, notes: list[str]) -> Character:
    """Read VRMC_vrm 1.0: bones by name."""
    humanoid: dict[int, str] = {}
    with _borne(notes):
        bones = place.need("humanoid").need("humanBones")
        for name in bones.keys():  # noqa: SIM118 - a cursor, not a dict
            with _borne(notes):
                humanoid[bones.need(name).need("node").index(nodes, "node")] = quoted(name)
    return Character(humanoid, _text(place, "name", notes), _text(place, "licenseUrl", notes))


def _version_0(place: Cursor, nodes: int, notes: list[str]) -> Character:
    """Read VRM 0.x: a list of bones; −1 stands for none."""
    humanoid: dict[int, str] = {}
    with _borne(notes):
        listed = place.get("humanoid")
        for bone in [] if listed is None else listed.array("humanBones"):
            with _borne(notes):
                node = bone.need("node")
                if node.integer() >= 0:
                    humanoid[node.index(nodes, "node")] = quoted(bone.need("bone").string())
    licence, other = (_text(place, key, notes) for key in ("licenseName", "otherLicenseUrl"))
    return Character(humanoid, _text(place, "title", notes), f"{licence} {other}".strip())


def _text(place: Cursor, key: str, notes: list[str]) -> str:
    """Return a text of the metadata; empty where there is none, for which some programs write null."""
    text = ""
    with _borne(notes):
        meta = place.get("meta")
        found = None if meta is None else meta.get(key)
        if found is not None and found.value is not None:
            text = quoted(found.string())
    return text
