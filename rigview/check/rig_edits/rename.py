"""Other names for nodes, none of them twice."""

from dataclasses import replace

from rigview.check.rule import Refused
from rigview.core.rig import Rig


def renamed(rig: Rig, new: dict[int, str]) -> Rig:
    """Give nodes other names; what refers to them follows, since that goes by their numbers.

    Parameters
    ----------
    new
        Node → its new name.

    Raises
    ------
    Refused
        If two nodes would have one name that did not before.
    """
    names = list(rig.nodes.names)
    stays = {name: node for node, name in enumerate(names) if node not in new}
    given: dict[str, int] = {}
    for node, name in new.items():
        other = stays.get(name, given.get(name))
        if other is not None:
            raise Refused(f"{rig.nodes.label(node)} would be {name}, as {_which(rig, other)} is")
        given[name] = node
        names[node] = name
    return replace(rig, nodes=replace(rig.nodes, names=tuple(names))).made_of(rig)


def _which(rig: Rig, node: int) -> str:
    kind = "joint" if node in set(rig.joints) else "node"
    return f"another {kind}, {rig.nodes.label(node)},"
