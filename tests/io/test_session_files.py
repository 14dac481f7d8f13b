"""Sessions as files: what is written is read, and damaged files are refused in a sentence."""

import zipfile
from pathlib import Path
from random import Random

import pytest

from rigview.io.reading import LoadError, SaveError
from rigview.io.session_files import INDEX, SavedRig, SavedSession, opened_session, save_session

SESSION = SavedSession((SavedRig("arm.glb", "0" * 64),))
RECORD = bytes(range(256)) * 20


def packed(path: Path, how: int) -> Path:
    """Write a session as a program that packs ZIP files in its own way does."""
    with zipfile.ZipFile(path, "w", how) as archive:
        archive.writestr(INDEX, SESSION.to_json())
        archive.writestr("r1.record", RECORD)
    return path


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_damaged_session_is_refused_and_never_ends_in_another_error(tmp_path, how):
    file = packed(tmp_path / "s.rigview", how)
    whole, random = file.read_bytes(), Random(1)
    refused = []
    for _ in range(600):
        data = bytearray(whole)
        for _ in range(random.randint(1, 3)):
            data[random.randrange(len(data))] = random.randrange(256)
        file.write_bytes(data[: random.choice([len(data), random.randrange(len(data))])])
        try:
            _, read = opened_session(file)
            read("r1")
        except LoadError as error:
            refused.append(str(error))
    assert len(refused) > 300
    assert all(words.startswith(str(file)) for words in refused)


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused_by_name(tmp_path, how):
    with pytest.raises(LoadError, match="neither plainly nor by deflate"):
        opened_session(packed(tmp_path / "s.rigview", how))


def test_what_is_saved_is_read_and_nothing_but_a_session_is_replaced(tmp_path):
    file = tmp_path / "s.rigview"
    save_session(file, SESSION, [("r1", RECORD)])
    save_session(file, SESSION, [("r1", RECORD)])
    session, read = opened_session(file)
    assert (session.rigs, read("r1")) == (SESSION.rigs, RECORD)
    file.write_bytes(b"a novel")
    with pytest.raises(SaveError, match="no session of rigview"):
        save_session(file, SESSION, [])
    assert file.read_bytes() == b"a novel"
