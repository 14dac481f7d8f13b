"""``--cache`` and ``--changed-since``: what is the same is not checked again, all else is."""

import json
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from rigview.app import batch, cache
from rigview.io import load, save

FEW = ("--select", "WGT-ZERO,WGT-SUM,HIE-ORDER")


@pytest.fixture
def asked(monkeypatch):
    """The names of the files that are checked, as they are."""
    names = []
    inner = batch._answered

    def answered(task, watcher):
        names.append(task.path.name)
        return inner(task, watcher)

    monkeypatch.setattr(batch, "_answered", answered)
    return names


@pytest.fixture
def parted(tmp_path, broken):
    """A glTF with its buffer beside it."""
    folder = tmp_path / "rigs"
    folder.mkdir()
    loaded = load(broken("WGT-ZERO"))
    save(loaded, loaded.rig, folder / "rig.gltf")
    assert (folder / "rig.bin").exists()
    return folder / "rig.gltf"


def timeless(text):
    return re.sub(r'"seconds": [\d.]+', "", text)


@pytest.mark.parametrize("form", ["json", "html"])
def test_what_is_the_same_is_not_checked_again_and_told_the_same(
    rigview, broken, tmp_path, asked, form
):
    rigs = [shutil.copy(broken(rule), tmp_path) for rule in ("WGT-ZERO", "HIE-ORDER")]
    given = ("check", *FEW, *rigs, f"--cache={tmp_path / 'cache'}", "--format", form)
    first, second = rigview(*given), rigview(*given)
    assert asked == ["WGT-ZERO.glb", "HIE-ORDER.glb"]
    assert (second.status, timeless(second.out)) == (first.status, timeless(first.out))
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    shutil.move(rigs[0], moved)
    third = rigview("check", *FEW, moved, f"--cache={tmp_path / 'cache'}", "--format", "json")
    assert len(asked) == (2 if form == "json" else 3)
    (file,) = third.json["files"]
    assert file["file"] == str(moved / "WGT-ZERO.glb")
    assert file["read"] == [file["file"]]


@pytest.mark.parametrize(
    "change",
    [
        lambda rig: rig.with_suffix(".bin").write_bytes(rig.with_suffix(".bin").read_bytes()[::-1]),
        lambda rig: rig.write_text(rig.read_text() + " "),
        lambda rig: rig.with_name("rigview.toml").write_text("[limits]\nWGT-SUM.error = 0.5"),
        lambda rig: rig.with_name("rigview.toml").write_text('profile = "unity"'),
        lambda rig: rig.with_name("rigview.toml").write_text('[severity]\nWGT-ZERO = "info"'),
        lambda rig: rig.with_name("rigview.toml").write_text("[accept]\nWGT-SUM = 3"),
        lambda rig: rig.with_name("rigview.toml").write_text('fail-on = "info"'),
    ],
    ids=["buffer", "file", "limit", "profile", "severity", "accept", "fail-on"],
)
def test_what_has_changed_is_checked(rigview, parted, tmp_path, asked, change):
    given = ("check", *FEW, parted, f"--cache={tmp_path / 'cache'}")
    rigview(*given)
    rigview(*given)
    assert len(asked) == 1
    change(parted)
    rigview(*given)
    assert len(asked) == 2


def test_links_to_the_folder_of_a_rig_lead_to_the_same_result(rigview, parted, tmp_path, asked):
    link = tmp_path / "far" / "away"
    link.parent.mkdir()
    link.symlink_to(parted.parent)
    for folder in (link, parted.parent, link):
        rigview("check", *FEW, folder, f"--cache={tmp_path / 'cache'}")
    assert len(asked) == 1


def test_other_rules_and_options_are_other_results(rigview, parted, tmp_path, asked):
    given = ("check", parted, f"--cache={tmp_path / 'cache'}")
    for more in ((), ("--ignore", "WGT-ZERO"), ("--dry-run", *FEW), FEW, ("--profile", "dqs")):
        before = len(asked)
        rigview(*given, *more)
        assert len(asked) == before + 1


def test_baselines_are_taken_out_of_what_is_kept(rigview, parted, tmp_path, asked):
    known = tmp_path / "known.json"
    given = ("check", *FEW, parted, f"--cache={tmp_path / 'cache'}", "--baseline", known)
    rigview(*given, "--write-baseline")
    assert rigview(*given).status == 0
    assert rigview(*given[:-2]).status == 1
    assert len(asked) == 1


