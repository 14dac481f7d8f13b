"""The words about a joint that deforms badly: what, where, what it means and which method helps."""

import numpy as np

from rigview.check.labels import clip_label
from rigview.check.rule import Advice, Subject, count
from rigview.check.rules.posed_skin.joint_faults import (
    BULGE,
    COLLAPSE,
    FLIPS,
    INTERSECT,
    LIMITS,
    STRETCH,
    VOLUME,
    JointFault,
    Remedy,
)
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.measure_words import limit_said, said
from rigview.core.skinning import ASKED

# What a rule says of a joint: {0} is the joint, {1} the value.
_SAYS = {
    "collapse": "loses {1} of the width of {0}",
    "bulge": "bulges {0} by {1} of its radius",
    "volume": "changes the volume about {0} by {1}",
    "stretch": "stretches the skin of {0} {1}",
    "compression": "squeezes edges of {0} to {1} of their length",
    "area": "makes faces of {0} grow {1}",
    "flips": "turns {1} of the skin of {0} inside out",
    "intersection": "lets {1} of the faces of {0} cross one another",
}
_MEANS = {
    COLLAPSE.rule: "The limb pinches.",
    BULGE.rule: "The outer side of the bend stands out further than at bind.",
    VOLUME.rule: "The flesh about the joint shrinks or swells, which no limb does.",
    STRETCH.rule: "Textures smear and shading breaks where skin is pulled long or squeezed flat. Stray "
    "weights and missing joints do that, too.",
    FLIPS.rule: "The surface folds over: dark or missing patches, mostly at the inside of a bend.",
    INTERSECT.rule: "Skin goes through skin: textures and shadows break where it does.",
}
# What a method does that leads there.
_SINCE = {
    (
        COLLAPSE.rule,
        "lbs",
    ): " Blended matrices lose its cross-section where a joint twists or bends far.",
    (BULGE.rule, "dqs"): " Blended rotations move the skin on a circle about the joint.",
}


def meaning(fault: JointFault) -> str:
    """Return what a fault means for those who see it, and what of its method leads there."""
    rule = LIMITS[fault.worst.measure].rule
    return _MEANS[rule] + _SINCE.get((rule, fault.worst.method), "")


def under_each_method(fault: JointFault, words: str) -> str:
    """Return words about a fault, followed by the value under each other method."""
    worst = fault.worst
    others = [
        f"{ASKED[name].label} {value_words(worst.measure, values[worst.measure])}"
        for name, values in fault.values.items()
        if name != worst.method
    ]
    return ", ".join([words, *others])


def beside(fault: JointFault) -> str:
    """Return a sentence about the other measures that are beyond their limits; empty for none."""
    others = [
        f"{MEASURES[name].title.lower()} {said(name, fault.values[fault.worst.method][name])}"
        for name in fault.beside
    ]
    return f" Beyond their limits there, too: {', '.join(others)}." if others else ""


def limit_crossed(measure: str, value: float, limit: float) -> float:
    """Return the limit that a value is beyond: of a volume that grows it lies above 1."""
    return 2.0 - limit if measure == "volume" and value > 1.0 else limit


def says_of(subject: Subject, fault: JointFault) -> str:
    """Return "LBS loses 86 % of the width of hand_l"."""
    worst = fault.worst
    words = says(worst.measure, worst.value, subject.rig.nodes.label(worst.joint))
    return f"{ASKED[worst.method].label} {words}"


def says(measure: str, value: float, joint: str) -> str:
    """Return what a value of a measure says of a joint: "loses 86 % of the width of hand_l"."""
    if measure == "volume" and value < 0.0:
        return f"turns the flesh about {joint} inside out (volume {said(measure, value)})"
    return _SAYS[measure].format(joint, value_words(measure, value))


def value_words(measure: str, value: float) -> str:
    """Return a value without the sign that the sentence tells."""
    words = said(measure, value)
    return words if measure == "volume" else words.lstrip("−+")


def where(subject: Subject, fault: JointFault) -> str:
    """Return "at 0.50 s in Walk and at least 2 more clips (twisted by 170°, bent by 0°)"."""
    rig, worst = subject.rig, fault.worst
    fps = rig.origin.fps
    time = f"{worst.time:.2f} s"
    at = f"frame {worst.time * fps:.0f} ({time})" if fps else time
    # Of long clips few poses are measured: others may be beyond the limit, too.
    more = f" and at least {count(fault.more, 'more clip')}" if fault.more else ""
    bend, twist = np.degrees(worst.turn.bend), np.degrees(abs(worst.turn.twist))
    turn = [f"twisted by {twist:.0f}°", f"bent by {bend:.0f}°"]
    turn = turn if fault.twists else turn[::-1]
    return f"at {at} in {clip_label(rig, worst.clip)}{more} ({', '.join(turn)})"


def method_advice(fault: JointFault) -> tuple[tuple[Advice, ...], list[str]]:
    """Return the method that helps a joint, and the same in words; nothing where none does."""
    if not fault.methods_that_help:
        return (), []
    method, remedy = fault.methods_that_help[0]
    what = f"use {ASKED[method].label}"
    return (Advice(what, method, remedy.value),), [f"{what}{drawback(fault, remedy)}"]


def none_helps(names: list[str]) -> str:
    """Say that none of the methods that were compared helps."""
    if not names:
        return "no other method was compared"
    if len(names) == 1:
        return f"{names[0]} does not make it half as bad"
    return f"neither {' nor '.join(names)} makes it half as bad"


def drawback(fault: JointFault, remedy: Remedy) -> str:
    """Return what else a remedy takes across its limit."""
    name = remedy.crossed
    if not name:
        return ""
    limit = limit_said(name, fault.limits[name])
    value = said(name, remedy.crossed_value)
    return f", though {MEASURES[name].title.lower()} is {value} then (limit {limit})"
