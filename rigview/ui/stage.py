"""What is on show: the document's rig in the state's pose, or a preview in its stead."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from rigview.core import quat
from rigview.core.clip import Clip
from rigview.core.corrective import driven, with_morphs
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures.shape_metrics import HeaderFigures, ShapeMeter
from rigview.core.mesh import Weights
from rigview.core.motion.trail import Trail, trails
from rigview.core.pose import Pose, sample
from rigview.core.rig import Rig
from rigview.core.skinning import ASKED, Method
from rigview.io import Loaded
from rigview.render.look import COMPARING, Chosen, Look
from rigview.ui.comparison import ComparedPane, SecondRig
from rigview.ui.document import Document
from rigview.ui.jobs import Jobs, Latest, Progress
from rigview.ui.view_state import PlayRange, State, ViewState
from rigview.ui.widgets.words import tr

_POSE_FIELDS = ("clip", "time", "trial", "morphs", "correctives", "weights")
_SHAPE_FIELDS = (*_POSE_FIELDS, "methods", "options")


class Stage(QObject):
    """Derives the frame to draw from document and view state.

    `rig_changed` says that another rig is shown, and so another pose; `pose_changed` that the same
    rig is in another pose; `measured` that the panes' numbers are new; `prepared` that a method can be
    shown that was being computed.
    """

    rig_changed = Signal()
    pose_changed = Signal()
    measured = Signal()
    prepared = Signal()

    def __init__(self, document: Document, state: State, jobs: Jobs) -> None:
        super().__init__()
        self._document, self._state = document, state
        self._preview: Deformer | None = None
        # A pose to show, and the file that it is of: another may have been opened since.
        self._rehearsed: tuple[Loaded | None, tuple[Clip, float]] | None = None
        self._guest: SecondRig | None = None
        self._read_guest: tuple[SecondRig, Weights, SecondRig] | None = None
        self._guest_frame: Frame | None = None
        self._posed: tuple[Deformer, Frame] | None = None
        # Per rig the clip and the frame rate, and the ways of its roots.
        self._ways: dict[Deformer, tuple[tuple[int, float], tuple[Trail, ...]]] = {}
        self._meter: ShapeMeter | None = None
        self._shapes: dict[str, HeaderFigures] = {}
        self._measuring = Latest(jobs, "measuring", self._take_shapes)
        self._jobs = jobs
        self._preparing: set[str] = set()
        document.changed.connect(self._document_is_new)
        state.changed.connect(self._state_is_new)

    @property
    def deformer(self) -> Deformer | None:
        """The rig on show: the preview if there is one, else the document's; its weights as is wanted."""
        shown = self._preview or self._document.deformer
        return None if shown is None else shown.reading(self._state.value.weights)

    @property
    def rig(self) -> Rig | None:
        """The rig on show."""
        return self.deformer.rig if self.deformer is not None else None

    def end_rehearsal(self, clip: Clip | None = None) -> None:
        """Go back to the pose of the present clip; only where a pose of one clip is rehearsed, if given."""
        if self._rehearsed is not None and clip in (None, self._rehearsed[1][0]):
            self._rehearsed = None
            self._pose_is_new()

    def show_preview(self, deformer: Deformer | None) -> None:
        """Show another rig without changing the document; None goes back."""
        if deformer is not self._preview:
            self._preview = deformer
            self._rig_is_new()

    def forget_preview(self) -> None:
        """Leave the preview without a word: the document is about to be another, and tells so."""
        self._preview = None

    def is_previewing(self, deformer: Deformer) -> bool:
        """Tell whether this rig is shown in place of the document's."""
        return self._preview is deformer

    def is_beside(self, guest: SecondRig) -> bool:
        """Tell whether this is the second rig."""
        return self._guest is guest

    def rehearse(self, clip: Clip, time: float) -> None:
        """Show the rig in a pose of a clip that it does not have, until another time is gone to."""
        self._rehearsed = self._document.loaded, (clip, time)
        self._pose_is_new()

    def _pose_is_new(self) -> None:
        self._posed = None
        self.pose_changed.emit()
        self._request_shapes()

    def show_guest(self, guest: SecondRig | None) -> None:
        """Show a second rig in every other pane; None goes back."""
        if guest is not self._guest:
            self._guest, self._guest_frame = guest, None
            self._ways.clear()
            self.rig_changed.emit()

    @property
    def guest(self) -> SecondRig | None:
        """The second rig, with its weights as is wanted."""
        guest, weights = self._guest, self._state.value.weights
        if guest is None:
            return None
        if self._read_guest is None or self._read_guest[:2] != (guest, weights):
            self._read_guest = guest, weights, guest.reading(weights)
        return self._read_guest[2]

    def has_file_look(self, pane: int) -> bool:
        """Tell whether a pane has the file's textures while the others are of clay."""
        rig, view = self.rig, self._state.value
        if rig is None or self._guest is not None or pane != 0 or view.shading != "clay":
            return False
        return view.file_look and any(rig.material_of(part).textures for part in rig.parts)

    def side(self, pane: int) -> ComparedPane | None:
        """Return what a pane shows; None while nothing is open."""
        deformer, frame, view = self.deformer, self.frame, self._state.value
        guest = self.guest
        if deformer is None or frame is None:
            return None
        if guest is None:
            return ComparedPane(deformer, frame, self.look)
        if pane % 2 == 0:
            changed = () if view.shading in COMPARING else guest.host_marks(deformer)
            return ComparedPane(deformer, frame, replace(self.look, marked=self.marked or changed))
        if self._guest_frame is None:
            self._guest_frame = guest.frame(view.clip, view.time)
        before = guest.before(deformer, frame)
        look = guest.look(self.look)
        ways = self._trails(guest.deformer, guest.clip(view.clip)) if view.trail else ()
        return ComparedPane(guest.deformer, self._guest_frame, replace(look, trails=ways), before)

    @property
    def methods(self) -> tuple[str, ...]:
        """What the panes are skinned by: linearly where a method is not computed yet."""
        deformer, wanted = self.deformer, self._state.value.methods
        if deformer is None:
            return wanted
        return tuple(m if deformer.is_prepared(ASKED[m]) else "lbs" for m in wanted)

    def _prepare(self) -> None:
        """Compute in a worker what the panes' methods need once for the rig."""
        deformer = self.deformer
        if deformer is None:
            return
        for name in dict.fromkeys(self._state.value.methods):
            method = ASKED[name]
            if name in self._preparing or deformer.is_prepared(method):
                continue

            def work(progress: Progress, method: Method = method) -> None:
                deformer.prepare(
                    method,
                    lambda share: progress(tr("preparing {method}", method=method.label), share),
                )

            self._preparing.add(name)
            job = self._jobs.run(
                tr("Preparing {method}", method=method.label), work, lambda _: self._prepared()
            )
            job.ended.connect(lambda name=name: self._preparing.discard(name))

    def _prepared(self) -> None:
        self.prepared.emit()
        self._request_shapes()

    @property
    def clip_number(self) -> int | None:
        """The number of the clip on show, as far as the rig on show has it."""
        rig, number = self.rig, self._state.value.clip
        has = rig is not None and number is not None and number < len(rig.clips)
        return number if has else None

    @property
    def clip(self) -> Clip | None:
        """The clip on show."""
        rig, number = self.rig, self.clip_number
        return rig.clips[number] if rig is not None and number is not None else None

    @property
    def played(self) -> tuple[float, float] | None:
        """From when to when the clip on show is played, in seconds; None where nothing moves."""
        clip, stretch = self.clip, self._state.value.stretch
        if clip is None or clip.end <= clip.start:
            return None
        if stretch is not None and stretch.clip == self.clip_number:
            start, end = max(stretch.start, clip.start), min(stretch.end, clip.end)
            if start < end:
                return start, end
        return clip.start, clip.end

    def play_between(self, start: float, end: float) -> None:
        """Play the clip on show between two times; all of it where they leave out nothing, or all."""
        clip, number = self.clip, self.clip_number
        if clip is None or number is None:
            return
        start, end = max(start, clip.start), min(end, clip.end)
        some = start < end and (start, end) != (clip.start, clip.end)
        self._state.update(stretch=PlayRange(number, start, end) if some else None)

    @property
    def frame(self) -> Frame | None:
        """The rig on show in the present pose."""
        deformer = self.deformer
        if deformer is None:
            return None
        # Between a file's opening and the news of its rig, what is kept is of the rig before.
        if self._posed is None or self._posed[0] is not deformer:
            self._posed = (deformer, deformer.frame(self.pose(self._state.value.time)))
        return self._posed[1]

    @property
    def joint(self) -> int | None:
        """The selected joint, as far as the rig on show has it."""
        return self.look.joint

    @property
    def joints(self) -> tuple[int, ...]:
        """All selected joints, as far as the rig on show has them."""
        look = self.look
        return look.others if look.joint is None else (look.joint, *look.others)

    @property
    def vertex(self) -> tuple[int, int] | None:
        """The selected vertex, as far as the rig on show has it."""
        return self.look.vertex

    @property
    def marked(self) -> Chosen:
        """The vertices that are pointed out, as far as the rig on show has them."""
        return self.look.marked

    @property
    def chosen(self) -> Chosen:
        """The vertices whose weights are to be edited, as far as the rig on show has them."""
        return self.look.chosen

    @property
    def look(self) -> Look:
        """What the renderer shall show of the rig on show."""
        view = self._state.value
        look = self.fitted(view.look)
        if self.deformer is None or not view.trail or self._rehearsed is not None:
            return look
        return replace(look, trails=self._trails(self.deformer, self.clip_number))

    def _trails(self, deformer: Deformer, clip: int | None) -> tuple[Trail, ...]:
        """Return the ways of the roots in a clip of a rig, which are computed once for it."""
        if clip is None:
            return ()
        key = clip, self._state.value.fps
        known = self._ways.get(deformer)
        if known is None or known[0] != key:
            known = self._ways[deformer] = key, trails(deformer, *key)
        return known[1]

    def fitted(self, look: Look) -> Look:
        """Return a look as far as the rig on show has what it points at; it may be of one before."""
        rig = self.rig
        if rig is None:
            look = replace(look, joint=None, others=(), vertex=None, marked=(), chosen=())
            return replace(look, involved=(), trails=())
        counts = [len(rig.primitive(part).positions) for part in rig.parts]
        joint, vertex = look.joint, look.vertex
        return replace(
            look,
            joint=joint if joint is not None and joint < len(rig.nodes) else None,
            vertex=vertex if vertex is not None and _has(counts, *vertex) else None,
            others=tuple(node for node in look.others if node < len(rig.nodes)),
            involved=tuple(node for node in look.involved if node < len(rig.nodes)),
            trails=tuple(trail for trail in look.trails if trail.joint < len(rig.nodes)),
            marked=_known(counts, look.marked),
            chosen=_known(counts, look.chosen),
        )

    def pose(self, time: float) -> Pose:
        """Return the pose of the present clip at a time, with what is tried out."""
        return self.posing()(time)

    def posing(self) -> Callable[[float], Pose]:
        """Return what gives `pose` at any time, in any thread, whatever is chosen afterwards."""
        rig, deformer, clip = self.rig, self.deformer, self.clip
        if rig is None or deformer is None:
            raise ValueError("nothing is open")
        turns = {
            joint: quat.from_euler(np.radians(angles))
            for joint, angles in self._state.value.trial.items()
            if any(angles) and joint < len(rig.nodes)
        }
        rehearsed = self._rehearsed_here
        morphs = self._state.value.morphs
        usable = [c for c in self._state.value.correctives if c.fits(rig)]

        def posed(time: float) -> Pose:
            pose = sample(rig, *(rehearsed or (clip, time))).turned(turns)
            pose = driven(deformer, pose, usable) if usable else pose
            return with_morphs(rig, pose, morphs) if morphs else pose

        return posed

    @property
    def posed_at(self) -> tuple[Clip | None, float]:
        """The clip of the pose on show, which may be a rehearsed one, and the time in it."""
        return self._rehearsed_here or (self.clip, self._state.value.time)

    @property
    def _rehearsed_here(self) -> tuple[Clip, float] | None:
        """The rehearsed clip and time, where they are of the open file."""
        rehearsed = self._rehearsed
        is_here = rehearsed is not None and rehearsed[0] is self._document.loaded
        return rehearsed[1] if rehearsed is not None and is_here else None

    @property
    def shapes(self) -> dict[str, HeaderFigures]:
        """Method → what it costs the shape in the pose that was measured last."""
        return self._shapes

    def _document_is_new(self) -> None:
        # A pose that was rehearsed is one of the rig before.
        self._rehearsed = None
        self._rig_is_new()

    def _rig_is_new(self) -> None:
        self._posed, self._meter, self._shapes = None, None, {}
        self._ways.clear()
        self._preparing = set()
        self.rig_changed.emit()
        self._prepare()
        self._request_shapes()

    def _state_is_new(self, old: ViewState, new: ViewState) -> None:
        if (old.clip, old.time) != (new.clip, new.time):
            self._rehearsed = None
        if new.differs(old, _POSE_FIELDS):
            self._posed = self._guest_frame = None
            self.pose_changed.emit()
        if old.weights != new.weights:
            self._preparing = set()
        if new.differs(old, ("methods", "weights")):
            self._prepare()
        if new.differs(old, _SHAPE_FIELDS):
            self._request_shapes()

    def _request_shapes(self) -> None:
        deformer = self.deformer
        frame = self.frame if deformer is not None and deformer.skins else None
        if deformer is None or frame is None:
            return
        if self._meter is None or self._meter.deformer is not deformer:
            self._meter = ShapeMeter(deformer)
        meter, state = self._meter, self._state.value
        methods, options = tuple(dict.fromkeys(self.methods)), state.options

        def shapes(progress: Progress) -> tuple[Deformer, dict[str, HeaderFigures]]:
            result = {}
            skinned = deformer.skin_by(frame, (ASKED[method] for method in methods), options)
            for i, method in enumerate(methods):
                progress("measuring", i / len(methods))
                result[method] = meter.shape(frame, next(skinned))
            return deformer, result

        self._measuring.request(shapes)

    def _take_shapes(self, result: tuple[Deformer, dict[str, HeaderFigures]]) -> None:
        deformer, shapes = result
        if deformer is self.deformer:
            self._shapes = shapes
            self.measured.emit()


def _known(counts: list[int], vertices: Chosen) -> Chosen:
    """Return the vertices of parts that have all that are named of them."""
    return tuple((part, ids) for part, ids in vertices if _has(counts, part, max(ids)))


def _has(counts: list[int], part: int, vertex: int) -> bool:
    """Tell whether there is such a part and vertex."""
    return 0 <= part < len(counts) and 0 <= vertex < counts[part]
