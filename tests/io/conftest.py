"""What the tests of readers and writers share; their helpers are the modules beside them."""

import sys
from pathlib import Path

import pytest

# Tests are no package (--import-mode=importlib).
sys.path.append(str(Path(__file__).parent))
from documents import arm

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000001080200000090"
    "7753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


@pytest.fixture
def textured(tmp_path):
    """A .gltf in a folder of its own, with its buffer and two images beside it."""
    doc = arm()
    doc.json["images"] = [
        {"uri": "textures/one%20pixel.png"},
        {"uri": "gone.png"},
        {"uri": "x.ktx2"},
    ]
    doc.json["textures"] = [{"source": 0}]
    doc.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    folder = tmp_path / "source"
    (folder / "textures").mkdir(parents=True)
    (folder / "textures" / "one pixel.png").write_bytes(PIXEL)
    (folder / "x.ktx2").write_bytes(b"\xabKTX 20\xbb")
    return doc.save(folder / "arm.gltf", uri="arm.bin", indent=2)


@pytest.fixture
def pixel():
    """A PNG of one pixel."""
    return PIXEL
