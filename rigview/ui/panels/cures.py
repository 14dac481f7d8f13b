"""What hands can do about the vertices of a finding, beside its fix: an action of the menu Weights."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cure:
    """A button of a finding.

    Parameters
    ----------
    action
        The action that is done once the finding's vertices are chosen; empty only chooses them.
    """

    label: str
    tip: str
    action: str = ""


_CHOOSE = Cure("Choose the vertices", "Edit their weights in the table, or paint them")
_CURES: dict[str, Cure] = {
    "WGT-ZERO": Cure(
        "Fill by geodesic voxels",
        "Give these vertices the weights of the bones that are nearest through the body",
        "fill_weights",
    ),
    "WGT-STRAY": Cure(
        "Smooth from the ring around",
        "Give these vertices the mean of their neighbours, which do not follow the far joint",
        "hammer",
    ),
}


def cures_of(rule: str) -> tuple[Cure, ...]:
    """Return what can be done about the vertices of a rule's finding."""
    if not rule.startswith("WGT-"):
        return ()
    return (_CURES[rule], _CHOOSE) if rule in _CURES else (_CHOOSE,)
