"""What commands that set weights have in common: which vertices, and how far replaced ones move."""

from typing import TYPE_CHECKING

from rigview.cli.status import say

if TYPE_CHECKING:
    from rigview.core.arrays import BoolArray
    from rigview.core.rig import Rig
    from rigview.core.weights.displacement import Displacement

# Words that name no mesh.
VERTICES = ("unweighted", "all")


def named(given: str, words: tuple[str, ...]) -> str | tuple[str, ...]:
    """Return a word as it is, and anything else as names, comma-separated."""
    return given if given in words else tuple(name.strip() for name in given.split(","))


def moved_by(
    old: "Rig", new: "Rig", replaced: "dict[tuple[int, int], BoolArray]"
) -> "dict[int, dict[str, Displacement]]":
    """Return mesh → method → how far vertices move whose weights were replaced; none where none were.

    Parameters
    ----------
    replaced
        Mesh and primitive → ``(V,)``.
    """
    from rigview.assets import resource
    from rigview.core.motion.joint_limits import LimitTable
    from rigview.core.motion.range_of_motion import range_of_motion
    from rigview.core.weights.displacement import displacements, telling_poses

    meshes = dict.fromkeys(member[0] for member, picked in replaced.items() if picked.any())
    if not meshes:
        return {}
    motion = range_of_motion(old, LimitTable.of(resource("joint_limits.json")))
    poses = telling_poses(old, motion)
    if not poses:
        return {}
    return {
        mesh: displacements(old, new, poses, {m: v for m, v in replaced.items() if m[0] == mesh})
        for mesh in meshes
    }


def say_moved(name: str, moved: "dict[str, Displacement]") -> None:
    """Print how far the vertices of a mesh move against the weights before."""
    for id_, moves in moved.items():
        said = f"rms {100.0 * moves.rms:.3g} % of the height, p99 {100.0 * moves.p99:.3g} %"
        say(f"{name}: against the weights before, {id_}: {said}")
