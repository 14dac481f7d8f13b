"""Materials: the diffuse colour or texture of a COMMON effect."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from rigview.core.materials import AlphaMode, Material, Surface, Texture
from rigview.io.collada.effects import Effect
from rigview.io.collada.elements import child, children, title, words
from rigview.io.collada.tree import ColladaDocument
from rigview.io.images import Pictures, Spot, read_beside
from rigview.io.reading import LoadError


@dataclass(frozen=True)
class MaterialBinding:
    """A <material>, and which set of texture coordinates each word of its effect means."""

    material: Element
    sets: tuple[tuple[str, int], ...]


@dataclass(eq=False)
class ColladaMaterials:
    """The materials and images met so far, each once."""

    document: ColladaDocument
    materials: list[Material] = field(default_factory=list)
    pictures: Pictures = field(default_factory=Pictures)
    _effects: dict[Element, Effect] = field(default_factory=dict)
    _materials: dict[tuple[Element, int, bool], int] = field(default_factory=dict)

    def bound(self, instance: Element) -> dict[str, MaterialBinding]:
        """Return what an instance binds to every symbol."""
        common = child(instance, "bind_material", "technique_common")
        result = {}
        for found in children(common, "instance_material"):
            target = self.document.find(found.get("target"), "material")
            if target is not None:
                sets = {
                    place.get("semantic", ""): self.document.size(place, "input_set", 0)
                    for place in children(found, "bind_vertex_input")
                }
                result[found.get("symbol", "")] = MaterialBinding(target, tuple(sets.items()))
        return result

    def number(self, bound: MaterialBinding, uv_sets: Sequence[int], *, sides: bool) -> int:
        """Return the number of a material on a primitive.

        Parameters
        ----------
        uv_sets
            The sets of texture coordinates in the order of their numbers in rigview.
        sides
            Whether the geometry states to be seen from both sides.
        """
        if bound.material not in self._effects:
            self._effects[bound.material] = self._effect(bound.material)
        effect = self._effects[bound.material]
        wanted = dict(bound.sets).get(effect.texcoord)
        uv_set = uv_sets.index(wanted) if wanted in uv_sets else 0
        key = bound.material, uv_set, sides or effect.double_sided
        if key not in self._materials:
            self._materials[key] = len(self.materials)
            self.materials.append(self._material(*key))
        return self._materials[key]

    def _effect(self, material: Element) -> Effect:
        try:
            return Effect.of(self.document, material)
        except LoadError as error:
            self.pictures.leave_out(error)
            return Effect()

    def _material(self, element: Element, uv_set: int, sides: bool) -> Material:
        effect = self._effects[element]
        texture = None
        number = None if effect.picture is None else self._image(effect.picture)
        if number is not None:
            rows = tuple((float(a), float(b), float(c)) for a, b, c in effect.uv_transform)
            texture = Texture(number, uv_set, rows, effect.wrap, effect.nearest)
        name = title(element)
        alpha = 1.0 if effect.alpha is None else effect.alpha
        mode: AlphaMode = "BLEND" if effect.alpha is None or alpha < 1.0 else "OPAQUE"
        return Material(
            name,
            (*effect.colour, alpha),
            texture,
            mode,
            double_sided=sides,
            surface=self._surface(effect, uv_set),
        )

    def _surface(self, effect: Effect, uv_set: int) -> Surface:
        """Return normals and emission, on the coordinates of the colour."""

        def texture(name: str | None) -> Texture | None:
            image = None if name is None else self.document.find(name, "image")
            if image is None:
                return None
            number = self.pictures.further(*self._source(image))
            return None if number is None else Texture(number, uv_set)

        return Surface(
            normal_map=texture(effect.normal_map),
            emissive=effect.emissive,
            emissive_map=texture(effect.emissive_map),
        )

    def _image(self, name: str) -> int | None:
        image = self.document.find(name, "image")
        if image is None:
            place = Spot(self.document.path, f'<texture "{name}">')
            self.pictures.leave_out(place.error("the texture names no image"))
            return None
        return self.pictures.number(*self._source(image))

    def _source(self, image: Element) -> tuple[Element, str, Spot, Callable[[], bytes]]:
        """Return an image's key, its name, its place, and what reads it."""
        stated = child(image, "init_from")
        inner = child(stated, "ref")
        reference = words(inner if inner is not None else stated)
        own = title(image) or reference
        spot = Spot(self.document.path, f'<image "{own}">')
        return image, own, spot, lambda: read_beside(spot, self.document.path, reference)
