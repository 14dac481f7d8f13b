"""The review page of a rig: its panes, clips, findings and worst poses in one HTML file."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview import __version__
from rigview.check.run import Report
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.joint_scan import ClipScan, JointPlan, JointScan, scan_joints
from rigview.core.measures.measure_words import limit_said, said
from rigview.core.measures.side_view import side_view
from rigview.core.measures.worst_poses import WorstPose, worst_over_clip, worst_poses
from rigview.core.pose import sample
from rigview.core.review_notes import ReviewNote, ReviewNotes
from rigview.core.skinning import ASKED, DEFAULT_PANES, Options
from rigview.core.stance import front
from rigview.core.text import one_line
from rigview.io.review_notes import stated
from rigview.render.camera import Camera
from rigview.render.framing import reach, visible_points, watching
from rigview.render.heat import heats
from rigview.render.page.blocks import Row, block
from rigview.render.page.html import page
from rigview.render.page.rig import PageRig
from rigview.render.scalars import DIFFERENCE_RANGE

# Worst poses of a page: their heat takes room.
MOST_WORST = 14
# Width over height of the panes that the first view is made for: three side by side.
_ASPECT = 0.55
Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class PagePlan:
    """What a page has.

    Parameters
    ----------
    file
        The name it states.
    clips
        Those of the rig that it carries; without any there is the rest pose.
    report
        What a check found; None where none was made.
    review
        The notes that stand beside the rig.
    worst
        Whether the clips are searched for the worst poses, which takes longest.
    scan
        What that search finds, of these clips, methods and options, where it is known.
    """

    file: str
    clips: tuple[Clip, ...]
    rate: float
    methods: tuple[str, ...] = DEFAULT_PANES
    options: Options = field(default_factory=Options)
    report: Report | None = None
    date: str = ""
    review: ReviewNotes = field(default_factory=ReviewNotes)
    worst: bool = True
    scan: JointScan | None = None


def review_page(
    deformer: Deformer, plan: PagePlan, progress: Progress | None = None, *, extra: str = ""
) -> str:
    """Return the page as HTML."""
    tell = progress or (lambda _text, _share: None)
    rig = PageRig(deformer, plan.methods, plan.options, plan.rate, plan.clips)
    packed: dict[str, str] = {}
    tables: dict[str, list[Row]] = {}
    parts, arrays = rig.parts()
    packed["mesh"], tables["mesh"] = block(arrays, frozenset())
    clips = []
    wanted: Sequence[Clip | None] = plan.clips or (None,)
    for i, clip in enumerate(wanted):
        tell("packing clips", 0.4 * i / len(wanted))
        row, arrays = rig.clip(clip)
        name = f"clip-{i}"
        packed[name], tables[name] = block(arrays, frozenset(arrays))
        clips.append({"name": _label(deformer, clip), "worst": {}, **row})
    worst, heat = _worst(rig, plan, clips, lambda text, share: tell(text, 0.4 + 0.5 * share))
    if heat:
        packed["heat"], tables["heat"] = block(heat, frozenset())
    manifest = {
        "version": __version__,
        "file": one_line(plan.file),
        "date": plan.date,
        "size": deformer.size,
        "camera": _framed(deformer, plan.clips),
        "difference": DIFFERENCE_RANGE * deformer.size,
        "entries": rig.entries,
        "methods": [{**rig.methods_of_parts(m), "label": ASKED[m].label} for m in plan.methods],
        "parts": [{**row, "name": one_line(row["name"])} for row in parts],
        "joints": _joints(deformer),
        "clips": clips,
        "worst": worst,
        "findings": [] if plan.report is None else _findings(deformer, plan, plan.report, rig),
        "checked": None if plan.report is None else plan.report.profile.name,
        "rate": plan.rate,
        "rest": not plan.clips,
        "review": [_noted(note) for note in plan.review.each],
        "blocks": tables,
    }
    return page(manifest, packed, extra=extra)


def _noted(note: ReviewNote) -> dict[str, Any]:
    """Return a note as the page has its own, with the page's names of clip and joint."""
    named = {
        key: one_line(name)
        for key, name in (("clip", note.clip), ("joint", note.joint))
        if name is not None
    }
    return {**stated(note), **named}


def _label(deformer: Deformer, clip: Clip | None) -> str:
    if clip is None:
        return "Rest pose"
    return one_line(deformer.rig.clip_names[deformer.rig.clips.index(clip)])


def _framed(deformer: Deformer, clips: Sequence[Clip]) -> dict[str, Any]:
    """Return the camera that shows the first clip where it begins and in its middle, else the rest pose."""
    frames = [deformer.rest]
    if clips:
        times = (clips[0].start, 0.5 * (clips[0].start + clips[0].end))
        frames = [deformer.frame(sample(deformer.rig, clips[0], time)) for time in times]
    points = np.concatenate([visible_points(deformer, frame) for frame in frames])
    camera = Camera().looking("three-quarter", front(deformer))
    framed = camera.framed(points, _ASPECT, reach(deformer, deformer.rest, points))
    return {**_camera(framed), "framed": _ASPECT}


def _camera(camera: Camera) -> dict[str, Any]:
    target, distance, yaw, pitch = camera.target, camera.distance, camera.yaw, camera.pitch
    return {
        "target": target,
        "distance": distance,
        "yaw": yaw,
        "pitch": pitch,
        "reach": camera.reach,
    }


