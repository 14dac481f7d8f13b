"""What each method costs on this machine's OpenGL: a crowd drawn by one call a part, and timed."""

import ctypes
import importlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.skinning import ASKED, Options
from rigview.render.camera import Camera
from rigview.render.feedback import Feedback
from rigview.render.framing import visible_points
from rigview.render.gl import GL, GLError
from rigview.render.image import Framebuffer
from rigview.render.mesh_program import CONSTANTS, Shade, draw_with
from rigview.render.scene import Scene
from rigview.render.shader_programs import Programs
from rigview.render.texels import PALETTE_TEXELS
from rigview.render.vertex_stage import VertexStage

# What all are measured against.
BASELINE = "lbs"
PLAIN = VertexStage()
# A timer that saw less of the time on the wall than this share did not count the work.
_COUNTED = 0.01
# Room between copies, as a share of their size.
_APART = 1.05

Progress = Callable[[str, float], None]


@dataclass
class Cost:
    """Milliseconds of one kind of work, one per round.

    Parameters
    ----------
    wall
        From the first call to the end of `glFinish`.
    card
        As the driver's own timer counts; empty where it has none.
    """

    wall: list[float] = field(default_factory=list)
    card: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        """The shortest time on the wall: other work on the machine only ever adds to it."""
        return min(self.wall)

    @property
    def best_card(self) -> float | None:
        """The shortest time by the driver's timer; None where that does not count this work.

        That of llvmpipe counts rasterising alone.
        """
        best = min(self.card, default=0.0)
        return best if best > _COUNTED * self.best else None


@dataclass(frozen=True)
class Timing:
    """One method on one kind of buffers: `vertices` skinned and nothing drawn, and the whole `frame`."""

    method: str
    stage: VertexStage = PLAIN
    vertices: Cost = field(default_factory=Cost)
    frame: Cost = field(default_factory=Cost)


