"""The painter: the stage drawn into the framebuffer that is bound."""

from rigview.core.deform import Deformer
from rigview.render import gl
from rigview.render.image import Target
from rigview.render.passes import Pane, Renderer
from rigview.render.scene import Scene
from rigview.ui.stage import Stage
from rigview.ui.view_state import State


class Painter:
    """Draws the stage into the framebuffer that is bound: OpenGL state and nothing else."""

    def __init__(self, stage: Stage, state: State) -> None:
        self._stage, self._state = stage, state
        self._renderer: Renderer | None = None
        self._scene: Scene | None = None
        self._target: Target | None = None
        self.samples = 0
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
        # On a processor four samples cost more than twice the time; lines and dots are smooth anyway.
        self.samples = 0 if gl.is_software() else 4
        self._renderer, self._scene, self._target = Renderer(), None, None

    def stop(self) -> None:
        """Delete everything; the context must be current."""
        for owner in (self._scene, self._renderer, self._target):
            if owner is not None:
                owner.close()
        self._renderer, self._scene, self._target = None, None, None

    def scene(self, deformer: Deformer) -> Scene:
        """Return the buffers of a rig, made on first use."""
        if self._scene is None or self._scene.deformer is not deformer:
            if self._scene is not None:
                self._scene.close()
            self._scene = Scene(deformer)
        return self._scene

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
        deformer, frame = self._stage.deformer, self._stage.frame
        if deformer is None or frame is None:
            return
        scene = self.scene(deformer)
        target = self._multisampled(*size)
        if target is not None:
            target.bind()
        camera = self._state.value.camera
        self.renderer.draw(scene, frame, panes, camera, self._stage.look, ratio)
        if target is not None:
            target.copy_to(framebuffer)

    def _multisampled(self, width: int, height: int) -> Target | None:
        if not self.samples:
            return None
        if self._target is None or (self._target.width, self._target.height) != (width, height):
            if self._target is not None:
                self._target.close()
            self._target = Target(width, height, self.samples)
        return self._target
