"""Small pictures of the worst poses, each from the side that shows it, drawn in a worker."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from rigview.core.arrays import ByteArray
from rigview.core.clip import Clip
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.joint_scan import JointScan
from rigview.core.measures.side_view import side_view
from rigview.core.measures.worst_poses import WorstPose
from rigview.core.pose import sample
from rigview.core.skinning import ASKED, Options
from rigview.render import review
from rigview.render.camera import Camera
from rigview.render.framing import watching
from rigview.render.look import Look
from rigview.render.passes import Renderer
from rigview.render.review import Review
from rigview.render.scene import Scene
from rigview.ui.jobs import Job, Jobs, Progress
from rigview.ui.panes.viewport import Panes
from rigview.ui.workers.memory import give_back

# Pixels of a picture: twice a card's, for fine screens.
SIZE = (220, 136)

Key = tuple[object, ...]


def key_of(worst: WorstPose, theme: str) -> Key:
    """Return what a picture shows."""
    # The clip's number alone may be another tried pose's afterwards.
    of = worst.clip, worst.time, worst.value, worst.turn
    return *of, worst.method, worst.measure, worst.region, theme


class Thumbnails(QObject):
    """Pictures by `key_of`; `drawn` says that there are more."""

    drawn = Signal()

    def __init__(self, panes: Panes, jobs: Jobs) -> None:
        super().__init__()
        self._panes, self._jobs = panes, jobs
        self._pictures: dict[Key, QImage] = {}
        self._job: Job | None = None
        self._of: JointMeter | None = None

    def picture(self, worst: WorstPose, theme: str) -> QImage | None:
        """Return a picture that has been drawn."""
        return self._pictures.get(key_of(worst, theme))

    def ask(
        self, scan: JointScan, poses: Sequence[WorstPose], options: Options, theme: str
    ) -> None:
        """Have pictures drawn, those that are there already left out."""
        if self._of is not scan.meter:
            self._of, self._pictures = scan.meter, {}
        wanted = [one for one in poses if key_of(one, theme) not in self._pictures]
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if not wanted:
            return
        look = Look(
            shading="heat",
            options=options,
            bones=False,
            axes=False,
            grid=False,
            marks=False,
            theme=theme,
            hidden=scan.meter.deformer.rig.hidden,
        )
        meter, apart = scan.meter, self._panes.apart

        def work(progress: Progress) -> None:
            with apart():
                renderer, scene = Renderer(), Scene(meter.deformer)
                scene.joint_meter = meter
                try:
                    for number, one in enumerate(wanted):
                        progress("drawing worst poses", number / len(wanted))
                        pixels = _drawn(renderer, scene, meter, (one, scan.clips[one.clip]), look)
                        self._keep(progress, key_of(one, theme), pixels)
                finally:
                    scene.close()
                    renderer.close()

        self._job = self._jobs.run("drawing worst poses", work, self._done, quiet=True)

    def _keep(self, progress: Progress, key: Key, pixels: ByteArray) -> None:
        height, width = pixels.shape[:2]
        form = QImage.Format.Format_RGBA8888
        picture = QImage(np.ascontiguousarray(pixels).data, width, height, 4 * width, form).copy()

        def put() -> None:
            self._pictures[key] = picture
            self.drawn.emit()

        progress.report(put)

    def _done(self, _nothing: object) -> None:
        self._job = None
        # Scans and pictures leave a tenth of the memory unused in the heaps of their threads.
        self._jobs.run("giving memory back", lambda _: give_back(), lambda _: None, quiet=True)


def _drawn(
    renderer: Renderer, scene: Scene, meter: JointMeter, of: tuple[WorstPose, Clip], look: Look
) -> ByteArray:
    worst, clip = of
    deformer = meter.deformer
    frame = deformer.frame(sample(deformer.rig, clip, worst.time))
    pose = meter.pose(frame)
    skinned = deformer.skin_all(frame, ASKED[worst.method], look.options)
    view = side_view(meter, pose, worst.region, meter.skin.posed(skinned))
    base = Camera(reach=float(deformer.size))
    camera = watching(view, base, SIZE[0] / SIZE[1])
    wanted = Review(
        (worst.method,),
        camera,
        replace(look, measure=worst.measure),
        SIZE,
        numbers=False,
        legend=False,
        names_colours=False,
    )
    return review.draw_panes(renderer, scene, frame, wanted)
