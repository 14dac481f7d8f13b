"""The renderer: passes that draw a scene into panes of the framebuffer that is bound."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rigview.assets import colour_map, rgb, theme
from rigview.core.arrays import FloatArray
from rigview.core.contact_spheres import over_ground
from rigview.core.frame import Frame
from rigview.core.materials import AlphaMode, Material
from rigview.core.skinning import ASKED
from rigview.core.weight_changes import DISPLACED
from rigview.render import ghosts, mesh_program, overlay
from rigview.render.camera import Camera
from rigview.render.gl import GL, set_blending
from rigview.render.instances import Instances
from rigview.render.look import COMPARING, Look, Shading
from rigview.render.mesh_program import CONSTANTS, Shade, draw_with
from rigview.render.overlay import Overlay
from rigview.render.scalars import DIFFERENCE_RANGE, SCALARS
from rigview.render.scene import Past, Scene
from rigview.render.shader_programs import Program, Programs
from rigview.render.skinning import FREE_UNIT, record_with
from rigview.render.surfaces import bind_surface, maps_of
from rigview.render.tints import TINTS

# Shading of the shaders: all scalars are one, and all tints.
_SHADINGS: dict[Shading, mesh_program.Shading] = {
    "textured": "TEXTURED",
    "clay": "CLAY",
    **dict.fromkeys(SCALARS, "SCALAR"),
    **dict.fromkeys(TINTS, "TINT"),
}
# What mesh.vert makes of the difference to the reference.
_DIFFERENCES: dict[Shading, mesh_program.Difference] = {
    "difference": "OUTWARD",
    "displaced": "MOVED",
}
# No shading reads both.
_TEXTURE_UNIT = _MAP_UNIT = FREE_UNIT
# Overlays behind the mesh shimmer through at this strength.
_BEHIND = 0.4
# … and the dots that mark vertices at this: many lie inside, where no camera sees them.
_MARKED_BEHIND = 0.75
# More marked vertices than this get smaller dots, and chosen ones dots that leave their colour to be seen.
_MANY = 200
_XRAY_OPACITY = 0.4
# How much of a full shadow the ground has: the lights of the meshes are not only the sky.
_SHADOW = 0.75
# Two triangles draw most edges.
_EDGE_OPACITY = 0.3
# Edges of fewer logical pixels are fainter in proportion, down to this share.
_EDGES_APART, _FAINTEST_EDGE = 9.0, 0.15


@dataclass(frozen=True)
class Pane:
    """A method and its rectangle in pixels, from the lower left of the framebuffer.

    Parameters
    ----------
    camera
        Its own; None for that of the picture.
    """

    method: str
    x: int
    y: int
    width: int
    height: int
    camera: Camera | None = None


def side_by_side(methods: Sequence[str], width: int, height: int, gap: int = 2) -> list[Pane]:
    """Divide a picture into columns, `gap` pixels apart."""
    count = len(methods)
    edges = [round(i * (width + gap) / count) for i in range(count + 1)]
    return [
        Pane(method, edges[i], 0, edges[i + 1] - edges[i] - gap, height)
        for i, method in enumerate(methods)
    ]


class Renderer:
    """Shader programs and overlay buffers of one context."""

    def __init__(self) -> None:
        self._programs = Programs(CONSTANTS)
        self._empty = int(GL.glGenVertexArrays(1))
        self._maps: dict[str, int] = {}
        self._lines = Instances((3, 3, 4, 1))
        self._dots = Instances((3, 4, 1))
        self._facets = Instances((3, 4), instanced=False)
        self._spheres = Instances((3, 1))
        self._has_shadow = False

    def draw(
        self,
        scene: Scene,
        frame: Frame,
        panes: Sequence[Pane],
        camera: Camera,
        look: Look,
        pixel_ratio: float = 1.0,
    ) -> None:
        """Draw one pose in every pane, each skinned by its method."""
        ghosts.prepare(self._programs, scene, [pane.method for pane in panes], look)
        scene.pose(frame, look.options)
        past = scene.past
        if past is not None:
            past.scene.pose(past.before.frame, look.options)
        if look.shading == "difference":
            self._record_reference(scene, panes[0].method if len(panes) > 1 else "lbs", look)
        elif look.shading in SCALARS and look.shading != "heat":
            scene.show_scalar(look)
        elif look.shading in TINTS:
            scene.show_tint(look)
        # Panes are of one height.
        seen = camera, panes[0].height / pixel_ratio
        bones = overlay.skeleton(scene.deformer, frame, look, seen)
        for more in (
            ghosts.bones(scene.deformer, look),
            overlay.trails(frame, look),
            overlay.bounds(scene.deformer, frame, look),
        ):
            bones.add(more)
        ground = overlay.grid(scene.deformer.size, look.theme) if look.grid else Overlay()
        self._shade_ground(scene, frame, look)
        sight = _Sight(scene, frame, camera, look, pixel_ratio, ground, bones, panes[0])
        GL.glEnable(GL.GL_SCISSOR_TEST)
        for pane in panes:
            if look.shading == "displaced" and past is not None:
                self._record_past(scene, past, pane.method, look)
            if look.shading == "heat":
                scene.show_heat(pane.method)
            self._pane(sight, pane)
        _leave_clean()

    def _shade_ground(self, scene: Scene, frame: Frame, look: Look) -> None:
        """Take the spheres whose shadows all panes draw on the ground."""
        spheres = (
            over_ground(scene.spheres, frame, look.hidden) if look.grid and look.shadow else None
        )
        self._has_shadow = spheres is not None and self._spheres.upload([spheres])

    def _shadow(self, space: "_Space") -> None:
        """Darken the ground below the character: before the grid's lines and the meshes on it."""
        GL.glDepthMask(False)
        GL.glDisable(GL.GL_DEPTH_TEST)
        set_blending(enabled=True)
        program = self._program("shadow")
        program.use()
        program.matrix("u_clip_from_model", space.clip_from_model)
        program.number("u_opacity", _SHADOW)
        self._spheres.draw()
        GL.glDepthMask(True)

    def _record_reference(self, scene: Scene, method: str, look: Look) -> None:
        """Record where a method puts every vertex, for the other panes to compare with."""
        for number, buffers in enumerate(scene.parts):
            record_with(self._programs, scene, number, method, look.options)
            buffers.record_reference()

    def _record_past(self, scene: Scene, past: Past, method: str, look: Look) -> None:
        """Record where a method puts the vertices of the rig that is compared with."""
        for number, heat in past.before.changes.comparable.items():
            record_with(self._programs, past.scene, heat.was, method, look.options)
            scene.parts[number].record_reference(past.scene.parts[heat.was])

    def _pane(self, sight: "_Sight", pane: Pane) -> None:
        if pane.camera is not None:
            sight = replace(sight, camera=pane.camera)
        look, ratio, aspect = _look_in(sight, pane), sight.pixel_ratio, pane.width / pane.height
        GL.glViewport(pane.x, pane.y, pane.width, pane.height)
        GL.glScissor(pane.x, pane.y, pane.width, pane.height)
        self._clear(look)
        size = (pane.width, pane.height)
        space = _Space(sight.camera.clip_from_model(aspect), size, ratio)
        if self._has_shadow and sight.camera.eye[1] > 0.0:
            self._shadow(space)
        self._overlay(sight.ground, space, look)
        self._meshes(replace(sight, look=look), pane)
        # Without meshes nothing is behind anything.
        behind = None if look.xray or not sight.scene.parts else _BEHIND
        self._overlay(sight.bones, space, look, behind=behind, front=look.xray)
        if behind is not None and look.bones:
            # The selected bone is found, however deep it lies.
            chosen = overlay.selected_bone(sight.scene.deformer, sight.frame, look)
            self._overlay(chosen, space, look, behind=_MARKED_BEHIND)
        if look.vertex is not None or look.marked or look.chosen:
            marks = _vertex_marks(sight.scene, sight.frame, pane, look)
            self._overlay(marks, space, look, behind=_MARKED_BEHIND)
        ghosts.draw(self._programs, sight.scene, pane.method, look, sight.camera, aspect)
        if look.marks:
            corner, _ = overlay.gizmo(sight.camera, pane.height / ratio, look)
            pixels = _Space(_pixels_to_clip(pane, ratio), size, ratio)
            self._overlay(corner, pixels, look, front=True)

    def _clear(self, look: Look) -> None:
        GL.glDepthMask(True)
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
        if look.transparent:
            return
        program = self._program("backdrop")
        program.use()
        program.vector("u_top", rgb(theme(look.theme)["viewport_top"]))
        program.vector("u_bottom", rgb(theme(look.theme)["viewport_bottom"]))
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_BLEND)
        GL.glBindVertexArray(self._empty)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)

    def _meshes(self, sight: "_Sight", pane: Pane) -> None:
        """Draw opaque parts first, then translucent ones from far to near."""
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthFunc(GL.GL_LEQUAL)
        GL.glPointSize(3.0)
        scene, look = sight.scene, sight.look
        rig = scene.deformer.rig
        shown = [i for i, part in enumerate(rig.parts) if part.node not in look.hidden]
        blended = [i for i in shown if _alpha(scene, i, look) == "BLEND"]
        solid = [i for i in shown if i not in blended]
        # Seen through, only the nearest surface counts: which triangle comes first must not show.
        for coloured in (False, True) if look.xray else (True,):
            GL.glColorMask(*(coloured,) * 4)
            for number in solid:
                self._part(sight, number, pane, _shown_of(look, number, scene.past))
        if blended:
            centres = [rig.primitive(rig.parts[i]).positions.mean(axis=0) for i in blended]
            towards = sight.camera.axes[2]
            order = np.argsort([float(c @ towards) for c in centres])
            for number in (blended[i] for i in order):
                self._part(sight, number, pane, look)
        if look.wires:
            self._edges(sight, shown, pane)

    def _edges(self, sight: "_Sight", shown: Sequence[int], pane: Pane) -> None:
        """Draw the edges of triangles over the surface that is there."""
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_LINE)
        # A little nearer, so that they win over the surface that they bound.
        GL.glEnable(GL.GL_POLYGON_OFFSET_LINE)
        GL.glPolygonOffset(-1.0, -1.0)
        GL.glDepthMask(False)
        set_blending(enabled=True)
        metre = pane.height / sight.pixel_ratio / (2.0 * sight.camera.distance)
        metre /= np.tan(0.5 * sight.camera.fov)
        for number in shown:
            # Where edges lie closer than a few pixels, they would fill the surface.
            apart = metre * sight.scene.edge_length(number) / _EDGES_APART
            opacity = _EDGE_OPACITY * min(1.0, max(apart, _FAINTEST_EDGE))
            self._draw_with(sight, number, pane, Shade("EDGES"), opacity)
            sight.scene.parts[number].draw()
        GL.glDepthMask(True)
        GL.glDisable(GL.GL_POLYGON_OFFSET_LINE)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)

    def _draw_with(
        self, sight: "_Sight", number: int, pane: Pane, shade: Shade, opacity: float
    ) -> Program:
        """Make current, and return, what draws one part in a pane."""
        options = sight.look.options
        program = draw_with(self._programs, sight.scene, number, pane.method, options, shade)
        program.see(sight.camera, pane.width / pane.height)
        program.number("u_opacity", opacity)
        return program

    def _part(self, sight: "_Sight", number: int, pane: Pane, look: Look) -> None:
        """Draw one part by a look of its own."""
        scene, material = sight.scene, _material(sight.scene, number)
        alpha, scalar = _alpha(scene, number, look), SCALARS.get(look.shading)
        difference = _DIFFERENCES.get(look.shading)
        maps = maps_of(material) if look.shading == "textured" else 0
        shade = Shade(_SHADINGS[look.shading], alpha, material.unlit, difference, maps)
        opacity = _XRAY_OPACITY if look.xray else 1.0
        program = self._draw_with(sight, number, pane, shade, opacity)
        if look.shading == "textured":
            bind_surface(program, material, _TEXTURE_UNIT, scene.bind_texture)
            program.integer("u_parallel", int(sight.camera.orthographic))
        elif scalar is not None:
            self._bind_map(scalar.colour_map, _MAP_UNIT)
            program.number("u_lines", scalar.lines)
            program.number("u_unit", _unit(scene, look))
            program.number("u_least", DISPLACED * scene.deformer.size)
            program.integer("u_colour_map", _MAP_UNIT)
        if scalar is not None or look.shading in TINTS:
            # Under heat nothing is the undeformed, which is clay.
            ramp = colour_map("heat") if look.shading == "heat" else None
            program.vector("u_zero_colour", rgb(ramp[0] if ramp else theme(look.theme)["zero"]))
        set_blending(enabled=alpha == "BLEND" or look.xray)
        GL.glDepthMask(alpha != "BLEND")
        cull = look.shading == "textured" and not material.double_sided and not look.xray
        (GL.glEnable if cull else GL.glDisable)(GL.GL_CULL_FACE)
        scene.parts[number].draw()
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glDepthMask(True)

    def _overlay(
        self,
        content: Overlay,
        space: "_Space",
        look: Look,
        *,
        behind: float | None = None,
        front: bool = False,
    ) -> None:
        """Draw lines, dots and faces; those behind a mesh at strength `behind`, if any."""
        GL.glDepthMask(False)
        set_blending(enabled=True)
        (GL.glDisable if front else GL.glEnable)(GL.GL_DEPTH_TEST)
        passes: list[tuple[int, float]] = [(GL.GL_LEQUAL, 1.0)]
        if behind is not None:
            passes.insert(0, (GL.GL_GREATER, behind))
        shapes = [
            (name, instances)
            for name, rows, instances in (
                ("facet", content.facets, self._facets),
                ("line", content.lines, self._lines),
                ("dot", content.dots, self._dots),
            )
            if instances.upload(rows)
        ]
        for comparison, opacity in passes:
            GL.glDepthFunc(comparison)
            for name, instances in shapes:
                program = self._program(name)
                program.use()
                program.matrix("u_clip_from_model", space.clip_from_model)
                program.number("u_opacity", opacity)
                if name != "facet":
                    program.vector("u_viewport", space.size)
                    program.number("u_pixel_ratio", space.pixel_ratio)
                if name == "dot":
                    program.vector("u_rim", rgb(theme(look.theme)["viewport_bottom"]))
                instances.draw()
        GL.glDepthMask(True)
        GL.glDepthFunc(GL.GL_LEQUAL)

    def _program(self, name: str, **defines: float) -> Program:
        return self._programs.of(f"{name}.vert", f"{name}.frag", defines)

    def _bind_map(self, name: str, unit: int) -> None:
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        if name not in self._maps:
            texels = (np.array([rgb(c) for c in colour_map(name)]) * 255).round().astype(np.uint8)
            texture = int(GL.glGenTextures(1))
            GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
            GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
            GL.glTexImage2D(
                GL.GL_TEXTURE_2D, 0, GL.GL_RGB8, 256, 1, 0, GL.GL_RGB, GL.GL_UNSIGNED_BYTE, texels
            )
            for setting in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
                GL.glTexParameteri(GL.GL_TEXTURE_2D, setting, GL.GL_LINEAR)
            for setting in (GL.GL_TEXTURE_WRAP_S, GL.GL_TEXTURE_WRAP_T):
                GL.glTexParameteri(GL.GL_TEXTURE_2D, setting, GL.GL_CLAMP_TO_EDGE)
            self._maps[name] = texture
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._maps[name])

    def close(self) -> None:
        """Delete programs, maps and buffers."""
        self._programs.close()
        GL.glDeleteVertexArrays(1, [self._empty])
        if self._maps:
            GL.glDeleteTextures(len(self._maps), list(self._maps.values()))
        for instances in (self._lines, self._dots, self._facets, self._spheres):
            instances.close()


