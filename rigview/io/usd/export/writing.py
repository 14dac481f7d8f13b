"""Write any rig as a USD file of its own: the plan made here, the file made by the child."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image as Pillow

from rigview.core.materials import Image
from rigview.core.rig import Rig
from rigview.io.child_entry import Parent
from rigview.io.files import read_file, write_together
from rigview.io.reading import Listener
from rigview.io.usd.export.names import PrimNames
from rigview.io.usd.export.plan import StagePlan
from rigview.io.usd.export.planning import planned
from rigview.io.usd.package import packed_files
from rigview.io.usd.separate import answer, ask_separately, received


def save(rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig as a .usda or .usdc with its images in a folder beside it, or as one .usdz.

    Returns
    -------
    What of the rig the file does not carry.
    """
    stem = PrimNames.valid(out.stem)
    is_package = out.suffix.lower() == ".usdz"
    contents, names = _images(rig, "textures" if is_package else f"{out.stem}_textures")
    plan, notes = planned(replace(rig, images=()), stem, names)
    with TemporaryDirectory() as folder:
        file = Path(folder) / (f"{stem}.usdc" if is_package else f"{stem}{out.suffix.lower()}")
        empty = Path(folder) / "empty"
        empty.write_bytes(b"\0" * _room(plan))
        ask_separately(
            empty, Listener(), "rigview.io.usd.export.writing:write_plan", str(file), sent=plan
        )
        content = read_file(file)
    if is_package:
        content = packed_files([(file.name, content), *contents.items()])
        write_together({out: content})
    else:
        beside = {out.parent / Path(name): data for name, data in contents.items()}
        write_together(beside | {out: content})
    return notes


def _room(plan: StagePlan) -> int:
    """Return how many bytes a file of such a plan may have: the child may take memory and time by it."""
    arrays = [mesh.points.nbytes for mesh in plan.meshes]
    arrays += [mesh.triangles.nbytes for mesh in plan.meshes]
    arrays += [shape.offsets.nbytes for mesh in plan.meshes for shape in mesh.shapes]
    arrays += [clip.rotations.nbytes for clip in plan.clips]
    return 1 << 20 | sum(arrays)


def _images(rig: Rig, folder: str) -> tuple[dict[str, bytes], dict[int, str]]:
    """Return the images that materials show, as files, and the name of each by its number."""
    used = {texture.image for material in rig.materials for texture in material.textures}
    contents: dict[str, bytes] = {}
    names: dict[int, str] = {}
    given = PrimNames()
    for number in sorted(used):
        image = rig.images[number]
        if image is None:
            continue
        image.decode()
        if image.unread is not None:
            continue
        name = f"{folder}/{given.unique(Path(image.name).stem or f'image_{number}')}.png"
        contents[name], names[number] = _png(image), name
    return contents, names


def _png(image: Image) -> bytes:
    stream = io.BytesIO()
    Pillow.fromarray(image.pixels).save(stream, "PNG")
    return stream.getvalue()


def write_plan(parent: Parent, path: str, out: str) -> None:
    """Write, in the child, the plan that the parent sends."""

    def write(_listener: Listener, _earn: Callable[[int], object]) -> object:
        from rigview.io.usd.export.author import author

        author(received(parent), Path(out))
        return Path(out).stat().st_size

    answer(parent, path, write)
