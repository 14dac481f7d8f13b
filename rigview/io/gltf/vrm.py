"""What a VRM says of its character: which node is which bone of a body, its title and its licence."""

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
    extensions = root.get("extensions")
    if extensions is None:
        return Character()
    for name, read in zip(EXTENSIONS, (_version_1, _version_0), strict=True):
        found = extensions.get(name)
        if found is not None:
            try:
                return read(found, nodes)
            except LoadError as error:
                notes.append(f"{error.where}: {error.reason}; the VRM metadata are left out")
    return Character()


def _version_1(place: Cursor, nodes: int) -> Character:
    """Read VRMC_vrm 1.0: bones by name."""
    humanoid: dict[int, str] = {}
    bones = place.need("humanoid").need("humanBones")
    for name in bones.keys():  # noqa: SIM118 - a cursor, not a dict
        humanoid[bones.need(name).need("node").index(nodes, "node")] = quoted(name)
    meta = place.get("meta")
    return Character(humanoid, _text(meta, "name"), _text(meta, "licenseUrl"))


def _version_0(place: Cursor, nodes: int) -> Character:
    """Read VRM 0.x: a list of bones; −1 stands for none."""
    humanoid: dict[int, str] = {}
    listed = place.get("humanoid")
    for bone in [] if listed is None else listed.array("humanBones"):
        node = bone.need("node").integer()
        if node >= 0:
            humanoid[bone.need("node").index(nodes, "node")] = quoted(bone.need("bone").string())
    meta = place.get("meta")
    licence = _text(meta, "licenseName")
    other = _text(meta, "otherLicenseUrl")
    return Character(humanoid, _text(meta, "title"), f"{licence} {other}".strip())


def _text(place: Cursor | None, key: str) -> str:
    found = None if place is None else place.get(key)
    return "" if found is None else quoted(found.string())
