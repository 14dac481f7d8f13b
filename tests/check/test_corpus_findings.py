"""What the rules find in real rigs is what was looked at when their limits were set."""

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))
import corpus_findings

pytestmark = pytest.mark.corpus
TABLE = json.loads(corpus_findings.TABLE.read_text(encoding="utf-8"))
# Clean by what they are for (other copies carry old faults), and characters of studios.
KHRONOS = "DRx3D+glTF-Sample-Assets-OLD/Models"
CLEAN = tuple(
    f"{KHRONOS}/{name}"
    for name in (
        "CesiumMan/glTF-Binary",
        "RiggedFigure/glTF-Binary",
        "RiggedSimple/glTF-Binary",
        "Fox/glTF-Binary",
        "SimpleSkin/glTF/",
    )
)
STUDIO = ("Knight.glb", "Alpaca.glb", "Puffer.glb", "Formal.glb")
QUICK = ("RiggedFigure/glTF-Binary", "RiggedSimple/glTF-Binary", "Fox/glTF-Binary", "Puffer.glb")


def named(*parts):
    found = [name for name in TABLE if any(part in name for part in parts)]
    assert len(found) >= len(parts)
    return found


def rules(facts):
    return {severity: sorted(found) for severity, found in facts.items() if severity != "refused"}


def test_clean_samples_raise_no_error_and_no_warning():
    for name in named(*CLEAN):
        assert set(TABLE[name]) <= {"info"}, name


def test_studio_characters_raise_no_error_and_every_warning_states_its_measure():
    for name in named(*STUDIO):
        assert "error" not in TABLE[name]
        for messages in TABLE[name].get("warning", {}).values():
            assert all(messages)


@pytest.mark.parametrize("name", named(*QUICK), ids=lambda name: Path(name).stem)
def test_a_few_files_are_found_as_the_table_says(name, corpus):
    assert rules(corpus_findings.facts(corpus / "rigs" / name)) == rules(TABLE[name])


@pytest.mark.slow
def test_all_files_are_found_as_the_table_says(corpus):
    assert corpus_findings.skinned_files(corpus) == sorted(TABLE)
    for name in TABLE:
        assert rules(corpus_findings.facts(corpus / "rigs" / name)) == rules(TABLE[name]), name