def _leave_clean() -> None:
    """Put back what a host that draws after us takes for granted, text above all."""
    GL.glDisable(GL.GL_SCISSOR_TEST)
    GL.glDisable(GL.GL_DEPTH_TEST)
    GL.glBindVertexArray(0)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, 0)
    GL.glUseProgram(0)
    GL.glActiveTexture(GL.GL_TEXTURE0)
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 4)


@dataclass(frozen=True, eq=False)
class _Sight:
    """What all panes of a picture show, each by a method of its own, and what lies over the meshes."""

    scene: Scene
    frame: Frame
    camera: Camera
    look: Look
    pixel_ratio: float
    ground: Overlay
    bones: Overlay
    first: Pane


def _look_in(sight: _Sight, pane: Pane) -> Look:
    """Return the look of a pane: the first one may have the file's textures."""
    look = sight.look
    takes = look.file_look and look.shading == "clay" and pane is sight.first
    return replace(look, shading="textured") if takes and sight.scene.has_textures else look


@dataclass(frozen=True)
class _Space:
    """How overlay geometry comes on screen."""

    clip_from_model: FloatArray
    size: tuple[int, int]
    pixel_ratio: float


def _shown_of(look: Look, number: int, past: Past | None) -> Look:
    """Return the look of one part: clay where it has nothing to be compared with."""
    if look.shading not in COMPARING:
        return look
    known = past is not None and number in past.before.changes.comparable
    return look if known else replace(look, shading="clay")


