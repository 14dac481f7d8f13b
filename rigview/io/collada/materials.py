"""Materials: the diffuse colour or texture of a COMMON effect."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from rigview.core.materials import AlphaMode, Image, Material, Texture, Unread
from rigview.io.allowance import Allowance
from rigview.io.collada.effects import Effect
from rigview.io.collada.tree import Document, child, children, words
from rigview.io.images import ANY, Spot, allowance, picture, read_beside
from rigview.io.reading import LoadError


@dataclass(frozen=True)
class Bound:
    """A <material>, and which set of texture coordinates each word of its effect means."""

    material: Element
    sets: tuple[tuple[str, int], ...]


@dataclass(eq=False)
class Materials:
    """The materials and images met so far, each once."""

    document: Document
    materials: list[Material] = field(default_factory=list)
    images: list[Image | None] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    _effects: dict[Element, Effect] = field(default_factory=dict)
    _materials: dict[tuple[Element, int, bool], int] = field(default_factory=dict)
    _images: dict[Element, int] = field(default_factory=dict)
    _allowance: Allowance = field(default_factory=allowance)

    def bound(self, instance: Element) -> dict[str, Bound]:
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
                result[found.get("symbol", "")] = Bound(target, tuple(sets.items()))
        return result

    def number(self, bound: Bound, uv_sets: Sequence[int], *, sides: bool) -> int:
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
            self.unread.append(Unread(error.where, error.reason))
            return Effect()

    def _material(self, element: Element, uv_set: int, sides: bool) -> Material:
        effect = self._effects[element]
        texture = None
        number = None if effect.picture is None else self._found(effect.picture)
        if number is not None:
            rows = tuple((float(a), float(b), float(c)) for a, b, c in effect.uv_transform)
            texture = Texture(number, uv_set, rows, effect.wrap, effect.nearest)
        name = element.get("name") or element.get("id") or ""
        alpha = 1.0 if effect.alpha is None else effect.alpha
        mode: AlphaMode = "BLEND" if effect.alpha is None or alpha < 1.0 else "OPAQUE"
        return Material(name, (*effect.colour, alpha), texture, mode, double_sided=sides)

    def _found(self, name: str) -> int | None:
        image = self.document.find(name, "image")
        if image is None:
            self.unread.append(Unread(f'<texture "{name}">', "the texture names no image"))
            return None
        return self._image(image)

    def _image(self, image: Element) -> int:
        if image not in self._images:
            self._images[image] = len(self.images)
            place = child(image, "init_from")
            inner = child(place, "ref")
            reference = words(inner if inner is not None else place)
            name = image.get("name") or image.get("id") or reference
            spot = Spot(self.document.path, f'<image "{name}">')
            try:
                data = read_beside(spot, self.document.path, reference)
                self.images.append(Image(name, picture(spot, data, self._allowance, ANY)))
            except LoadError as error:
                self.unread.append(Unread(error.where, error.reason))
                self.images.append(None)
        return self._images[image]
