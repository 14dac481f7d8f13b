"""What is said of a finding: value against limit, extent, what its fix moves, and the whole as text."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rigview.check.catalogue import BY_ID
from rigview.check.labels import PRIMITIVE
from rigview.check.rule import COUNTED, Finding, Refused, Vertices, count
from rigview.core.arrays import finite
from rigview.core.rig import Part, Rig
from rigview.core.sentence import joined
from rigview.core.text import length_words
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import Measured, outcome_words

# What a rule states whose finding is that something is mirrored: the number says nothing.
_OTHER_SIGN = (-1.0, 0.0)
# What is read of a unit: by what its values are multiplied, and what is written after them.
_ENDINGS = {
    "°": (1.0, "°"),
    "share": (100.0, " %"),
    "m": (1.0, " m"),
    "frames": (1.0, " frames"),
}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Vertices that are listed one by one; all of them are marked on the mesh.
LISTED_VERTICES = 12
# Objects of one finding whose vertices are listed.
LISTED_PLACES = 6


def measured_words(finding: Finding) -> str:
    """Return "34.2° > 15°": value, comparison, limit; or a count where there may be none at all."""
    value, limit, unit = finding.value, finding.limit, finding.unit
    if value is None or limit is None or (value, limit) == _OTHER_SIGN:
        return ""
    if limit == 0 and unit in COUNTED:
        return tr(count(int(value), unit))
    sign = "<" if value < limit else ">"
    # A scale is to be 1, and may be off it either way.
    if unit == "×" and limit == 1.0:
        sign = "≠"
    factor, ending = _written_in(unit, max(abs(value), abs(limit)))
    first, second = apart(factor * value, factor * limit)
    if unit in COUNTED:
        return f"{first} {sign} {tr(count(int(limit), unit))}"
    return f"{first}{ending} {sign} {second}{ending}"


def _written_in(unit: str, largest: float) -> tuple[float, str]:
    """Return by what values of a unit are multiplied to be read, and what is written after them."""
    if unit == "m" and largest < 1.0:
        return 1000.0, " mm"
    return _ENDINGS.get(unit, (1.0, ""))


def apart(value: float, limit: float) -> tuple[str, str]:
    """Return a value and its limit to three digits, or to as many as tell them apart."""
    pairs = [(plain(value, digits), plain(limit, digits)) for digits in (3, 4, 5, 6, 8, 12)]
    return next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1])


def plain(value: float, digits: int = 3) -> str:
    """Return a number to some digits, those far from 1 with a power of ten: "0.058", "2 · 10⁻⁷"."""
    if value == 0.0 or 1e-3 <= abs(value) < 1e5:
        whole = abs(value) >= 10.0**digits
        return (f"{value:.0f}" if whole else f"{value:.{digits}g}").replace("-", "−")
    mantissa, power = f"{value:.{digits - 1}e}".split("e")
    mantissa = f"{float(mantissa):g}".replace("-", "−")
    tens = f"10{str(int(power)).translate(_RAISED)}"
    return tens if mantissa == "1" else f"{mantissa} · {tens}"


def extent_words(finding: Finding) -> str:
    """Return how much a finding concerns: "4 joints", "37 vertices"."""
    if finding.all_vertices:
        return tr(count(_vertex_count(finding), "vertex"))
    return tr(count(len(finding.joints), "joint")) if len(finding.joints) > 1 else finding.object


def _vertex_count(finding: Finding) -> int:
    """Return how many vertices a finding concerns in all its objects."""
    return sum(vertices.count for vertices in finding.all_vertices)


def chosen_words(finding: Finding, fps: float) -> str:
    """Return what choosing a finding selects, and where it goes in time."""
    found = [count(len(finding.joints), "joint")] if finding.joints else []
    if finding.all_vertices:
        found.append(count(_vertex_count(finding), "vertex"))
    words: str = finding.rule
    if found:
        marked = joined(found, "{first} and {rest}")
        words = tr("{rule}: {objects} marked", rule=finding.rule, objects=marked)
    if finding.time is None:
        return words
    frame = "{words}; frame {frame:.4g}, where it is worst"
    made = "{words}; frame {frame:.4g} of a range of motion, which is not in the file, where it is worst"
    template = frame if finding.motion is None else made
    return tr(template, words=words, frame=finding.time * fps)


def place_words(findings: Iterable[Finding]) -> dict[tuple[str, int], str]:
    """Return (rule, key) → what tells a finding from the others of its rule, where there are others.

    That is its object, a primitive by its number alone; where several have objects of the same name,
    the first of clip and joint that differs is added, else a number.
    """
    by_rule: dict[str, list[Finding]] = {}
    for finding in findings:
        by_rule.setdefault(finding.rule, []).append(finding)
    result: dict[tuple[str, int], str] = {}
    for alike in by_rule.values():
        if len(alike) > 1:
            words = _apart(alike)
            result |= {(f.rule, f.key): word for f, word in zip(alike, words, strict=True)}
    return result


def _apart(findings: Sequence[Finding]) -> list[str]:
    """Return words for each finding that no other of them has."""
    more: tuple[Callable[[Finding], str | None], ...] = (lambda f: f.clip, lambda f: f.joint)
    words = [finding.object.replace(PRIMITIVE, " / ") for finding in findings]
    for part in more:
        repeated = {word for word, times in Counter(words).items() if times > 1}
        if not repeated:
            return words
        added = [part(finding) for finding in findings]
        words = [
            f"{word}, {extra}" if word in repeated and extra not in (None, word) else word
            for word, extra in zip(words, added, strict=True)
        ]
    times, seen = Counter(words), Counter[str]()
    numbered = []
    for word in words:
        seen[word] += 1
        numbered.append(f"{word} ({seen[word]})" if times[word] > 1 else word)
    return numbered


def movement_words(finding: Finding, measured: Measured | None) -> tuple[str, str]:
    """Return what the fix moves, and the token of its colour."""
    if finding.fix.kind == "none":
        return "", "text2"
    if measured is None:
        return tr("measuring…"), "text3"
    if isinstance(measured, Refused):
        return tr("not exact here"), "warning"
    if measured.exact:
        return tr("moves 0.000 mm"), "ok"
    return tr("moves ≤ {length}", length=length_words(measured.largest)), "text2"


def tip_words(finding: Finding, measured: Measured | None) -> str:
    """Return what the button of a fix does, and what that moves."""
    label = tr(finding.fix.label)
    if isinstance(measured, Refused):
        return tr("{fix}: not here, {reason}", fix=label, reason=tr(str(measured)))
    words = label if measured is None else f"{label}. {outcome_words(measured)}"
    return words if finding.fix.kind == "exact" else tr("See it first: {fix}", fix=words)


def vertex_words(finding: Finding, rig: Rig) -> str:
    """Return the first vertices of each object, with the name of the joint that moves each most."""
    listed = finding.all_vertices
    lines = [_listed(vertices, rig) for vertices in listed[:LISTED_PLACES]]
    rest = len(listed) - LISTED_PLACES
    return "\n".join([*lines, tr("and {number} more", number=rest)] if rest > 0 else lines)


def _listed(vertices: Vertices, rig: Rig) -> str:
    """Return the first vertices of one primitive, each with a joint's name: "sleeve: 12 (hand_l)"."""
    part = vertices.part
    shown = vertices.ids[:LISTED_VERTICES]
    heaviest = heaviest_joints(rig, part, shown)
    words = [f"{v} ({heaviest[v]})" if v in heaviest else str(v) for v in shown]
    rest = vertices.count - len(shown)
    where = rig.meshes[part.mesh].name or rig.nodes.label(part.node)
    listed = ", ".join(words)
    return f"{where}: {tr('{names} and {left} more', names=listed, left=rest) if rest else listed}"


