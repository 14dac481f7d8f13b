"""What a document states beside the rig, and what glTF asks of it once the hierarchy has changed."""

from typing import Any

from rigview.core.rig import Rig


def skeleton(rig: Rig, skin: int) -> int | None:
    """Return the node that a skin names as its skeleton, if it stands above all its joints.

    glTF 2.0, 3.7.3.2: it must be a common root of the joints; it may be left out.
    """
    value = rig.skins[skin]
    root = value.skeleton
    if root is None:
        return None
    below = set(rig.nodes.subtree(root))
    return root if below.issuperset(value.joints) else None


def rehang(scene: Any, old: Rig, new: Rig) -> None:  # noqa: ANN401 - JSON
    """Let a scene list the tops above those of its nodes that are at the top no more.

    Parameters
    ----------
    scene
        The document's object, whose list is changed; what is unsound in it stays.
    """
    listed = scene.get("nodes") if isinstance(scene, dict) else None
    if not isinstance(listed, list):
        return
    tops = {
        node: [node, *new.nodes.ancestors(node)][-1]
        for node, parent in enumerate(old.nodes.parents)
        if parent < 0 and new.nodes.parents[node] >= 0
    }
    shown: list[Any] = []
    for node in listed:
        hung = type(node) is int and node in tops
        above = tops[node] if hung else node
        if not (hung and above in shown):
            shown.append(above)
    scene["nodes"] = shown
