"""Clips of one rig put onto another, joint by joint of the same name."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from rigview.core.clip import Active, Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.motion.fitting import MOST_DEGREES, Misfit, misfits
from rigview.core.rig import Rig
from rigview.core.text import count

# What counts as the same name, the strictest first.
_READINGS: tuple[Callable[[str], str], ...] = (
    lambda name: name,
    lambda name: name.rpartition(":")[2],
    lambda name: name.rpartition(":")[2].casefold(),
)


@dataclass(frozen=True, eq=False)
class Borrowed:
    """A rig with the clips of another.

    Parameters
    ----------
    clips
        The new clips, which are also the last of the rig's.
    unmatched
        The names of nodes that a new clip moves in the other rig and that this one does not have.
    moved
        How many nodes the clips move in the other rig.
    misfits
        The major joints that the clips would turn wrongly, since the rigs rest differently.
    """

    rig: Rig
    clips: tuple[Clip, ...]
    unmatched: tuple[str, ...]
    moved: int
    misfits: tuple[Misfit, ...] = ()

    @property
    def complaint(self) -> str:
        """How far the clips would turn which joint wrongly, in a sentence; empty where they suit."""
        if not self.misfits:
            return ""
        worst, others = self.misfits[0], len(self.misfits) - 1
        more = (
            f" (and {count(others, 'other joint')} by more than {MOST_DEGREES:.0f}°)"
            if others
            else ""
        )
        return (
            f"the rigs rest differently: its clips would turn {self.rig.nodes.label(worst.joint)} "
            f"{worst.degrees:.0f}° away from where it belongs{more}"
        )


def borrow_clips(rig: Rig, other: Rig) -> Borrowed:
    """Return the rig with the clips of another on the nodes of the same name.

    A name is looked for as it is, then without its namespace (``mixamorig:Hips``), then in any case.
    Local transforms are taken over unchanged: `Borrowed.misfits` says where the rigs rest too differently
    for that. Morph weights go to a mesh with as many targets.
    """
    nodes: dict[int, int | None] = {}
    named = _named(rig)
    unmatched: dict[str, None] = {}
    clips: list[Clip] = []
    taken = {clip.name for clip in rig.clips}
    for clip in other.clips:
        channels = []
        for own in clip.active:
            if own.node not in nodes:
                nodes[own.node] = _match(named, other.nodes.names[own.node])
            node = nodes[own.node]
            if node is None or not _fits(rig, node, own):
                unmatched[other.nodes.label(own.node)] = None
                continue
            channels.append(Channel(node, own.path, own.sampler))
        clips.append(Clip(free_name(clip.name, taken), tuple(channels), clip.markers))
        taken.add(clips[-1].name)
    whole = replace(rig, clips=(*rig.clips, *clips))
    pairs = {node: _match(named, other.nodes.names[node]) for node in {*other.joints, *nodes}}
    turned = {own.node for clip in other.clips for own in clip.active if own.path == "rotation"}
    alike = {node: own for node, own in pairs.items() if own is not None}
    found = misfits(Deformer(rig), Deformer(other), alike, turned)
    return Borrowed(whole, tuple(clips), tuple(unmatched), len(nodes), found)


def _named(rig: Rig) -> list[dict[str, int]]:
    """Return per reading what a node is called → the first such node, a joint before any other."""
    order = dict.fromkeys((*rig.joints, *range(len(rig.nodes))))
    result: list[dict[str, int]] = [{} for _ in _READINGS]
    for node in order:
        for reading, found in zip(_READINGS, result, strict=True):
            found.setdefault(reading(rig.nodes.names[node]), node)
    return result


def _match(named: list[dict[str, int]], name: str) -> int | None:
    """Return the node of the same name."""
    for reading, found in zip(_READINGS, named, strict=True):
        wanted = reading(name)
        if wanted and wanted in found:
            return found[wanted]
    return None


def _fits(rig: Rig, node: int, channel: Active) -> bool:
    if channel.path != "weights":
        return True
    mesh = rig.node_meshes[node]
    width = channel.sampler.keys.shape[1]
    return mesh is not None and len(rig.meshes[mesh].morph_weights) == width


def free_name(name: str, taken: set[str]) -> str:
    """Return a name that no clip has yet."""
    number, free = 2, name
    while free in taken:
        free = f"{name} ({number})"
        number += 1
    return free
