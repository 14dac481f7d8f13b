"""A picture of every finding, for reports that show them; drawn without a window."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rigview.check.report import FileReport
from rigview.check.rule import Finding
from rigview.check.rules.joint_faults import COMPARED, LIMITS
from rigview.cli.worst_panels import Panel, review_of, words
from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures.worst_poses import Judgement, worst_region
from rigview.core.pose import sample
from rigview.core.rig import Rig
from rigview.core.skinning import Options
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
# A report of more pictures than this is too large to mail; the rest is told in words.
MOST = 60
# What surrounds a few vertices in their picture, as a share of the rig: less shows nothing known.
_LEAST_SHOWN = 1.0 / 3.0


def illustrated(report: FileReport, rig: Rig, findings: Sequence[Finding]) -> FileReport:
    """Return a report with a picture per finding, or with the reason why it has none.

    Parameters
    ----------
    findings
        In the order of the report's own.
    """
    if not findings:
        return report
    try:
        with headless():
            pictures = _drawn(rig, findings[:MOST])
    except GLError as error:
        return replace(report, left_out=(f"Without pictures: {error}.",))
    facts = [replace(f, picture=p) for f, p in zip(report.findings, pictures, strict=False)]
    facts += report.findings[len(facts) :]
    more = len(findings) - MOST
    left_out = (f"Without pictures: {more} findings after the first {MOST}.",) if more > 0 else ()
    return replace(report, findings=tuple(facts), left_out=left_out)


def _drawn(rig: Rig, findings: Sequence[Finding]) -> list[bytes]:
    renderer, scene = Renderer(), Scene(Deformer(rig))
    try:
        return [_picture(renderer, scene, finding) for finding in findings]
    finally:
        scene.close()
        renderer.close()


def _picture(renderer: Renderer, scene: Scene, finding: Finding) -> bytes:
    """Draw the pose in which a finding was made, its joints or vertices marked, the worst in view."""
    panel = _panel(scene, finding)
    if panel is not None:
        return _compared(renderer, scene, panel)
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


def _panel(scene: Scene, finding: Finding) -> Panel | None:
    """Return the joint that a finding about deformation names, in its pose; None for other findings."""
    measures = tuple(name for name, limit in LIMITS.items() if limit.rule == finding.rule)
    deformer = scene.deformer
    rig = deformer.rig
    clip = finding.pose_clip(rig)
    if not measures or clip is None or finding.time is None:
        return None
    meter = scene.joint_meter
    frame = deformer.frame(sample(rig, clip, finding.time))
    pose = meter.pose(frame)
    readings = meter.read_all(pose, COMPARED, Options())
    own = [i for i, of in enumerate(meter.regions.each) if of.joint == finding.joints[0]]
    found = [
        (worst, method)
        for method, reading in readings.items()
        for region in own
        if (worst := worst_region(meter, pose, reading, Judgement(measures), region)) is not None
    ]
    if not found:
        return None
    worst, method = max(found, key=lambda one: one[0].severity)
    values = {m: float(r.values[worst.measure][worst.region]) for m, r in readings.items()}
    said = f"{rig.nodes.label(worst.joint)}: {words(worst.measure, values, worst.limit)}"
    return Panel(clip, finding.time, worst.region, method, worst.measure, said)


def _compared(renderer: Renderer, scene: Scene, panel: Panel) -> bytes:
    """Draw a joint in its worst pose under the methods that are advised, side by side."""
    deformer = scene.deformer
    frame = deformer.frame(sample(deformer.rig, panel.clip, panel.time))
    look = Look(bones=False, axes=False, hidden=deformer.rig.hidden, theme="light")
    wanted = review_of(scene.joint_meter, frame, panel, look, COMPARED_SIZE, COMPARED)
    return image.png(draw(renderer, scene, frame, wanted), {})


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
