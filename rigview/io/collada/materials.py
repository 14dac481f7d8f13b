"""Materials: the diffuse colour or texture of a COMMON effect."""

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from rigview.core.materials import Image, Material, Texture, Unread
from rigview.io.allowance import Allowance
from rigview.io.collada.tree import Document, child, children, tag, words
from rigview.io.images import ANY, Spot, allowance, picture, read_beside
from rigview.io.reading import LoadError

_SHADERS = ("phong", "lambert", "blinn", "constant")


@dataclass(eq=False)
class Materials:
    """The materials and images met so far, each once."""

    document: Document
    materials: list[Material] = field(default_factory=list)
    images: list[Image | None] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    _materials: dict[Element, int] = field(default_factory=dict)
    _images: dict[Element, int] = field(default_factory=dict)
    _allowance: Allowance = field(default_factory=allowance)

    def bound(self, instance: Element) -> dict[str, int]:
        """Return the material number of every symbol that an instance binds."""
        common = child(instance, "bind_material", "technique_common")
        result = {}
        for found in children(common, "instance_material"):
            target = self.document.ids.get(found.get("target", "").removeprefix("#"))
            if target is not None and tag(target) == "material":
                result[found.get("symbol", "")] = self._number(target)
        return result

    def _number(self, material: Element) -> int:
        if material not in self._materials:
            self._materials[material] = len(self.materials)
            self.materials.append(self._material(material))
        return self._materials[material]

    def _material(self, material: Element) -> Material:
        name = material.get("name") or material.get("id") or ""
        instance = child(material, "instance_effect")
        effect = None
        if instance is not None:
            effect = self.document.ids.get(instance.get("url", "").removeprefix("#"))
        profile = child(effect, "profile_COMMON")
        technique = child(profile, "technique")
        shader = next(iter(children(technique, *_SHADERS)), None)
        diffuse = child(shader, "diffuse")
        if diffuse is None and shader is not None and tag(shader) == "constant":
            diffuse = child(shader, "emission")
        colour, texture = child(diffuse, "color"), child(diffuse, "texture")
        rgba = (1.0, 1.0, 1.0, 1.0)
        if colour is not None:
            values = [float(v) for v in self.document.numbers(colour)[:3]]
            if len(values) == 3:
                rgba = (values[0], values[1], values[2], 1.0)
        number = None if texture is None or profile is None else self._texture(profile, texture)
        return Material(name, rgba, None if number is None else Texture(number))

    def _texture(self, profile: Element, texture: Element) -> int | None:
        """Follow a texture through its sampler and surface to an image."""
        sid = texture.get("texture", "")
        params = {p.get("sid", ""): p for p in children(profile, "newparam")}
        sampler = child(params.get(sid), "sampler2D")
        if sampler is not None:
            direct = child(sampler, "instance_image")
            if direct is not None:
                sid = direct.get("url", "").removeprefix("#")
            else:
                surface = child(params.get(words(child(sampler, "source"))), "surface")
                sid = words(child(surface, "init_from"))
        image = self.document.ids.get(sid)
        if image is None or tag(image) != "image":
            self.unread.append(Unread(f'<texture "{sid}">', "the texture names no image"))
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
