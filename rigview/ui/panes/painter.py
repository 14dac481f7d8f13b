"""The painter: the stage drawn into the framebuffer that is bound."""

from dataclasses import replace

from rigview.core.deform import Deformer
from rigview.render import gl
from rigview.render.heat import Heats
from rigview.render.image import Framebuffer
from rigview.render.passes import Pane, Renderer
from rigview.render.scene import LiveInfluences, Past, Scene
from rigview.ui.stage import Stage
from rigview.ui.view_state import State

# Of each pixel, where it is anti-aliased.
_SAMPLES = 4


class Painter:
    """Draws the stage into the framebuffer that is bound: OpenGL state and nothing else."""

    def __init__(self, stage: Stage, state: State) -> None:
        self._stage, self._state = stage, state
        # What heat shows of the rig on show; who measures it gives it.
        self.heats: Heats = {}
        # Weights that a stroke has changed since the last picture.
        self.live: list[LiveInfluences] = []
        self._is_stale = False
        self._renderer: Renderer | None = None
        self.scenes: list[Scene] = []
        self._target: Framebuffer | None = None
        self.samples = 0
        # Whether the next picture shall be anti-aliased in any case, and whether the last one was.
        self.smooth = self.is_smooth = False
        self.driver = self.version = ""

    def start(self) -> None:
        """Make what belongs to the context; it must be current.

        Raises
        ------
        GLError
            If the driver is too old.
        """
        gl.require()
        self.driver = gl.describe()
        major, minor = gl.version()
        self.version = f"OpenGL {major}.{minor}"
        # On a processor four samples cost more than twice the time: there only what stays is smooth.
        self.samples = 0 if gl.is_software() else _SAMPLES
        self._renderer, self.scenes, self._target = Renderer(), [], None

    def stop(self) -> None:
        """Delete everything; the context must be current."""
        for owner in (*self.scenes, self._renderer, self._target):
            if owner is not None:
                owner.close()
        self._renderer, self.scenes, self._target = None, [], None

    def scene(self, deformer: Deformer) -> Scene:
        """Return the buffers of a rig, made on first use."""
        found = next((s for s in self.scenes if s.deformer is deformer), None)
        if found is None:
            found = Scene(deformer)
            self.scenes.append(found)
        return found

    def _forget_others(self, shown: list[Deformer]) -> None:
        """Delete the buffers of rigs that no pane shows any more."""
        for scene in [s for s in self.scenes if not any(s.deformer is d for d in shown)]:
            scene.close()
            self.scenes.remove(scene)

    @property
    def has_renderer(self) -> bool:
        """Whether anything of it is on the graphics card."""
        return self._renderer is not None

    @property
    def renderer(self) -> Renderer:
        """The shader programs."""
        if self._renderer is None:
            raise gl.GLError("the viewport has no OpenGL context")
        return self._renderer

    def draw(
        self, framebuffer: int, panes: list[Pane], size: tuple[int, int], ratio: float
    ) -> None:
        """Draw all panes into a framebuffer of that size in device pixels."""
        sides = [self._stage.side(number) for number in range(len(panes))]
        shown = {id(side.deformer): side for side in sides if side is not None}
        if not shown:
            return
        pasts = [side.before.deformer for side in shown.values() if side.before is not None]
        self._forget_others([*(side.deformer for side in shown.values()), *pasts])
        target = self._multisampled(*size)
        if target is not None:
            target.bind()
        view = self._state.value
        panes = [replace(p, camera=view.apart.get(number)) for number, p in enumerate(panes)]
        camera = view.linked_camera
        self._show_live()
        alone = len(shown) == 1
        for side in shown.values():
            own = [
                p for p, s in zip(panes, sides, strict=True) if s and s.deformer is side.deformer
            ]
            scene = self.scene(side.deformer)
            before = side.before
            scene.heats = self.heats if side.deformer is self._stage.deformer else {}
            scene.past = None if before is None else Past(self.scene(before.deformer), before)
            look = side.look if alone else replace(side.look, file_look=False)
            self.renderer.draw(scene, side.frame, own, camera, look, ratio)
        if target is not None:
            target.copy_to(framebuffer)

    def discard(self) -> None:
        """Make the buffers of the rig on show anew for the next picture: a stroke has changed them."""
        self.live = []
        self._is_stale = True

    def _show_live(self) -> None:
        """Bring the buffers of the rig on show to where a stroke is."""
        deformer, live = self._stage.deformer, self.live
        self.live = []
        if self._is_stale:
            self._is_stale = False
            self._forget_others([])
        if deformer is not None and live:
            scene = self.scene(deformer)
            for influences in live:
                scene.show_influences(influences, self._stage.joint)

    def _multisampled(self, width: int, height: int) -> Framebuffer | None:
        samples = _SAMPLES if self.smooth else self.samples
        self.is_smooth, self.smooth = samples > 0, False
        if not samples:
            return None
        if self._target is None or (self._target.width, self._target.height) != (width, height):
            if self._target is not None:
                self._target.close()
            self._target = Framebuffer(width, height, samples)
        return self._target
