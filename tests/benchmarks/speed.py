"""How fast rigview is, as ratios within one run: a Markdown table, with the machine it was run on.

    PYTHONPATH=. python tests/benchmarks/speed.py [PART…]

PART is core, shaders, panes, shadow, start or window; all of them without. OpenUSD's kernels are measured
where usd-core is installed, the window where there is a display or xvfb-run. Of several rounds the
least counts, and what is compared takes turns: other work on the machine only ever adds, to both.
Counted is processor time where the processor does the work: in the core, and where it draws as well.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PXR_WORK_THREAD_LIMIT"):
    os.environ[_threads] = "1"

import numpy as np
from scan import tube

from rigview.core import thesis_scene
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options
from rigview.io import load
from rigview.render.bench import Bench
from rigview.render.camera import Camera
from rigview.render.context import headless
from rigview.render.framing import visible_points
from rigview.render.gl import GL, describe
from rigview.render.image import Framebuffer
from rigview.render.look import Look
from rigview.render.passes import Renderer, side_by_side
from rigview.render.scene import Scene

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "samples"
VERTICES = 100_000
PANES = ("lbs", "dqs", "compensated")
PANE_SIZE = (640, 720)


@dataclass(frozen=True)
class Row:
    """One line: what was compared with what, in milliseconds."""

    what: str
    ours: float
    beside: float | None = None
    limit: float | None = None
    unit: str = "ms"

    def cells(self) -> tuple[str, ...]:
        """Return the columns of the table."""
        ours = f"{self.ours:.2f} {self.unit}"
        if self.beside is None:
            return self.what, ours, "", "", ""
        limit = "" if self.limit is None else f"≤ {self.limit:g} ×"
        ratio = f"{self.ours / self.beside:.2f} ×"
        return self.what, ours, f"{self.beside:.2f} {self.unit}", ratio, limit


def least(
    functions: dict[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Return the least milliseconds of each function, all taking turns."""
    taken: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds + 1):
        for name, function in functions.items():
            began = clock()
            function()
            taken[name].append(1e3 * (clock() - began))
    return {name: min(times[1:]) for name, times in taken.items()}


def core() -> Iterator[Row]:
    """The kernels on one thread: processor time, 100k vertices, 80 joints, four influences."""
    deformer = Deformer(tube(VERTICES))
    frame = deformer.frame(sample(deformer.rig, deformer.rig.clips[0], 0.5))

    def ours(method: str) -> Callable[[], object]:
        return lambda: deformer.skin(0, frame, METHODS[method], Options()).positions

    functions = {name: ours(name) for name in ("lbs", "dqs", "compensated", "capsule")}
    theirs = usd_kernels(deformer, frame)
    best = least({**functions, **theirs}, 60, time.thread_time)
    for name, other, limit in (("lbs", "classicLinear", 1.0), ("dqs", "dualQuaternion", 0.5)):
        label = f"core: {METHODS[name].label} / OpenUSD's kernel"
        yield Row(label, best[name], best.get(other), limit)
    for name, limit in (("compensated", 2.0), ("capsule", 8.0)):
        yield Row(f"core: {METHODS[name].label} / DQS", best[name], best["dqs"], limit)
    output = 24 * deformer.rig.primitive(deformer.rig.parts[0]).positions.size / 3
    for name in ("lbs", "dqs", "compensated", "capsule"):
        tracemalloc.start()
        functions[name]()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        label = f"core: memory of {METHODS[name].label} at its peak / its output"
        yield Row(label, peak / 2**20, output / 2**20, None, "MiB")


def drawing_clock() -> Callable[[], float]:
    """Return what tells the time of drawing in the current context."""
    return time.process_time if "llvmpipe" in describe() else time.perf_counter


def usd_kernels(deformer: Deformer, frame: Frame) -> dict[str, Callable[[], object]]:
    """Return OpenUSD's kernels on the same mesh and pose; none where usd-core is not installed."""
    try:
        from pxr import Gf, UsdSkel, Vt
    except ImportError:
        return {}
    primitive = deformer.rig.primitive(deformer.rig.parts[0])
    binding, matrices = deformer.bindings[0], frame.palettes[0].matrices
    joints = Vt.IntArray.FromNumpy(binding.joints.astype(np.int32).ravel())
    weights = Vt.FloatArray.FromNumpy(binding.weights.astype(np.float32).ravel())
    palette = Vt.Matrix4dArray.FromNumpy(np.ascontiguousarray(np.swapaxes(matrices, 1, 2)))
    rest = primitive.positions.astype(np.float32)
    width = binding.joints.shape[1]

    def kernel(method: str) -> Callable[[], object]:
        def skin() -> object:
            points = Vt.Vec3fArray.FromNumpy(rest)
            UsdSkel.SkinPoints(method, Gf.Matrix4d(1), palette, joints, weights, width, points)
            return points

        skinned = np.array(skin())
        name = {"classicLinear": "lbs", "dualQuaternion": "dqs"}[method]
        same = deformer.skin(0, frame, METHODS[name], Options()).positions
        assert np.abs(skinned - same).max() < 1e-4 * deformer.size
        return skin

    return {method: kernel(method) for method in ("classicLinear", "dualQuaternion")}


