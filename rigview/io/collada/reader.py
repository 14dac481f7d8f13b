"""Read a Collada document into a `Rig`. Meshes and skins are read here, all else by modules beside this."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.materials import Unread
from rigview.core.mesh import Influences, Mesh, MorphTargets, Primitive
from rigview.core.placement import Up, scaled, to_y_up, turned
from rigview.core.rig import Origin, Rig, Skin, Unsupported
from rigview.io.collada.animation import Weights, read_clips
from rigview.io.collada.controllers import ControllerSkin, Deformed, resolve, without
from rigview.io.collada.effects import is_double_sided
from rigview.io.collada.elements import child, children, tag, title, words
from rigview.io.collada.geometry import UnboundPrimitive, control_points, surfaces
from rigview.io.collada.materials import ColladaMaterials, MaterialBinding
from rigview.io.collada.scene import ColladaScene, invisible, read_nodes, read_scene
from rigview.io.collada.tree import ColladaDocument, parse
from rigview.io.reading import Listener, Loaded, hidden, quoted

_UPS: dict[str, Up] = {"X_UP": "X", "Y_UP": "Y", "Z_UP": "Z"}


def load(path: Path, listener: Listener) -> Loaded:
    """Read a .dae file.

    Raises
    ------
    LoadError
        If it is damaged.
    """
    return read(path, listener).loaded


@dataclass(frozen=True, eq=False)
class ColladaReading:
    """A file that was read, with the elements that each part of its rig was read from.

    Parameters
    ----------
    bindings
        Node with a skin → its binding, the joints that the file lists and the scene has not, and the
        surfaces of its mesh.
    """

    document: ColladaDocument
    scene: ColladaScene
    loaded: Loaded
    bindings: "dict[int, Bindings]"
    unit: float
    up: Up


def read(path: Path, listener: Listener) -> ColladaReading:
    """Read a .dae file, and keep what its parts were read from."""
    listener.stage("reading the file", 0.0)
    document = parse(path)
    asset = child(document.root, "asset")
    listener.stage("reading the skeleton", 0.3)
    scene = read_scene(document)
    nodes = read_nodes(document, scene)
    unit, up = _unit(document, asset), _up(asset)
    build = _Build(document, scene)
    for number, instance in enumerate(scene.instances):
        if instance is not None:
            listener.stage("reading meshes", 0.4)
            build.add(number, instance)
    document.notes.extend(build.materials.pictures.notes)
    listener.stage("reading clips", 0.7)
    clips = read_clips(document, scene, nodes, build.weights, path.stem)
    rig = Rig(
        nodes,
        tuple(build.node_meshes),
        tuple(build.node_skins),
        nodes.roots,
        tuple(build.meshes),
        tuple(build.skins),
        tuple(build.materials.materials),
        tuple(build.materials.pictures.images),
        clips,
        unread=(*scene.unread, *build.unread, *build.materials.pictures.unread),
        # What hangs on a missing mesh is not known: any joint may move it.
        unseen=(*document.notes.unseen, *map(_missed, (*scene.unread, *build.unread))),
        bones=frozenset(
            number
            for number, element in enumerate(scene.elements)
            if element is not None and element.get("type") == "JOINT"
        ),
    )
    off = {node for top in invisible(scene) for node in nodes.subtree(top)}
    rig = hidden(rig, off, document.notes)
    rig = turned(scaled(rig, unit), to_y_up(up))
    origin = Origin("Collada", generator=document.tool, unit_m=unit, up=up)
    listener.stage("done", 1.0)
    rig = replace(rig, origin=origin)
    loaded = Loaded(path, rig, document.original, tuple(document.notes))
    return ColladaReading(document, scene, loaded, build.bindings, unit, up)


def _unit(document: ColladaDocument, asset: Element | None) -> float:
    """Return the metres of one unit; the specification's default is 1."""
    found = child(asset, "unit")
    if found is None:
        return 1.0
    text = found.get("meter", "1.0")
    try:
        (value,) = document.parsed(text).tolist()
    except ValueError:
        value = np.nan
    if not 1e-9 <= value <= 1e9:
        document.bear(found, f"a unit cannot have {quoted(text) or 'no'} metres: it is taken for 1")
        return 1.0
    return float(value)


