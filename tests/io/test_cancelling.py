"""Reading tells of its progress, and whoever hears it can stop it anywhere."""

import numpy as np
import pytest
from documents import EMBEDDED, Document, arm

from rigview.io import Cancelled, Listener, files, load, reading
from rigview.io.gltf import accessors, animation, embedded, parsing


class Stages(Listener):
    """Notes the stages and cancels at one of them."""

    def __init__(self, stop=-1):
        self.told, self.rigs, self._stop = [], [], stop

    def stage(self, text, fraction):
        if len(self.told) == self._stop:
            raise Cancelled
        self.told.append((fraction, text))

    def skeleton(self, rig):
        self.rigs.append(rig)


@pytest.fixture
def patient(monkeypatch):
    """Take every file for a large one."""
    monkeypatch.setattr(reading, "PULSE_S", 0.0)
    monkeypatch.setattr(files, "_CHUNK", 64)
    monkeypatch.setattr(embedded, "_CHUNK", 64)
    monkeypatch.setattr(embedded, "_LONG", 64)
    monkeypatch.setattr(parsing, "_TEXT_CHUNK", 64)
    monkeypatch.setattr(accessors, "_LARGE", 0)
    monkeypatch.setattr(animation, "_MANY", 1)


def saved(folder):
    yield arm().save_glb(folder / "arm.glb")
    yield arm().save(folder / "embedded.gltf")
    yield arm().save(folder / "beside.gltf", uri="beside.bin")


def test_a_gltf_is_stopped_at_every_sign_of_progress(patient, tmp_path):
    for path in saved(tmp_path):
        stages = Stages()
        load(path, stages)
        fractions = [fraction for fraction, _ in stages.told]
        assert fractions == sorted(fractions)
        assert (fractions[0], fractions[-1]) == (0.0, 1.0)
        assert stages.rigs[0].nodes.names == load(path).rig.nodes.names
        for stop in range(len(fractions)):
            with pytest.raises(Cancelled):
                load(path, Stages(stop))


@pytest.mark.parametrize("about", ["the file", "the skeleton", "mesh 1 ", "clip 1 "])
def test_long_work_within_a_stage_tells_of_itself(about, patient, tmp_path):
    for path in saved(tmp_path):
        stages = Stages()
        load(path, stages)
        told = [text for _, text in stages.told if text.startswith(f"reading {about}")]
        assert len(told) > 1, path


def test_a_file_read_piece_by_piece_is_the_same(patient, tmp_path):
    rng = np.random.default_rng(1)
    doc = Document(scenes=[{"nodes": [0]}], nodes=[{"mesh": 0}])
    points = rng.random((100, 3)).astype(np.float32)
    attributes = {"POSITION": doc.accessor(points)}
    doc.json["meshes"] = [{"primitives": [{"attributes": attributes, "mode": 0}]}]
    for path in (
        doc.save_glb(tmp_path / "a.glb"),
        doc.save(tmp_path / "b.gltf"),
        doc.save(tmp_path / "c.gltf", uri="c.bin"),
    ):
        got = load(path).rig.meshes[0].primitives[0].positions
        np.testing.assert_array_equal(got, points)


def test_an_embedded_image_is_decoded_piece_by_piece(patient, tmp_path):
    doc = arm()
    doc.json["images"] = [{"uri": EMBEDDED + "A" * 640}]
    stages = Stages()
    load(doc.save_glb(tmp_path / "image.glb"), stages)
    assert [text for _, text in stages.told].count("reading materials") > 10
