"""Other names for nodes, none of them twice."""

from dataclasses import replace

from rigview.check.rule import Refused
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence


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
            raise Refused(
                Sentence(
                    "{joint} would be {name}, as {other} is",
                    joint=rig.nodes.label(node),
                    name=name,
                    other=_which(rig, other),
                )
            )
        given[name] = node
        names[node] = name
    return replace(rig, nodes=replace(rig.nodes, names=tuple(names))).made_of(rig)


def _which(rig: Rig, node: int) -> str:
    kind = "joint" if node in set(rig.joints) else "node"
    return Sentence("another {kind}, {joint},", kind=kind, joint=rig.nodes.label(node))