def _up(asset: Element | None) -> Up:
    return _UPS.get(words(child(asset, "up_axis")), "Y")


def _missed(unread: Unread) -> Unsupported:
    return Unsupported("influences", f"{unread.where}: {unread.reason}")


@dataclass(frozen=True, eq=False)
class Bindings:
    """The binding of a node's mesh as the file states it, without what the scene lacks left out.

    Parameters
    ----------
    kept
        The numbers of the file's joints that the skin has, in its order.
    """

    binding: ControllerSkin
    kept: tuple[int, ...]
    surfaces: tuple[UnboundPrimitive, ...]


@dataclass(eq=False)
class _Build:
    """Meshes and skins as the nodes instance them."""

    document: ColladaDocument
    scene: ColladaScene
    meshes: list[Mesh] = field(default_factory=list)
    skins: list[Skin] = field(default_factory=list)
    weights: dict[Element, Weights] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    bindings: dict[int, Bindings] = field(default_factory=dict)
    node_meshes: list[int | None] = field(init=False)
    node_skins: list[int | None] = field(init=False)
    materials: ColladaMaterials = field(init=False)
    _deformed: dict[Element, Deformed] = field(default_factory=dict)
    _surfaces: dict[Element, list[UnboundPrimitive]] = field(default_factory=dict)
    _known: dict[tuple[object, ...], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.node_meshes = [None] * len(self.scene.names)
        self.node_skins = [None] * len(self.scene.names)
        self.materials = ColladaMaterials(self.document)

    def add(self, node: int, instance: Element) -> None:
        """Put an instanced geometry or controller on a node."""
        url = self.document.dangling(instance)
        if url is not None:
            self.unread.append(Unread(f"<{tag(instance)}>", f"{quoted(url)} is not in the file"))
            return
        kinds = ("geometry", "controller")
        if tag(instance) == "instance_controller":
            kinds = ("controller", "geometry")
        source = self.document.target(instance, "url", *kinds)
        if source not in self._deformed:
            self._deformed[source] = resolve(self.document, source)
        deformed = self._deformed[source]
        joints = [] if deformed.binding is None else self._joints(deformed.binding, instance)
        lost = tuple(i for i, joint in enumerate(joints) if joint is None)
        if deformed.binding is not None and deformed.geometry is not None:
            kept = tuple(i for i, joint in enumerate(joints) if joint is not None)
            surfaces_ = tuple(self._of(deformed.geometry))
            self.bindings[node] = Bindings(deformed.binding, kept, surfaces_)
        if deformed.binding is not None and lost:
            deformed = replace(deformed, binding=without(self.document, deformed.binding, lost))
        if deformed.geometry is None:
            where = f'<controller "{quoted(title(source))}">'
            self.unread.append(Unread(where, "the geometry that it deforms does not exist"))
        symbols = self.materials.bound(instance)
        key = (source, lost, *sorted(symbols.items(), key=lambda item: item[0]))
        if key not in self._known:
            self._known[key] = len(self.meshes)
            self.meshes.append(self._mesh(deformed, symbols))
        self.node_meshes[node] = self._known[key]
        if deformed.binding is not None:
            present = tuple(joint for joint in joints if joint is not None)
            self.node_skins[node] = self._skin(deformed.binding, present)
        if deformed.weights_source is not None:
            known = self.weights.setdefault(deformed.weights_source, Weights(deformed.weights, []))
            known.nodes.append(node)

    def _of(self, geometry: Element) -> list[UnboundPrimitive]:
        if geometry not in self._surfaces:
            self._surfaces[geometry] = surfaces(self.document, geometry)
        return self._surfaces[geometry]

    def _mesh(self, deformed: Deformed, symbols: dict[str, MaterialBinding]) -> Mesh:
        binding, geometry = deformed.binding, deformed.geometry
        if geometry is None:
            return Mesh("", ())
        targets = self._targets(geometry, deformed)
        points = len(control_points(self.document, geometry))
        if binding is not None and len(binding.influences.joints) != points:
            raise self.document.error(
                binding.element,
                f"influences of {len(binding.influences.joints)} vertices for {points} positions",
            )
        primitives = tuple(
            self._primitive(surface, deformed, targets, self._material(geometry, surface, symbols))
            for surface in self._of(geometry)
        )
        return Mesh(title(geometry), primitives, deformed.weights if len(targets) else np.zeros(0))

    def _material(
        self, geometry: Element, surface: UnboundPrimitive, symbols: dict[str, MaterialBinding]
    ) -> int | None:
        found = symbols.get(surface.symbol)
        if found is None:
            return None
        return self.materials.number(found, surface.uv_sets, sides=is_double_sided(geometry))

    def _targets(self, geometry: Element, deformed: Deformed) -> FloatArray:
        """Return ``(T, P, 3)`` displacements of the control points."""
        base = control_points(self.document, geometry)
        result = np.zeros((len(deformed.targets), *base.shape))
        for i, target in enumerate(deformed.targets):
            points = control_points(self.document, target)
            if points.shape != base.shape:
                raise self.document.error(
                    target, f"a morph target of {len(points)} positions, not {len(base)}"
                )
            result[i] = points if deformed.relative else points - base
        return result

    def _primitive(
        self,
        surface: UnboundPrimitive,
        deformed: Deformed,
        targets: FloatArray,
        material: int | None,
    ) -> Primitive:
        positions, normals, influences = surface.positions, surface.normals, None
        triangles = surface.triangles
        binding = deformed.binding
        displaced = targets[:, surface.control]
        if binding is not None:
            shape = binding.mesh_from_file
            positions = affine.transform_points(shape, positions)
            displaced = displaced @ shape[:3, :3].T
            turn, step = affine.of_surface(shape[:3, :3])
            triangles = triangles[:, ::step]
            if normals is not None:
                normals = normals @ turn.T
            influences = _taken(binding.influences, surface.control)
        morphs = None
        if len(targets):
            names = tuple(title(target) for target in deformed.targets)
            morphs = MorphTargets(displaced, names=names)
        return Primitive(
            positions,
            triangles,
            surface.lines,
            np.zeros(0, dtype=np.int64),
            normals=normals,
            uvs=surface.uvs,
            colours=surface.colours,
            influences=influences,
            morphs=morphs,
            material=material,
        )

    def _skin(self, binding: ControllerSkin, joints: tuple[int, ...]) -> int:
        key = (binding.element, joints)
        if key not in self._known:
            self._known[key] = len(self.skins)
            self.skins.append(Skin(binding.name, joints, binding.inverse_binds))
        return self._known[key]

    @property
    def _elements(self) -> Iterator[Element]:
        """The elements of the scene's nodes."""
        return (element for element in self.scene.elements if element is not None)

    def _joints(self, binding: ControllerSkin, instance: Element) -> list[int | None]:
        """Return the nodes of the joints, None of those that are not in the scene."""
        roots = [words(e).removeprefix("#") for e in children(instance, "skeleton")]
        return [self._joint(binding, name, roots) for name in binding.joints]

    def _joint(self, binding: ControllerSkin, name: str, roots: list[str]) -> int | None:
        """Find a joint: by scoped id below the skeletons, then anywhere by id, scoped id or name."""
        found = self.document.find(name, "node") if binding.by_id else None
        for root in roots:
            start = self.document.find(root, "node", "visual_scene")
            if found is None and start is not None:
                found = _below(start, "sid", name)
        if found is None:
            found = self.document.find(name, "node")
        for attribute in ("sid", "name"):
            if found is None:
                found = next((e for e in self._elements if e.get(attribute) == name), None)
        return None if found is None else next(iter(self.scene.numbers(found)), None)


def _below(start: Element, attribute: str, value: str) -> Element | None:
    return next((e for e in start.iter() if tag(e) == "node" and e.get(attribute) == value), None)


def _taken(influences: Influences, control: IntArray) -> Influences:
    """Return the influences of vertices by the control points they came from."""
    return Influences(influences.joints[control], influences.weights[control])