def test_damaged_entries_and_files_that_could_not_be_read_are_no_results(
    rigview, parted, tmp_path, asked
):
    (tmp_path / "rigs" / "bad.glb").write_bytes(b"no rig")
    cache = tmp_path / "cache"
    given = ("check", *FEW, tmp_path / "rigs", f"--cache={cache}")
    first = rigview(*given)
    (entry,) = cache.rglob("*.json")
    whole = entry.read_bytes()
    for content in (b"", b"[]", whole[: len(whole) // 2], b'{"status": "checked"}'):
        entry.write_bytes(content)
        asked.clear()
        assert rigview(*given).out == first.out
        assert asked == ["bad.glb", "rig.gltf"]
        assert json.loads(entry.read_bytes())["status"] == "checked"


def test_one_folder_serves_several_runs_at_once(broken, tmp_path):
    from rigview.app.tasks import Task
    from rigview.check.policy import NO_CONFIG, Configs, Policy

    path = broken("WGT-ZERO")
    task = Task(path, Policy.of(path, Configs(NO_CONFIG).of(path)), cache=tmp_path)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(batch.check_file(task))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({record.key for record in found}) == 1
    assert len([file for file in tmp_path.rglob("*") if file.is_file()]) == 1


def test_a_cache_that_is_no_folder_is_refused(rigview, parted):
    done = rigview("check", "--cache", parted, parted)
    assert (done.status, done.out) == (2, "")
    assert "a folder is wanted" in done.err


@pytest.fixture
def repository(parted, broken):
    """A repository of git that holds a glTF with its buffer, and a GLB."""
    if shutil.which("git") is None:
        pytest.skip("it runs git")
    folder = parted.parent
    shutil.copy(broken("HIE-ORDER"), folder)

    def git(*words):
        who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "rigs")
    return folder


def test_a_file_counts_as_changed_where_it_or_what_it_refers_to_did(
    rigview, repository, tmp_path, broken
):
    def changed():
        done = rigview(
            "check", *FEW, repository, "--changed-since", "HEAD", "--format", "json", "-j", 2
        )
        return sorted(file["file"].rpartition("/")[2] for file in done.json["files"])

    assert changed() == []
    (repository / "notes.txt").write_text("no rig refers to it")
    assert changed() == []
    buffer = repository / "rig.bin"
    before = buffer.read_bytes()
    buffer.write_bytes(before[::-1])
    assert changed() == ["rig.gltf"]
    buffer.write_bytes(before)
    shutil.copy(broken("WGT-ZERO"), repository / "HIE-ORDER.glb")
    shutil.copy(broken("WGT-ZERO"), repository / "new.glb")
    assert changed() == ["HIE-ORDER.glb", "new.glb"]


@pytest.mark.parametrize("reference", ["nowhere", "--output=a", ""])
def test_a_commit_that_git_does_not_know_is_refused(rigview, repository, reference):
    done = rigview("check", *FEW, repository, f"--changed-since={reference}")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)


def test_a_hook_of_the_repository_is_not_run(rigview, repository, tmp_path):
    trap = tmp_path / "ran"
    subprocess.run(["git", "config", "core.fsmonitor", f"touch {trap}"], cwd=repository, check=True)
    assert rigview("check", *FEW, repository, "--changed-since", "HEAD").status == 0
    assert not trap.exists()


def entries(folder):
    return {place.name: place for place in folder.glob("??/*.json")}


def aged(folder, *, days):
    for place in entries(folder).values():
        then = place.stat().st_mtime - 86400.0 * days
        os.utime(place, (then, then))


def test_what_was_longest_of_no_use_is_removed_first(rigview, broken, tmp_path):
    folder = tmp_path / "cache"
    old, used = broken("WGT-ZERO"), broken("HIE-ORDER")
    words = ("--select", "WGT-ZERO", f"--cache={folder}")
    rigview("check", old, *words)
    first = set(entries(folder))
    rigview("check", used, *words)
    aged(folder, days=3)
    assert rigview("check", used, *words).err == ""
    assert cache.trim(folder, sum(p.stat().st_size for p in entries(folder).values())) == 0
    most = sum(p.stat().st_size for p in entries(folder).values()) - 1
    assert cache.trim(folder, most) == 1
    assert not first & set(entries(folder))
    assert len(entries(folder)) == 1


def test_a_run_leaves_no_more_than_the_limit(rigview, broken, tmp_path):
    folder = tmp_path / "cache"
    words = ("check", broken("WGT-ZERO"), "--select", "WGT-ZERO", f"--cache={folder}")
    told = rigview(*words, "--cache-limit", 0)
    assert "1 old result removed, beyond 0 MiB" in told.err
    assert not entries(folder)
    assert rigview(*words).err == ""
    assert rigview(*words, "--cache-limit", -1).status == 2


def test_what_another_process_removes_meanwhile_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "ab").mkdir()
    for name in ("one", "two"):
        (tmp_path / "ab" / f"{name}.json").write_bytes(b"{}")
    other = tmp_path / "ab" / "kept.txt"
    other.write_bytes(b"not ours")
    unlink = Path.unlink

    def twice(place):
        unlink(place)
        unlink(place)

    monkeypatch.setattr(Path, "unlink", twice)
    assert cache.trim(tmp_path, 0) == 0
    assert list((tmp_path / "ab").iterdir()) == [other]