def _joints(deformer: Deformer) -> list[dict[str, Any]]:
    """Return the joints as the skeleton numbers them, with their parents and their places depth first."""
    skeleton, nodes = deformer.skeleton, deformer.rig.nodes
    children: dict[int, list[int]] = {}
    for place, parent in enumerate(skeleton.parents.tolist()):
        children.setdefault(parent, []).append(place)
    order: dict[int, int] = {}
    depth, stack = {-1: -1}, children.get(-1, [])[::-1]
    while stack:
        place = stack.pop()
        order[place] = len(order)
        depth[place] = depth[int(skeleton.parents[place])] + 1
        stack += children.get(place, [])[::-1]
    return [
        {"name": one_line(nodes.label(joint)), "order": order[place], "depth": depth[place]}
        for place, joint in enumerate(skeleton.joints.tolist())
    ]


def _findings(
    deformer: Deformer, plan: PagePlan, report: Report, rig: PageRig
) -> list[dict[str, Any]]:
    """Return the findings, the worst first, with joint, clip and frame as numbers."""
    places, rows = deformer.skeleton.places, []
    for finding in report.ranked():
        if report.is_note(finding):
            continue
        clip = finding.pose_clip(deformer.rig) if finding.motion is None else None
        number = next((i for i, own in enumerate(plan.clips) if own is clip), None)
        frame = None
        if number is not None and finding.time is not None:
            times, rate = rig.frames(plan.clips[number])
            frame = min(
                max(round((finding.time - plan.clips[number].start) * rate), 0), len(times) - 1
            )
        joint = next((places[j] for j in finding.joints if j in places), None)
        rows.append(
            {
                "severity": report.severity(finding),
                "rule": finding.rule,
                "title": report.rule(finding).title,
                "message": one_line(finding.message),
                "object": one_line(finding.object),
                "joint": joint,
                "clip": number,
                "frame": frame,
            }
        )
    return rows


def _worst(
    rig: PageRig, plan: PagePlan, clips: list[dict[str, Any]], tell: Progress
) -> tuple[list[dict[str, Any]], dict[str, NDArray[np.generic]]]:
    """Return the worst poses with their heat, and enter each clip's worst region by frame."""
    deformer = rig.deformer
    meter = JointMeter(deformer) if plan.scan is None else plan.scan.meter
    if not plan.worst or not plan.clips or not deformer.skins or not len(meter.regions):
        return [], {}
    scan = plan.scan
    if scan is None:
        scan = scan_joints(meter, plan.clips, JointPlan(plan.methods, plan.options), progress=tell)
    for one in scan.each:
        for method in plan.methods:
            clips[one.clip]["worst"][method] = _curve(scan, one, method, clips[one.clip])
    found: dict[tuple[int, int], WorstPose] = {}
    for worst in worst_poses(scan):
        found.setdefault((worst.joint, worst.clip), worst)
    rows: list[dict[str, Any]] = []
    heat: dict[str, NDArray[np.generic]] = {}
    for number, worst in enumerate(list(found.values())[:MOST_WORST]):
        row, own = _worst_pose(rig, meter, plan, worst)
        rows.append(row)
        heat |= {f"{number}-{name}": array for name, array in own.items()}
    return rows, heat


def _curve(scan: JointScan, one: ClipScan, method: str, clip: dict[str, Any]) -> list[list[Any]]:
    """Return [frame, severity, joint, words, level] of the worst region where the clip was measured."""
    deformer, rows = scan.meter.deformer, []
    for time, (region, measure, value, severity) in zip(
        one.times.tolist(), worst_over_clip(scan, one, method), strict=True
    ):
        frame = round((time - clip["start"]) * clip["rate"], 2)
        if region < 0:
            rows.append([frame, 0.0, -1, "", "fine"])
            continue
        joint = deformer.skeleton.places.get(scan.meter.regions.each[region].joint, -1)
        level = MEASURES[measure].level(value)
        rows.append([frame, round(severity, 2), joint, said(measure, value), level])
    return rows


def _worst_pose(
    rig: PageRig, meter: JointMeter, plan: PagePlan, worst: WorstPose
) -> tuple[dict[str, Any], dict[str, NDArray[np.generic]]]:
    """Return a worst pose, and how far each vertex has gone to the limit in it, 0 to 255, by method."""
    deformer, clip = rig.deformer, plan.clips[worst.clip]
    times, rate = rig.frames(clip)
    number = min(max(round((worst.time - clip.start) * rate), 0), len(times) - 1)
    frame = deformer.frame(sample(deformer.rig, clip, times[number]))
    skinned = deformer.skin_all(frame, ASKED[worst.method], plan.options)
    view = side_view(meter, meter.pose(frame), worst.region, meter.skin.posed(skinned))
    shown = heats(meter, frame, plan.methods, plan.options, worst.measure)
    measure = MEASURES[worst.measure]
    row = {
        "joint": deformer.skeleton.places.get(worst.joint, -1),
        "clip": worst.clip,
        "frame": number,
        "method": worst.method,
        "measure": measure.title,
        "value": said(worst.measure, worst.value),
        "limit": limit_said(worst.measure, worst.limit),
        "level": worst.level,
        "severity": round(worst.severity, 3),
        "bend": round(math.degrees(worst.turn.bend)),
        "twist": round(abs(math.degrees(worst.turn.twist))),
        "values": {m: [said(worst.measure, v), measure.level(v)] for m, v in worst.values.items()},
        "camera": _camera(watching(view, Camera(reach=float(deformer.size)), 1.0)),
    }
    heat: dict[str, NDArray[np.generic]] = {
        f"{method}-{part}": np.rint(255.0 * values).astype(np.uint8)
        for method, parts in shown.items()
        for part, values in enumerate(parts)
    }
    return row, heat
