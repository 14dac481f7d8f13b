"""A picture of every finding, for reports that show them; drawn without a window."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec
import numpy as np

from rigview.app.worst_panels import WorstPanel, review_of, words
from rigview.check.report import Fact, FileReport
from rigview.check.report.records import Outlook
from rigview.check.rule import Finding
from rigview.check.rules.posed_skin.joint_faults import COMPARED
from rigview.core.arrays import ByteArray, FloatArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.measure_words import said
from rigview.core.measures.worst_poses import Judgement, worst_region
from rigview.core.pose import sample
from rigview.core.rig import Rig
from rigview.core.skinning import ASKED, Options
from rigview.render import image
from rigview.render.camera import Camera
from rigview.render.context import headless
from rigview.render.framing import CORNERS, points_of_interest, visible_points
from rigview.render.gl import GLError
from rigview.render.look import Chosen, Look
from rigview.render.passes import Renderer
from rigview.render.review import Review, draw
from rigview.render.scene import Scene

SIZE = (640, 480)
# Of one that compares methods.
COMPARED_SIZE = (1080, 480)
# Of one of a pose now, or as is advised.
OUTLOOK_SIZE = (420, 400)
# A report of more pictures than this is too large to mail; the rest is told in words.
MOST = 60
# What surrounds a few vertices in their picture, as a share of the rig: less shows nothing known.
_LEAST_SHOWN = 1.0 / 3.0


def illustrated(report: FileReport, rig: Rig, findings: Sequence[Finding]) -> FileReport:
    """Return a report with pictures of each finding, or with the reason why it has none.

    Parameters
    ----------
    findings
        In the order of the report's own.
    """
    if not findings:
        return report
    try:
        with headless():
            drawn = _drawn(rig, findings[:MOST], report.findings)
    except GLError as error:
        return msgspec.structs.replace(report, left_out=(f"Without pictures: {error}.",))
    facts = [*drawn, *report.findings[len(drawn) :]]
    more = len(findings) - MOST
    left_out = (f"Without pictures: {more} findings after the first {MOST}.",) if more > 0 else ()
    return msgspec.structs.replace(report, findings=tuple(facts), left_out=left_out)


def _drawn(rig: Rig, findings: Sequence[Finding], facts: Sequence[Fact]) -> list[Fact]:
    """Return facts with pictures of their findings."""
    renderer, scene = Renderer(), Scene(Deformer(rig))
    try:
        return [
            _with_pictures(renderer, scene, finding, fact)
            for finding, fact in zip(findings, facts, strict=False)
        ]
    finally:
        scene.close()
        renderer.close()


def _with_pictures(renderer: Renderer, scene: Scene, finding: Finding, fact: Fact) -> Fact:
    """Draw the pose in which a finding was made: as it is and as is advised, where anything is."""
    panel = _panel(scene, finding)
    if panel is None:
        return msgspec.structs.replace(fact, picture=_picture(renderer, scene, finding))
    if not finding.advice:
        return msgspec.structs.replace(fact, picture=_compared(renderer, scene, panel))
    return msgspec.structs.replace(fact, outlooks=tuple(_outlooks(renderer, scene, finding, panel)))


def _picture(renderer: Renderer, scene: Scene, finding: Finding) -> bytes:
    """Draw the pose in which a finding was made, its joints or vertices marked, the worst in view."""
    deformer = scene.deformer
    rig = deformer.rig
    frame = deformer.frame(sample(rig, finding.pose_clip(rig), finding.time or 0.0))
    joint = next((j for j in finding.joints if j in rig.joints), None)
    shown = [vertices for vertices in finding.all_vertices if vertices.ids]
    chosen: Chosen = tuple((rig.parts.index(of.part), of.ids) for of in shown)
    look = Look(
        shading="weights" if chosen and joint is not None else "clay",
        joint=joint,
        marked=chosen,
        involved=finding.joints,
        bones=not chosen,
        xray=not chosen and bool(rig.parts),
        axes=not chosen,
        hidden=rig.hidden.difference(vertices.part.node for vertices in finding.all_vertices),
        theme="light",
    )
    camera = Camera().looking("three-quarter")
    points, normal = surroundings(deformer, frame, joint, chosen)
    if normal is not None:
        camera = camera.facing(normal)
    camera = camera.framed(points, SIZE[0] / SIZE[1])
    wanted = Review(("lbs",), camera, look, SIZE, numbers=False, legend=False)
    pixels = draw(renderer, scene, frame, wanted)
    return image.png(pixels, {})


def _panel(scene: Scene, finding: Finding) -> WorstPanel | None:
    """Return the joint that a finding about deformation names, in its pose; None for other findings."""
    deformer = scene.deformer
    rig = deformer.rig
    clip = finding.pose_clip(rig)
    if not finding.under or clip is None or finding.time is None:
        return None
    meter = scene.joint_meter
    pose = meter.pose(deformer.frame(sample(rig, clip, finding.time)))
    methods = tuple(dict.fromkeys((finding.under, *COMPARED)))
    readings = meter.read_all(pose, methods, Options())
    own = [i for i, of in enumerate(meter.regions.each) if of.joint == finding.joints[0]]
    judgement = Judgement((finding.measure,))
    found = [
        worst
        for region in own
        if (worst := worst_region(meter, pose, readings[finding.under], judgement, region))
        is not None
    ]
    if not found:
        return None
    worst = max(found, key=lambda one: one.severity)
    values = {m: float(r.values[worst.measure][worst.region]) for m, r in readings.items()}
    said_of_all = f"{rig.nodes.label(worst.joint)}: {words(worst.measure, values, worst.limit)}"
    return WorstPanel(clip, finding.time, worst.region, finding.under, worst.measure, said_of_all)


def _compared(renderer: Renderer, scene: Scene, panel: WorstPanel) -> bytes:
    """Draw a joint in its worst pose under the methods that are compared, side by side."""
    deformer = scene.deformer
    frame = deformer.frame(sample(deformer.rig, panel.clip, panel.time))
    wanted = review_of(scene.joint_meter, frame, panel, _look(scene), COMPARED_SIZE, COMPARED)
    return image.png(draw(renderer, scene, frame, wanted), {})


def _outlooks(
    renderer: Renderer, scene: Scene, finding: Finding, panel: WorstPanel
) -> Iterator[Outlook]:
    """Draw a joint in its worst pose as it is, and after each advice, from one side."""
    deformer = scene.deformer
    frame = deformer.frame(sample(deformer.rig, panel.clip, panel.time))
    wanted = review_of(
        scene.joint_meter, frame, panel, _look(scene), OUTLOOK_SIZE, (finding.under,)
    )
    wanted = replace(wanted, numbers=False, legend=False, caption="")
    now = f"Now: {ASKED[finding.under].label}"
    yield _outlook(finding, now, finding.value or 0.0, draw(renderer, scene, frame, wanted))
    for advice in finding.advice:
        title = f"As advised: {advice.words}"
        review = replace(wanted, methods=(advice.method,))
        repair = finding.fix.repair if advice.by_fix else None
        if repair is None:
            pixels = draw(renderer, scene, frame, review)
        else:
            pixels = _mended(renderer, repair(deformer.rig), finding, review)
        yield _outlook(finding, title, advice.value, pixels)


def _mended(renderer: Renderer, rig: Rig, finding: Finding, review: Review) -> ByteArray:
    """Draw the pose of a finding in a rig that its fix has been applied to."""
    scene = Scene(Deformer(rig))
    try:
        frame = scene.deformer.frame(sample(rig, finding.pose_clip(rig), finding.time or 0.0))
        return draw(renderer, scene, frame, review)
    finally:
        scene.close()


def _outlook(finding: Finding, title: str, value: float, pixels: ByteArray) -> Outlook:
    limit = finding.limit
    if finding.measure == "volume" and limit is not None:
        # A finding of flesh that swells states the limit above 1.
        limit = min(limit, 2.0 - limit)
    level = MEASURES[finding.measure].level(value, limit)
    return Outlook(title, said(finding.measure, value), level, image.png(pixels, {}))


def _look(scene: Scene) -> Look:
    """Return how a joint is drawn: in heat, without bones."""
    return Look(bones=False, axes=False, hidden=scene.deformer.rig.hidden, theme="light")


def surroundings(
    deformer: Deformer, frame: Frame, joint: int | None, chosen: Chosen
) -> tuple[FloatArray, FloatArray | None]:
    """Return ``(n, 3)`` what shall be in view, so much of the rig that it is known, and where it faces."""
    whole = visible_points(deformer, frame)
    near, normal = points_of_interest(deformer, frame, joint, chosen)
    if not len(near):
        return whole, None
    middle = 0.5 * (near.min(axis=0) + near.max(axis=0))
    around = 0.5 * _LEAST_SHOWN * float(np.ptp(whole, axis=0).max())
    return np.concatenate([near, middle + around * CORNERS]), normal