def _unit(scene: Scene, look: Look) -> float:
    """Return the metres at which the colours of a difference end."""
    if look.shading == "displaced" and scene.past is not None:
        changes = scene.past.before.changes
        return changes.displacement_end * changes.size
    return DIFFERENCE_RANGE * scene.deformer.size


def _material(scene: Scene, number: int) -> Material:
    rig = scene.deformer.rig
    return rig.material_of(rig.parts[number])


def _alpha(scene: Scene, number: int, look: Look) -> AlphaMode:
    return _material(scene, number).alpha_mode if look.shading == "textured" else "OPAQUE"


def _vertex_marks(scene: Scene, frame: Frame, pane: Pane, look: Look) -> Overlay:
    """Return dots on marked, chosen and selected vertices, where this pane's method puts them."""
    marks = Overlay()
    pointed_out = [
        (part, list(numbers), token, small if len(numbers) > _MANY else large)
        for token, vertices, small, large in (
            ("warning", look.marked, 2.0, 3.5),
            ("accent", look.chosen, 1.2, 3.0),
        )
        for part, numbers in vertices
    ]
    if look.vertex is not None:
        pointed_out.append((look.vertex[0], [look.vertex[1]], "accent", 4.0))
    for part, numbers, token, radius in pointed_out:
        skinned = scene.deformer.skin(part, frame, ASKED[pane.method], look.options)
        colour = rgb(theme(look.theme)[token])
        marks.add_dots(skinned.positions[numbers], (*colour, 1.0), radius)
    return marks


def _pixels_to_clip(pane: Pane, ratio: float) -> FloatArray:
    """Return the matrix from logical pixels above the pane's lower left corner to clip space."""
    matrix = np.eye(4)
    matrix[0, 0], matrix[1, 1] = 2.0 * ratio / pane.width, 2.0 * ratio / pane.height
    matrix[0, 3] = matrix[1, 3] = -1.0
    return matrix
