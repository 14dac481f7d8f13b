"""Ghosts: the character beside itself in poses that do not change, as silhouettes and thin bones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rigview.assets import rgb, theme
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.render.buffers import FrozenVertices
from rigview.render.camera import Camera
from rigview.render.gl import GL, set_blending
from rigview.render.look import Look
from rigview.render.overlay import Overlay
from rigview.render.scene import Scene, Stills
from rigview.render.shader_programs import Programs
from rigview.render.skinning import record_with

# Opacity of the surface where it faces the eye, and at its outline.
_FACE, _RIM = 0.07, 0.55
# Thickness of bones and size of joints in pixels, and how opaque both are.
_BONE, _JOINT, _OPACITY = 1.5, 1.6, 0.9
# How far behind the surface it lies, in what the driver can tell apart: where both coincide the surface
# is seen, and of two ghosts the first.
_BACK = 2.0


@dataclass(frozen=True)
class Ghost:
    """A pose that is shown beside the present one.

    Parameters
    ----------
    overlay
        The switch of `look.Overlays`, and its colour in the theme.
    frame
        None where the rig has no such pose.
    method
        What skins it; None for the pane's own method.
    """

    overlay: str
    words: str
    frame: Callable[[Deformer], Frame | None]
    method: str | None = None


GHOSTS = (
    Ghost("rest_ghost", "rest pose", lambda deformer: deformer.rest),
    # There every joint moves the mesh alike, and the methods differ by what basic adds to any pose.
    Ghost("bind_ghost", "bind pose", lambda deformer: deformer.bind, "lbs"),
)


def shown(deformer: Deformer, look: Look) -> list[tuple[Ghost, Frame]]:
    """Return the ghosts that a look shows of a rig, with their poses."""
    wanted = [(ghost, ghost.frame(deformer)) for ghost in GHOSTS if getattr(look, ghost.overlay)]
    return [(ghost, frame) for ghost, frame in wanted if frame is not None]


def prepare(programs: Programs, scene: Scene, methods: Sequence[str], look: Look) -> None:
    """Skin the ghosts that a look shows, those that are not known yet; the scene's pose is lost."""
    for ghost, frame in shown(scene.deformer, look):
        for method in dict.fromkeys(ghost.method or method for method in methods):
            key = ghost.overlay, method
            known = scene.stills.get(key)
            if known is not None and known.options == look.options:
                continue
            scene.pose(frame, look.options)
            stills = known or Stills(look.options, tuple(map(FrozenVertices, scene.parts)))
            for number, part in enumerate(stills.parts):
                record_with(programs, scene, number, method, look.options)
                part.record()
            scene.stills[key] = Stills(look.options, stills.parts)


def draw(
    programs: Programs, scene: Scene, method: str, look: Look, camera: Camera, aspect: float
) -> None:
    """Draw the skins of the ghosts: their outlines, and a breath of colour between."""
    parts = scene.deformer.rig.parts
    visible = [i for i, part in enumerate(parts) if part.node not in look.hidden]
    program = programs.of("ghost.vert", "ghost.frag", {})
    GL.glEnable(GL.GL_DEPTH_TEST)
    GL.glDepthFunc(GL.GL_LEQUAL)
    GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
    set_blending(enabled=True)
    for place, (ghost, _) in enumerate(shown(scene.deformer, look)):
        stills = scene.stills[ghost.overlay, ghost.method or method]
        program.use()
        program.see(camera, aspect)
        program.vector("u_colour", rgb(theme(look.theme)[ghost.overlay]))
        program.number("u_face", _FACE)
        program.number("u_rim", _RIM)
        GL.glPolygonOffset(_BACK * (place + 1), _BACK * (place + 1))
        # Only the nearest surface counts: first its depth, then its colour.
        for coloured in (False, True):
            GL.glColorMask(*(coloured,) * 4)
            for number in visible:
                stills.parts[number].draw()
    GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)


def bones(deformer: Deformer, look: Look) -> Overlay:
    """Return the bones of the ghosts that a look shows, as thin sticks."""
    result = Overlay()
    for ghost, frame in shown(deformer, look) if look.bones else ():
        segments = deformer.posed_bones(frame)
        colour = (*rgb(theme(look.theme)[ghost.overlay]), _OPACITY)
        result.add_lines(segments.heads, segments.tails, colour, _BONE)
        result.add_dots(segments.heads, colour, _JOINT)
    return result