class Bench:
    """A crowd on the graphics card; needs a current context.

    Parameters
    ----------
    frames
        One pose per copy.
    size
        Of the picture in pixels.
    stages
        Kinds of buffers to measure beside the plain one.
    clock
        Tells seconds.

    Raises
    ------
    GLError
        If the palettes of all copies are more than the driver takes at once.
    """

    def __init__(
        self,
        deformer: Deformer,
        frames: Sequence[Frame],
        size: tuple[int, int],
        options: Options | None = None,
        stages: Sequence[VertexStage] = (),
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._clock = clock
        self._options = options or Options()
        self._scenes: dict[VertexStage, Scene] = {}
        self._stages = tuple(dict.fromkeys((PLAIN, *stages)))
        for stage in dict.fromkeys(_effective(m, s) for m in ASKED for s in self._stages):
            self._scenes[stage] = scene = Scene(deformer, stage)
            scene.pose(frames[0], self._options)
            _require_room(scene.palette_stride * len(frames))
            scene.pose_crowd(frames, self._options)
        self._columns = math.ceil(math.sqrt(len(frames)))
        self._target = Framebuffer(*size)
        self._camera, self._step = _framed(deformer, frames, self._columns, size)
        self._programs = Programs(CONSTANTS)
        self._timer = int(GL.glGenQueries(1)[0]) if _has_timer() else None

    def measure(
        self,
        methods: Sequence[str],
        rounds: int,
        progress: Progress | None = None,
        budget: float = math.inf,
    ) -> list[Timing]:
        """Time methods in turn, round after round, so that all share what else the machine does.

        LBS on plain buffers comes first in any case; one round before the first warms up and is not
        counted.

        Parameters
        ----------
        budget
            Seconds. No round is begun that would end after them, but the first.
        """
        timings = self._rows(tuple(dict.fromkeys((BASELINE, *methods))))
        tell = progress or (lambda _text, _share: None)
        began = time.monotonic()
        for turn in range(rounds + 1):
            round_began = time.monotonic()
            for i, timing in enumerate(timings):
                share = (turn + i / len(timings)) / (rounds + 1)
                tell(f"round {turn} of {rounds}: {ASKED[timing.method].label}", share)
                self._time(timing, Timing(timing.method) if turn == 0 else timing)
            now = time.monotonic()
            if turn > 0 and 2.0 * now - round_began - began > budget:
                break
        tell("", 1.0)
        return timings

    def _rows(self, methods: Sequence[str]) -> list[Timing]:
        """Return what is to be measured: each method on every kind of buffers that it minds."""
        pairs = [(m, _effective(m, stage)) for m in methods for stage in self._stages]
        return [Timing(method, stage) for method, stage in dict.fromkeys(pairs)]

    def _time(self, timing: Timing, into: Timing) -> None:
        GL.glEnable(GL.GL_RASTERIZER_DISCARD)
        try:
            with self._stopwatch(into.vertices):
                self.draw(timing.method, timing.stage)
        finally:
            GL.glDisable(GL.GL_RASTERIZER_DISCARD)
        with self._stopwatch(into.frame):
            self.draw(timing.method, timing.stage)

    def influence_bytes(self, stage: VertexStage) -> int:
        """Return how many bytes the influences of one character take."""
        return sum(part.influence_bytes for part in self._scenes[stage].parts)

    def weight_error(self, stage: VertexStage) -> float:
        """Return by how much any weight is off in the buffers."""
        return max((part.packed.weight_error for part in self._scenes[stage].parts), default=0.0)

    def look_through(self, camera: Camera) -> None:
        """See the crowd from elsewhere."""
        self._camera = camera

    def draw(self, method: str, stage: VertexStage = PLAIN) -> None:
        """Draw the crowd into `pixels`."""
        scene = self._scenes[stage]
        self._target.bind()
        GL.glViewport(0, 0, self._target.width, self._target.height)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthFunc(GL.GL_LEQUAL)
        GL.glDepthMask(True)
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
        aspect = self._target.width / self._target.height
        for number, part in enumerate(scene.parts):
            program = draw_with(self._programs, scene, number, method, self._options, Shade())
            program.see(self._camera, aspect)
            program.number("u_opacity", 1.0)
            program.integer("u_columns", self._columns)
            program.vector("u_step", self._step)
            part.draw_crowd(scene.copies)

    def pixels(self) -> FloatArray:
        """Return ``(H, W, 4)`` of what was drawn last, 0 to 1."""
        return self._target.read() / 255.0

    @contextmanager
    def _stopwatch(self, cost: Cost) -> Iterator[None]:
        GL.glFinish()
        began = self._clock()
        if self._timer is not None:
            GL.glBeginQuery(GL.GL_TIME_ELAPSED, self._timer)
        yield
        if self._timer is not None:
            GL.glEndQuery(GL.GL_TIME_ELAPSED)
        GL.glFinish()
        cost.wall.append(1e3 * (self._clock() - began))
        if self._timer is not None:
            cost.card.append(1e-6 * _nanoseconds(self._timer))

    def close(self) -> None:
        """Delete everything."""
        self._programs.close()
        if self._timer is not None:
            GL.glDeleteQueries(1, [self._timer])
        self._target.close()
        for scene in self._scenes.values():
            scene.close()


def displacements(
    deformer: Deformer,
    frames: Sequence[Frame],
    timings: Sequence[Timing],
) -> list[float]:
    """Return per timing how far its buffers put any vertex from where the plain ones put it.

    As a share of the rig's size, over all poses; needs a current context.
    """
    options, plain, result = Options(), Feedback(deformer), []
    others = {t.stage: Feedback(deformer, t.stage) for t in timings if t.stage != PLAIN}
    try:
        for timing in timings:
            packed = others.get(timing.stage, plain)
            apart = (
                _furthest(plain, packed, frame, timing.method, options)
                for frame in frames
                if packed is not plain
            )
            result.append(max(apart, default=0.0) / deformer.size)
    finally:
        for feedback in (plain, *others.values()):
            feedback.close()
    return result


def _furthest(one: Feedback, other: Feedback, frame: Frame, method: str, options: Options) -> float:
    """Return how far apart two put a vertex at most, metres."""
    pairs = zip(
        one.skin_all(frame, method, options), other.skin_all(frame, method, options), strict=True
    )
    apart = [np.linalg.norm(a.positions - b.positions, axis=1) for a, b in pairs]
    return float(np.concatenate(apart).max(initial=0.0))


def _effective(method: str, stage: VertexStage) -> VertexStage:
    """Return what of a stage a method minds: LBS blends no dual quaternions."""
    return stage if method != BASELINE else replace(stage, dual_route="direct")


def _has_timer() -> bool:
    bits = np.zeros(1, dtype=np.int32)
    GL.glGetQueryiv(GL.GL_TIME_ELAPSED, GL.GL_QUERY_COUNTER_BITS, bits)
    return bool(bits[0])


def _nanoseconds(timer: int) -> int:
    # WORKAROUND PyOpenGL 3.1.10 with PyOpenGL-accelerate: the wrapped function knows no 64-bit integers.
    raw = importlib.import_module("OpenGL.raw.GL.VERSION.GL_3_3")
    result = ctypes.c_uint64()
    raw.glGetQueryObjectui64v(timer, GL.GL_QUERY_RESULT, ctypes.byref(result))
    return result.value


def _require_room(joints: int) -> None:
    most = int(GL.glGetIntegerv(GL.GL_MAX_TEXTURE_BUFFER_SIZE))
    if joints * PALETTE_TEXELS > most:
        raise GLError(
            f"the palettes of all copies have {joints:,} joints and the driver takes "
            f"{most // PALETTE_TEXELS:,} at once: draw fewer copies"
        )


def _framed(
    deformer: Deformer, frames: Sequence[Frame], columns: int, size: tuple[int, int]
) -> tuple[Camera, FloatArray]:
    """Return a camera that sees the whole crowd from above, and the step between copies ``(2,)``."""
    points = visible_points(deformer, frames[0], frozenset())
    low, high = points.min(axis=0), points.max(axis=0)
    step = _APART * np.maximum(high - low, 1e-6)[[0, 2]]
    rows = math.ceil(len(frames) / columns)
    far = np.array([step[0] * (columns - 1), 0.0, step[1] * (rows - 1)])
    corners = np.array([low, high, low + far, high + far])
    camera = Camera(pitch=math.radians(25.0)).framed(corners, size[0] / size[1])
    return camera, step