def shaders() -> Iterator[Row]:
    """The vertex shader alone and a whole frame of one pane, rigid palettes."""
    deformer = Deformer(thesis_scene.character())
    frames = [deformer.frame(thesis_scene.pose(deformer.rig, i)) for i in range(2)]
    vertex = {"dqs": 1.05, "compensated": 1.2, "capsule": 1.7}
    whole = {"dqs": 1.08, "compensated": 1.08}
    bench = Bench(deformer, frames, PANE_SIZE, clock=drawing_clock())
    lbs, *others = bench.measure([name for name in METHODS if name != "centres"], 12)
    bench.close()
    for kind, limits in (("vertices", vertex), ("frame", whole)):
        for timing in others:
            label = f"shader: {METHODS[timing.method].label} / LBS, {kind}"
            beside = getattr(lbs, kind).best
            yield Row(label, getattr(timing, kind).best, beside, limits.get(timing.method))


def panes() -> Iterator[Row]:
    """A frame of three panes with all that belongs to it, beside its draw calls alone."""
    deformer = Deformer(tube(VERTICES))
    clip = deformer.rig.clips[0]
    frame = deformer.frame(sample(deformer.rig, clip, 0.5))
    bench, renderer, scene = Bench(deformer, [frame], PANE_SIZE), Renderer(), Scene(deformer)
    width, height = 3 * PANE_SIZE[0] + 4, PANE_SIZE[1]
    target = Framebuffer(width, height)
    look = Look(shading="clay")
    camera = Camera().framed(visible_points(deformer, frame), PANE_SIZE[0] / PANE_SIZE[1])
    bench.look_through(camera)

    def whole() -> None:
        target.bind()
        now = deformer.frame(sample(deformer.rig, clip, 0.5))
        renderer.draw(scene, now, side_by_side(PANES, width, height), camera, look)
        GL.glFinish()

    def bare() -> None:
        for method in PANES:
            bench.draw(method)
        GL.glFinish()

    best = least({"whole": whole, "bare": bare}, 12, drawing_clock())
    for owner in (bench, renderer, scene, target):
        owner.close()
    yield Row("three panes of 100k vertices / bare draw calls", best["whole"], best["bare"], 1.15)


def shadow() -> Iterator[Row]:
    """A frame of three panes with the shadow on the ground, beside the same without."""
    deformer, renderer = Deformer(load(SAMPLES / "biped.glb").rig), Renderer()
    scene, frame = Scene(deformer), deformer.rest
    width, height = 3 * PANE_SIZE[0] + 4, PANE_SIZE[1]
    target, views = Framebuffer(width, height), side_by_side(PANES, width, height)
    camera = Camera().framed(visible_points(deformer, frame), PANE_SIZE[0] / PANE_SIZE[1])

    def draws(*, shadow: bool) -> Callable[[], None]:
        def draw() -> None:
            target.bind()
            renderer.draw(scene, frame, views, camera, Look(shading="clay", shadow=shadow))
            GL.glFinish()

        return draw

    both = {"with": draws(shadow=True), "without": draws(shadow=False)}
    best = least(both, 12, drawing_clock())
    for owner in (renderer, scene, target):
        owner.close()
    yield Row("three panes with a shadow / without", best["with"], best["without"], 1.1)


def start() -> Iterator[Row]:
    """How long the command line takes to say anything."""

    def runs(*arguments: str) -> Callable[[], object]:
        command = [sys.executable, *arguments]
        return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    best = least(
        {"ours": runs("-m", "rigview", "--version"), "numpy": runs("-c", "import numpy")}, 8
    )
    yield Row("`rigview --version` / `import numpy`", best["ours"], best["numpy"], 1.5)


def window() -> Iterator[Row]:
    """From the start of the process to the first picture of the biped, step by step."""
    script, file = str(HERE / "first_picture.py"), str(SAMPLES / "biped.glb")
    command = [sys.executable, script, file, "--of", str(HERE.parents[1])]
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        if shutil.which("xvfb-run") is None:
            return
        command = ["xvfb-run", "-a", *command]
    rounds = []
    for _ in range(3):
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rounds.append(json.loads(done.stdout.splitlines()[-1]))
    best = min(rounds, key=lambda steps: sum(clock for _, clock in steps.values()))
    for name, (_, clock) in best.items():
        yield Row(name, 1e3 * clock)


PARTS = {
    "core": core,
    "shaders": shaders,
    "panes": panes,
    "shadow": shadow,
    "start": start,
    "window": window,
}


def machine() -> str:
    """Return what it was measured on, in a line."""
    model = platform.processor() or platform.machine()
    with_names = Path("/proc/cpuinfo")
    if with_names.exists():
        lines = with_names.read_text(encoding="utf-8").splitlines()
        named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        model = named[0] if named else model
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy"))
    with headless():
        driver = describe()
    return (
        f"{model}, {os.cpu_count()} processors, {platform.system()}, "
        f"Python {platform.python_version()}, {libraries}; {driver}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    chosen = parser.parse_args().parts or list(PARTS)
    print(machine() + "\n")
    print("| what | rigview | beside | ratio | target |\n|---|--:|--:|--:|--:|", flush=True)
    for name in chosen:
        with headless():
            for row in PARTS[name]():
                print("| " + " | ".join(row.cells()) + " |", flush=True)


if __name__ == "__main__":
    main()
