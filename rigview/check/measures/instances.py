"""Nodes that show one mesh on one skin: joints move all of them to the same places."""

from collections.abc import Hashable

from rigview.core.rig import Rig


def repeated_nodes(rig: Rig) -> frozenset[int]:
    """Return the nodes whose skinned mesh another node shows as well, in the same place in every pose.

    Skins that list the same joints with the same inverse bind matrices are one. A node counts by itself
    if a clip animates its morph weights, or if a primitive of its mesh states no influences and so moves
    with it. Of hidden nodes and of shown ones, one each is no repetition.
    """
    animated = {
        channel.node for clip in rig.clips for channel in clip.channels if channel.path == "weights"
    }
    seen: set[Hashable] = set()
    repeated = set()
    for node in rig.scene:
        mesh, skin = rig.node_meshes[node], rig.node_skins[node]
        if mesh is None or skin is None or node in animated:
            continue
        if any(primitive.influences is None for primitive in rig.meshes[mesh].primitives):
            continue
        morphs = rig.node_morph_weights.get(node)
        shape = None if morphs is None else morphs.tobytes()
        place = (mesh, rig.alike[skin], shape, node in rig.hidden)
        if place in seen:
            repeated.add(node)
        seen.add(place)
    return frozenset(repeated)
