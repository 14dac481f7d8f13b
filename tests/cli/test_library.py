"""``rigview library``: runs are kept in SQLite, and questions are answered from them."""

import shutil


def test_runs_are_kept_and_asked(rigview, samples, broken, tmp_path):
    rigs, db = tmp_path / "rigs", tmp_path / "lib.sqlite"
    rigs.mkdir()
    shutil.copyfile(broken("WGT-COUNT"), rigs / "many.glb")
    shutil.copyfile(broken("ORI-PRIMARY"), rigs / "arm.glb")
    (rigs / "bad.glb").write_bytes(b"no rig\n")
    add = ("library", rigs, "--db", db, "-j", 2, "--json")

    def asked(*words):
        return rigview("library", "query", *words, "--db", db, "--json").json["rows"]

    first = rigview(*add)
    assert (first.status, first.json["unchecked"]) == (2, 1)
    most = rigview("info", rigs / "many.glb", "--json").json["skins"][0]["max_influences"]
    assert asked("influences", most - 1)[0] == {
        "file": str(rigs / "many.glb"),
        "influences": most,
    }
    assert str(rigs / "many.glb") not in [row["file"] for row in asked("influences", most)]

    # One file is repaired, one mended by hand.
    assert rigview("fix", rigs / "arm.glb", "--in-place", "--fail-on", "never").status == 0
    shutil.copyfile(samples / "box.glb", rigs / "bad.glb")
    assert rigview(*add).json["unchecked"] == 0
    runs = asked("trend")
    assert [run["unchecked"] for run in runs] == [1, 0]
    changes = {(r["change"], r["file"], r["rule"]) for r in asked("changed", runs[1]["time"])}
    assert ("gone", str(rigs / "arm.glb"), "ORI-PRIMARY") in changes
    assert ("new", str(rigs / "bad.glb"), "DEF-COLLAPSE") in changes
    assert not any(file == str(rigs / "many.glb") for _, file, _ in changes)

    assert asked("SELECT count(*) AS n FROM files") == [{"n": 6}]
    refused = rigview("library", "query", "DELETE FROM files", "--db", db)
    assert (refused.status, asked("SELECT count(*) AS n FROM files")) == (2, [{"n": 6}])
    assert "did you mean changed?" in rigview("library", "query", "change", "--db", db).err
    box = rigs / "bad.glb"
    before = box.read_bytes()
    assert rigview("library", rigs, "--db", box).status == 2
    assert box.read_bytes() == before
