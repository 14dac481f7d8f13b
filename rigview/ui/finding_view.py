"""The chosen finding in the window: what it is about is selected, and seen where and when it is worst."""

from rigview.check.catalogue import BY_ID
from rigview.check.rule import Finding
from rigview.core.clip import Clip
from rigview.render.look import OVERLAYS
from rigview.ui.dock_layout import Arrangement
from rigview.ui.panels.finding_words import chosen_words
from rigview.ui.workbench import Workbench
from rigview.ui.workers.cures import Cure
from rigview.ui.workers.restoring import view_of_finding


class FindingView:
    """Shows the chosen finding, and takes back what it asked for when another is chosen, or none."""

    def __init__(self, bench: Workbench, arrangement: Arrangement) -> None:
        self._bench, self._arrangement = bench, arrangement
        # Of shading, weights and overlays: what the chosen finding asks for, and what was on before it.
        self._asked: dict[str, tuple[object, object]] = {}
        # The range of motion that the chosen finding is in.
        self._motion: Clip | None = None

    def show(self, finding: Finding | None) -> None:
        """Select what a finding is about, and go to where and when it is worst."""
        with self._bench.plots.drawn_once():
            self._show(finding)

    def _show(self, finding: Finding | None) -> None:
        bench = self._bench
        rig, state = bench.document.rig, bench.state
        # What a finding asked for goes with it, unless the user has taken another.
        now = state.value
        left = {k: old for k, (asked, old) in self._asked.items() if getattr(now, k) == asked}
        state.update(**left)
        self._asked = {}
        if self._motion is not None:
            bench.stage.end_rehearsal(self._motion)
        self._motion = finding.motion if finding is not None else None
        if finding is None or rig is None:
            state.update(marked=(), involved=())
            bench.plots.follow("")
            return
        self._arrangement.make_room_for_finding()
        view = view_of_finding(finding, rig)
        self._asked = {
            name: (view[name], getattr(state.value, name))
            for name in ("shading", "measure", "weights", *OVERLAYS)
            if name in view
        }
        if finding.all_vertices:
            shown = {vertices.part.node for vertices in finding.all_vertices}
            view["hidden"] = state.value.hidden - shown
        state.update(**view)
        if finding.motion is not None and finding.time is not None:
            bench.stage.rehearse(finding.motion, finding.time)
        seen = finding.measure and bench.worst_view.look_at(finding.joints[0], finding.measure)
        if not seen:
            bench.panes.frame_marked()
        bench.plots.follow(BY_ID[finding.rule].plot)
        bench.status.say(chosen_words(finding, state.value.fps), undoable=False)

    def cure(self, finding: Finding, cure: Cure) -> None:
        """Choose the vertices of a finding, or try what may cure it."""
        bench = self._bench
        if bench.document.rig is None:
            return
        if cure.tries:
            bench.curer.attempt(finding)
            return
        vertices = view_of_finding(finding, bench.document.rig)["marked"]
        bench.state.update(chosen=vertices, shading="weights")
        bench.vertex_table.set_wanted(wanted=True)
