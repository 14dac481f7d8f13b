"""The buttons of a finding that are about its weights, beside its fix."""

from dataclasses import dataclass

from rigview.check.applying.curing import CureKind, cure_of
from rigview.check.rule import Finding
from rigview.ui.widgets.words import tr


@dataclass(frozen=True)
class Cure:
    """A button of a finding.

    Parameters
    ----------
    tries
        Whether it tries an edit and previews it; else it only chooses the vertices.
    """

    label: str
    tip: str
    tries: bool = True


_CHOOSE = Cure("Choose the vertices", "Edit their weights in the table, or paint them", tries=False)
_OF_KINDS: dict[CureKind, Cure] = {
    "fill": Cure(
        "Fill by geodesic voxels…",
        "Give these vertices the weights of the bones that are nearest through the body",
    ),
    "hammer": Cure(
        "Smooth from the ring around…",
        "Give these vertices the mean of their neighbours, which do not follow the far joint",
    ),
    "mirror": Cure(
        "Mirror from the better side…",
        "Give both sides the weights of the one that deforms better",
    ),
    "smooth": Cure(
        "Smooth the region…",
        "Smooth what the joint blends with the one above it, by the best of three amounts",
    ),
}
# What is said of all that are tried.
_FIRST = "Shows first what it changes."


def cures_of(finding: Finding) -> tuple[Cure, ...]:
    """Return what can be done about the weights of a finding."""
    kind = cure_of(finding)
    tried = () if kind is None else (_OF_KINDS[kind],)
    chosen = finding.rule.startswith("WGT-") and finding.vertices is not None
    return (*tried, _CHOOSE) if chosen else tried


def cure_tip(cure: Cure) -> str:
    """Return what the tool tip of a cure says."""
    return f"{tr(cure.tip)}. {tr(_FIRST)}" if cure.tries else cure.tip
