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
from rigview.core.sentence import Sentence, joined
from rigview.core.skinning import ASKED

# What a rule says of a joint under a method.
_SAYS = {
    "collapse": "{method} loses {value} of the width of {joint}",
    "bulge": "{method} bulges {joint} by {value} of its radius",
    "volume": "{method} changes the volume about {joint} by {value}",
    "stretch": "{method} stretches the skin of {joint} {value}",
    "compression": "{method} squeezes edges of {joint} to {value} of their length",
    "area": "{method} makes faces of {joint} grow {value}",
    "flips": "{method} turns {value} of the skin of {joint} inside out",
    "intersection": "{method} lets {value} of the faces of {joint} cross one another",
}
_INVERTED = "{method} turns the flesh about {joint} inside out (volume {value})"
_MEANS = {
    COLLAPSE.rule: "The limb pinches.",
    BULGE.rule: "The outer side of the bend stands out further than at bind.",
    VOLUME.rule: "The flesh about the joint shrinks or swells, which no limb does.",
    STRETCH.rule: "Textures smear and shading breaks where skin is pulled long or squeezed flat. Stray "
    "weights and missing joints do that, too.",
    FLIPS.rule: "The surface folds over: dark or missing patches, mostly at the inside of a bend.",
    INTERSECT.rule: "Skin goes through skin: textures and shadows break where it does.",
}
_ONE_AFTER_ANOTHER = "{first} {rest}"
# What a method does that leads there.
_SINCE = {
    (
        COLLAPSE.rule,
        "lbs",
    ): "Blended matrices lose its cross-section where a joint twists or bends far.",
    (BULGE.rule, "dqs"): "Blended rotations move the skin on a circle about the joint.",
}


def meaning(fault: JointFault) -> str:
    """Return what a fault means for those who see it, and what of its method leads there."""
    rule = LIMITS[fault.worst.measure].rule
    means = Sentence(_MEANS[rule])
    since = _SINCE.get((rule, fault.worst.method))
    return joined([means, Sentence(since)], _ONE_AFTER_ANOTHER) if since else means


def under_each_method(fault: JointFault, words: str) -> str:
    """Return words about a fault, followed by the value under each other method."""
    worst = fault.worst
    others: list[str] = [
        f"{ASKED[name].label} {value_words(worst.measure, values[worst.measure])}"
        for name, values in fault.values.items()
        if name != worst.method
    ]
    return joined([words, *others], "{first}, {rest}")


def beside(fault: JointFault) -> str:
    """Return a sentence about the other measures that are beyond their limits; empty for none."""
    values = fault.values[fault.worst.method]
    others = [
        Sentence("{measure} {value}", measure=measure_named(name), value=said(name, values[name]))
        for name in fault.beside
    ]
    if not others:
        return ""
    measures = joined(others, "{first}, {rest}")
    return Sentence("Beyond their limits there, too: {measures}.", measures=measures)


def measure_named(name: str) -> Sentence:
    """Return what a measure is called within a sentence."""
    return Sentence(MEASURES[name].title.lower())


def limit_crossed(measure: str, value: float, limit: float) -> float:
    """Return the limit that a value is beyond: of a volume that grows it lies above 1."""
    return 2.0 - limit if measure == "volume" and value > 1.0 else limit


def says_of(subject: Subject, fault: JointFault) -> str:
    """Return "LBS loses 86 % of the width of hand_l"."""
    worst = fault.worst
    joint, method = subject.rig.nodes.label(worst.joint), ASKED[worst.method].label
    return says(worst.measure, worst.value, joint, method)


def says(measure: str, value: float, joint: str, method: str) -> str:
    """Return what a value of a measure says of a joint: "LBS loses 86 % of the width of hand_l"."""
    inverted = measure == "volume" and value < 0.0
    template = _INVERTED if inverted else _SAYS[measure]
    return Sentence(template, joint=joint, method=method, value=value_words(measure, value))


def value_words(measure: str, value: float) -> str:
    """Return a value without the sign that the sentence tells."""
    words = said(measure, value)
    return words if measure == "volume" else words.lstrip("−+")


def where(subject: Subject, fault: JointFault) -> str:
    """Return "at 0.50 s in Walk and at least 2 more clips (twisted by 170°, bent by 0°)"."""
    rig, worst = subject.rig, fault.worst
    fps = rig.origin.fps
    time = f"{worst.time:.2f} s"
    at: str = time
    if fps:
        at = Sentence("frame {frame:.0f} ({time})", frame=worst.time * fps, time=time)
    # Of long clips few poses are measured: others may be beyond the limit, too.
    clips: str = clip_label(rig, worst.clip)
    if fault.more:
        more = count(fault.more, "more clip")
        clips = Sentence("{clip} and at least {clips}", clip=clips, clips=more)
    bend, twist = np.degrees(worst.turn.bend), np.degrees(abs(worst.turn.twist))
    turn = [
        Sentence("twisted by {twist:.0f}°", twist=twist),
        Sentence("bent by {bend:.0f}°", bend=bend),
    ]
    turn = turn if fault.twists else turn[::-1]
    turned = joined(turn, "{first}, {rest}")
    return Sentence("at {at} in {clips} ({turned})", at=at, clips=clips, turned=turned)


def method_advice(fault: JointFault) -> tuple[tuple[Advice, ...], list[str]]:
    """Return the method that helps a joint, and the same in words; nothing where none does."""
    if not fault.methods_that_help:
        return (), []
    method, remedy = fault.methods_that_help[0]
    what = Sentence("use {method}", method=ASKED[method].label)
    return (Advice(what, method, remedy.value),), [what + drawback(fault, remedy)]


def none_helps(names: list[str]) -> str:
    """Say that none of the methods that were compared helps."""
    if not names:
        return Sentence("no other method was compared")
    if len(names) == 1:
        return Sentence("{method} does not make it half as bad", method=names[0])
    methods = joined(names, "{first} nor {rest}")
    return Sentence("neither {methods} makes it half as bad", methods=methods)


def drawback(fault: JointFault, remedy: Remedy) -> str:
    """Return what else a remedy takes across its limit."""
    name = remedy.crossed
    if not name:
        return ""
    limit = limit_said(name, fault.limits[name])
    value = said(name, remedy.crossed_value)
    return Sentence(
        ", though {measure} is {value} then (limit {limit})",
        measure=measure_named(name),
        value=value,
        limit=limit,
    )