def heaviest_joints(rig: Rig, part: Part, vertices: Sequence[int]) -> dict[int, str]:
    """Return vertex → the name of the joint that moves it most, for those that any joint moves."""
    influences = rig.primitive(part).influences
    if influences is None or part.skin is None:
        return {}
    joints, chosen = rig.skins[part.skin].joints, list(vertices)
    weights = finite(influences.weights[chosen])
    if not weights.shape[1]:
        return {}
    slot = np.argmax(weights, axis=1)
    rows = np.arange(len(slot))
    heaviest = influences.joints[chosen, slot]
    moved = (weights[rows, slot] > 0.0) & (heaviest >= 0) & (heaviest < len(joints))
    return {chosen[i]: rig.nodes.label(joints[heaviest[i]]) for i in np.flatnonzero(moved)}


def finding_text(finding: Finding, severity: str, rig: Rig) -> str:
    """Return all that is known of a finding as plain text, to be pasted elsewhere."""
    joints = ", ".join(rig.nodes.label(j) for j in finding.joints)
    fix = tr(finding.fix.label)
    if finding.fix.kind == "none":
        fix = tr("none: {reason}", reason=tr(finding.fix.reason))
    place = ""
    if finding.time is not None:
        place = f"{finding.clip or tr('rest pose')}, {finding.time:.3f} s"
        place += "" if finding.motion is None else f" ({tr('not in the file')})"
    lines = (
        ("", f"{tr(severity)}: {tr(BY_ID[finding.rule].title)} ({finding.rule})"),
        ("", tr(finding.message)),
        (tr("Measured"), measured_words(finding)),
        (tr("At"), place),
        (tr("Joints"), joints),
        (tr("Vertices"), vertex_words(finding, rig)),
        ("", tr(finding.explanation)),
        (tr("Fix"), fix),
    )
    return "\n".join(f"{name}: {text}" if name else text for name, text in lines if text)
