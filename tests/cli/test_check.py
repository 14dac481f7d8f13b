"""``rigview check``: findings to the pipe, trouble to people, and a status that a gate can use."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rigview.check.run import run
from rigview.io import load

BROKEN = Path(__file__).parents[2] / "samples" / "broken"
REPORTS = sorted(BROKEN.glob("*.report.json"))
# Rules that look at little: what is tested here is the command.
FEW = ("--select", "WGT-ZERO,WGT-SUM,WGT-RANGE,HIE-ORDER,ORI-PRIMARY")
FINDING = {
    "rule", "severity", "message", "object", "joint", "clip", "time", "vertices", "value", "limit",
    "unit", "fix",
}  # fmt: skip


def test_every_broken_sample_has_its_report():
    samples = {path.stem for path in BROKEN.glob("*.gl*")}
    assert samples
    assert {path.name.removesuffix(".report.json") for path in REPORTS} == samples


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name.split(".")[0])
def test_a_broken_sample_gives_exactly_its_report(rigview, path):
    wanted = json.loads(path.read_text(encoding="utf-8"))
    sample = path.with_name(wanted["file"])
    (found,) = rigview("check", sample, "--format", "json").json["files"]
    found["file"] = Path(found["file"]).name
    for finding in found["findings"]:
        # What is the same in all findings of a rule is in the table of rules.
        del finding["title"]
        finding.pop("explanation", None)
        finding["fix"] = {"class": finding["fix"]["class"]}
    for finding, one in zip(found["findings"], wanted["findings"], strict=True):
        for number in ("value", "limit"):
            if finding[number] is not None:
                finding[number] = pytest.approx(finding[number], rel=1e-9)
        assert one == finding
    assert {key: found[key] for key in wanted} == wanted


def test_json_has_the_shape_of_the_design(rigview, broken):
    path = broken("WGT-SUM")
    done = rigview("check", *FEW, path, "--format", "json")
    assert (done.status, done.err) == (1, "")
    (report,) = done.json["files"]
    assert {"status", "file", "profile", "findings", "not_evaluated", "summary"} <= set(report)
    assert (report["file"], report["profile"]) == (str(path), "gltf")
    finding = report["findings"][0]
    assert set(finding) >= FINDING
    assert finding["vertices"]["count"] == len(finding["vertices"]["ids"]) == 5
    assert set(finding["fix"]) == {"class", "label"}
    assert report["summary"] == {"error": 1, "warning": 0, "info": 0}


@pytest.mark.parametrize("rule", ["WGT-SUM", "WGT-ZERO"])
def test_fixes_are_tried_where_that_is_asked_for(rigview, broken, rule):
    given = ("check", "--select", rule, broken(rule))
    (offered,) = rigview(*given, "--format", "json").json["files"][0]["findings"]
    (tried,) = rigview(*given, "--format", "json", "--dry-run").json["files"][0]["findings"]
    moved = tried["fix"].pop("max_displacement_m")
    assert tried == offered
    assert moved >= 0.0
    is_exact = tried["fix"]["class"] == "exact"
    assert not is_exact or moved < 1e-4
    words = "moves nothing" if is_exact else "moves at most"
    assert words in rigview(*given, "--dry-run").out


def test_several_files_are_listed_in_their_order(rigview, box, broken):
    done = rigview("check", *FEW, box, broken("HIE-ORDER"), "--format", "json")
    assert [r["file"] for r in done.json["files"]] == [str(box), str(broken("HIE-ORDER"))]


def test_a_folder_means_every_rig_in_it_in_order_of_name(rigview, box, tmp_path):
    for name in ("b.glb", "a.glb", "deep/c.GLB", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(box, tmp_path / name)
    reports = rigview("check", *FEW, tmp_path, "--format", "json").json["files"]
    names = [Path(r["file"]).relative_to(tmp_path).as_posix() for r in reports]
    assert names == ["a.glb", "b.glb", "deep/c.GLB"]


def test_a_folder_without_rigs_is_bad_usage(rigview, tmp_path):
    done = rigview("check", *FEW, tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "holds no" in done.err


def test_a_folder_without_rigs_does_not_stop_the_others(rigview, box, tmp_path):
    done = rigview("check", *FEW, tmp_path, box, "--format", "json")
    assert done.status == 2
    assert "holds no" in done.err
    told = [(r["file"], r["status"]) for r in done.json["files"]]
    assert told == [(str(tmp_path), "unchecked"), (str(box), "checked")]


def test_a_folder_named_like_a_rig_is_a_folder(rigview, box, tmp_path):
    (tmp_path / "hero.glb").mkdir()
    shutil.copy(box, tmp_path / "hero.glb" / "a.glb")
    done = rigview("check", *FEW, tmp_path, "--format", "json")
    assert (done.status, done.err) == (0, "")
    assert done.json["files"][0]["file"] == str(tmp_path / "hero.glb" / "a.glb")


def test_what_is_named_twice_is_checked_once(rigview, box, tmp_path):
    copy = shutil.copy(box, tmp_path / "a.glb")
    done = rigview("check", *FEW, copy, tmp_path, copy, "--format", "json")
    assert done.json["files"][0]["file"] == str(copy)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no links and pipes of this kind")
def test_odd_files_are_told_and_stop_nothing(rigview, box, tmp_path):
    shutil.copy(box, tmp_path / "good.glb")
    (tmp_path / "empty.glb").touch()
    (tmp_path / "gone.glb").symlink_to("nowhere.glb")
    (tmp_path / "loop.glb").symlink_to("loop.glb")
    (tmp_path / "up").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.glb")
    done = rigview("check", *FEW, tmp_path, "--format", "json")
    assert done.status == 2
    told = [(r["status"], Path(r["file"]).name) for r in done.json["files"]]
    assert ("checked", "good.glb") in told
    names = [name for status, name in told if status == "unchecked"]
    assert names == ["empty.glb", "gone.glb", "loop.glb", "pipe.glb"]
    assert done.err.count("\n") == len(names)


def test_a_place_where_nothing_can_be_written_is_told_before_the_work(rigview, tmp_path):
    lost = tmp_path / "missing" / "report.xml"
    done = rigview("check", "nowhere.glb", "-o", lost)
    assert (done.status, done.err) == (2, f"rigview: {lost}: there is no folder {lost.parent}\n")
    done = rigview("check", "nowhere.glb", "-o", tmp_path)
    assert (done.status, done.err) == (2, f"rigview: {tmp_path}: this is a folder, not a file\n")
    done = rigview("check", "nowhere.glb", "--baseline", lost, "--write-baseline")
    assert "there is no folder" in done.err
    assert "nowhere.glb" not in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no links and pipes of this kind")
def test_a_report_goes_into_pipes_and_along_links_and_leaves_both(rigview, box, tmp_path):
    pipe, link, target = tmp_path / "pipe", tmp_path / "link", tmp_path / "target"
    os.mkfifo(pipe)
    link.symlink_to(target)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert rigview("check", *FEW, box, "-o", pipe).status == 0
        assert str(box).encode() in os.read(reader, 1 << 16)
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    for text in ("", "an old report"):
        target.write_text(text)
        assert rigview("check", *FEW, box, "-o", link).status == 0
        assert link.is_symlink()
        assert str(box) in target.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="only there names are bytes")
@pytest.mark.parametrize("form", ["junit"])
def test_a_name_that_is_no_text_is_reported_wherever_it_goes(box, tmp_path, form):
    odd = os.fsencode(tmp_path) + b"/b\xff\xc3\xa9.glb"
    shutil.copy(box, odd)
    command = [sys.executable, "-m", "rigview", "check", *FEW, odd, "--format", form]
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=ascii_only, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert ".glb" in done.stdout.decode("utf-8")


def test_text_has_a_line_per_finding_and_a_count(rigview, broken):
    path = broken("WGT-ZERO")
    done = rigview("check", *FEW, path)
    finding = run(load(path).rig).findings[0]
    lines = done.out.splitlines()
    assert lines[0] == f"{path}  (gltf profile)"
    assert "WGT-ZERO" in lines[1]
    assert finding.message in lines[1]
    assert "1 error, 0 warnings, 0 for information" in lines[2]


@pytest.mark.parametrize(
    ("rule", "limits"),
    [
        ("WGT-ZERO", {"error": 1, "warning": 1, "info": 1, "never": 0}),
        ("HIE-ORDER", {"error": 0, "warning": 1, "info": 1, "never": 0}),
        ("ORI-PRIMARY", {"error": 0, "warning": 0, "info": 1, "never": 0}),
    ],
)
def test_the_status_follows_the_worst_finding(rigview, broken, rule, limits):
    for limit, status in limits.items():
        assert rigview("check", *FEW, broken(rule), "--fail-on", limit).status == status
    assert rigview("check", *FEW, broken(rule)).status == limits["error"]


def test_a_profile_raises_severities(rigview, broken):
    assert rigview("check", *FEW, broken("ORI-PRIMARY"), "--profile", "thesis").status == 1


def test_rules_are_selected_and_ignored_in_any_case(rigview, broken):
    path = broken("WGT-ZERO")
    assert rigview("check", path, "--ignore", "wgt-zero").status == 0
    assert rigview("check", path, "--select", "wgt-sum,WGT-RANGE").status == 0
    assert rigview("check", path, "--select", " wgt-zero ").status == 1


def test_a_bad_file_stops_nothing_and_beats_findings(rigview, broken, no_rig):
    done = rigview("check", *FEW, no_rig, broken("WGT-ZERO"), "--format", "json")
    assert done.status == 2
    assert [r["file"] for r in done.json["files"]] == [str(no_rig), str(broken("WGT-ZERO"))]
    assert done.err.startswith(f"rigview: {no_rig}: ")
    assert rigview("check", *FEW, broken("WGT-ZERO"), no_rig).status == 2


def test_a_report_goes_into_the_file_named(rigview, broken, tmp_path):
    out = tmp_path / "report.json"
    piped = rigview("check", *FEW, broken("WGT-ZERO"), "--format", "json")
    done = rigview("check", *FEW, broken("WGT-ZERO"), "--format", "json", "-o", out)
    assert (done.status, done.out, done.err) == (1, "", "")
    assert timeless(out.read_text(encoding="utf-8")) == timeless(piped.out)
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--profile", "gtlf"], "gltf"),
        (["--select", "WGT-SUMM"], "WGT-SUM"),
        (["--ignore", "X"], "there is no rule X"),
    ],
)
def test_names_that_do_not_exist_are_answered_with_those_that_do(rigview, box, arguments, words):
    done = rigview("check", box, *arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.err


# Many files at once.


def timeless(text):
    """Return a report without what differs each time."""
    return re.sub(r'"seconds": [\d.]+', "", text)


def folder_of(tmp_path, broken, rules):
    folder = tmp_path / "rigs"
    folder.mkdir()
    for rule in rules:
        shutil.copy(broken(rule), folder)
    return folder


def test_processes_change_neither_report_nor_order_nor_status(rigview, broken, tmp_path):
    folder = folder_of(tmp_path, broken, ["WGT-ZERO", "HIE-ORDER", "ORI-PRIMARY"])
    (folder / "no_rig.glb").write_bytes(b"no rig")
    alone = rigview("check", *FEW, folder, "--format", "json")
    many = rigview("check", *FEW, folder, "--format", "json", "-j", 2)
    assert (many.status, timeless(many.out), many.err) == (2, timeless(alone.out), alone.err)
    assert many.json["totals"]["unchecked"] == 1
    assert len(many.json["files"]) == 4


def test_a_process_that_dies_takes_only_its_own_file_with_it(monkeypatch):
    from rigview.app import batch as files

    tasks = [files.Task(Path(name), None) for name in ("sound", "deadly")]
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.setattr(files, "_CHECK", "test_check:die_if_deadly")
    assert dict(files.check_all(tasks, 2)) == {
        0: "sound",
        1: files.Unchecked("deadly", "deadly: the process that checked it died"),
    }


def die_if_deadly(task):
    import os

    if task.path.name == "deadly":
        os._exit(1)
    return task.path.name


def test_a_mistake_of_ours_in_one_file_does_not_stop_the_others(rigview, box, broken, monkeypatch):
    from rigview.app import batch as files

    sound = files.load

    def load(path, *listener):
        if path == box:
            raise ZeroDivisionError
        return sound(path, *listener)

    monkeypatch.setattr(files, "load", load)
    done = rigview("check", *FEW, box, broken("WGT-ZERO"), "--format", "json")
    assert done.status == 3
    assert "Traceback" not in done.err
    assert [r["status"] for r in done.json["files"]] == ["unchecked", "checked"]
    assert "a mistake in rigview stopped the check: ZeroDivisionError" in done.err


def test_progress_is_told_to_a_terminal_only_and_leaves_no_line(rigview, box, broken, monkeypatch):
    import sys

    files = (box, broken("ORI-PRIMARY"))
    assert rigview("check", *FEW, *files).err == ""
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: stream is sys.stderr)
    done = rigview("check", *FEW, *files)
    assert "1/2 box.glb" in done.err
    assert "2/2 ORI-PRIMARY.glb" in done.err
    assert "\n" not in done.err
    assert done.err.endswith("\r\033[K")
    assert rigview("check", *FEW, box).err == ""


def test_one_file_that_takes_long_tells_its_stages_to_a_terminal_only(rigview, broken, monkeypatch):
    from rigview.cli import progress

    monkeypatch.setattr(progress, "_WORTH_TELLING", 0.0)
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    ask = ("check", "--format", "json", "--dry-run", broken("WGT-ZERO"))
    quiet = rigview(*ask)
    assert quiet.err == ""
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: stream is sys.stderr)
    told = rigview(*ask)
    assert timeless(told.out) == timeless(quiet.out)
    lines = told.err.split("\r\033[K")
    assert lines[0] == lines[-1] == ""
    assert all(line.startswith("WGT-ZERO.glb: ") for line in lines[1:-1])
    stages = [line.removeprefix("WGT-ZERO.glb: ") for line in lines[1:-1]]
    fixes = sum(f["fix"]["class"] != "none" for f in told.json["files"][0]["findings"])
    assert "Vertices without weights 0%" in [re.sub(r"\d+%", "0%", stage) for stage in stages]
    assert stages[-fixes:] == [f"trying fix {i + 1} of {fixes}" for i in range(fixes)]
    assert "\n" not in told.err


def test_a_line_is_no_wider_than_the_terminal_and_stands_a_while(monkeypatch, capsys):
    from rigview.cli.progress import Line

    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: stream is sys.stderr)
    with Line() as line:
        line.tell("the work just began")
        line.tell("a long name, and what is done to it", at_once=True)
        line.tell("too soon after that")
    assert capsys.readouterr().err == "\r\033[Ka long name, and wh\r\033[K"


def children(process):
    """Return the processes that the threads of one have started."""
    found = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # it has ended
            found += thread.read_text().split()
    return found


@pytest.mark.thorough(keep=1)
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux's /proc")
@pytest.mark.parametrize(
    ("told", "status", "later"),
    [
        (signal.SIGINT, 130, 0.0),
        (signal.SIGINT, 130, 0.5),
        (signal.SIGTERM, 143, 0.5),
        (signal.SIGKILL, -9, 0.5),
    ],
)
def test_who_ends_a_check_ends_all_its_processes(broken, tmp_path, told, status, later):
    import time

    folder = folder_of(tmp_path, broken, ["WGT-ZERO"])
    (first,) = folder.iterdir()
    for number in range(2000):  # more than two processes check before they are told to end
        (folder / f"{number}.glb").hardlink_to(first)
    repository = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-m", "rigview", "check", str(folder), "--format", "json", "-j", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(repository)},
        start_new_session=True,
        # Whoever runs the tests in the background may have handed down a deaf ear.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    deadline = time.monotonic() + 30.0
    # At once or after a while.
    while len(children(process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(later)
    # Ctrl+C reaches all processes of a terminal; a server of builds ends the one that it started.
    (os.killpg if told == signal.SIGINT else os.kill)(process.pid, told)
    # The output ends when no process holds it any more.
    out, err = process.communicate(timeout=20)
    said = "rigview: stopped; no file is left half-written\n" if told == signal.SIGINT else ""
    assert (process.returncode, out, err) == (status, "", said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
@pytest.mark.parametrize("closed", [False, True])
def test_a_report_that_cannot_be_written_is_no_finding(box, closed):
    command = [sys.executable, "-m", "rigview", "check", *FEW, box]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command,
            stdout=None if closed else full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            preexec_fn=(lambda: os.close(1)) if closed else None,
        )
    why = (
        "there is nothing to write to: the output is closed"
        if closed
        else "the output cannot be written: no space left on device"
    )
    assert (done.returncode, done.stderr) == (2, f"rigview: {why}\n")


def test_a_negative_number_of_processes_is_bad_usage(rigview, box):
    assert rigview("check", *FEW, box, "-j", "-1").status == 2


# Formats.


@pytest.mark.parametrize("name", ["text", "json", "sarif", "junit", "markdown"])
def test_every_format_is_written_with_the_same_status(rigview, broken, name):
    done = rigview("check", *FEW, broken("WGT-ZERO"), "--format", name)
    assert (done.status, done.err) == (1, "")
    assert "WGT-ZERO" in done.out


@pytest.mark.gl
def test_html_has_a_picture_per_finding(rigview, broken, tmp_path):
    import base64
    import io
    import re

    from PIL import Image

    out = tmp_path / "report.html"
    assert (
        rigview(
            "check", *FEW, broken("ORI-PRIMARY"), broken("WGT-SUM"), "--format", "html", "-o", out
        ).status
        == 1
    )
    page = out.read_text()
    assert page.count("<svg") == 4  # volume and bulge of a clip each
    found = re.findall(r"base64,([^\"]+)\"", page)
    assert len(found) == 2
    for data in found:
        pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))
        assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50


@pytest.mark.gl
def test_html_shows_a_joint_as_it_is_and_as_is_advised(rigview, samples):
    """Values are in the order of the pictures, and only the first picture shows a shape that is lost."""
    import base64
    import io

    from PIL import Image

    rig = load(samples / "candy.glb").rig
    (finding,) = run(rig, select=["DEF-COLLAPSE"]).findings
    wanted = [finding.value, *(advice.value for advice in finding.advice)]
    assert [advice.by_fix for advice in finding.advice] == [False, True]
    page = rigview(
        "check", samples / "candy.glb", "--select", "DEF-COLLAPSE", "--format", "html"
    ).out
    captions = re.findall(r'<figcaption>(.*?) <b class="(\w+)">−(\d+) %</b>', page)
    assert [title.partition(":")[0] for title, *_ in captions] == [
        "Now",
        "As advised",
        "As advised",
    ]
    assert [level for _, level, _ in captions] == ["error", "fine", "fine"]
    assert [int(value) for *_, value in captions] == [round(100.0 * value) for value in wanted]
    data = re.findall(r'<figure><img[^>]*base64,([^"]+)"', page)
    pictures = [
        np.asarray(Image.open(io.BytesIO(base64.b64decode(one))).convert("RGB"), dtype=np.int64)
        for one in data
    ]
    lost = [int((one[..., 0] - one[..., 1] > 90).sum()) for one in pictures]
    assert lost[0] > 500
    assert lost[1:] == [0, 0]
    assert (pictures[1] != pictures[2]).any()


def test_a_picture_of_stray_weights_shows_the_vertices_and_the_joint_that_they_follow(broken):
    from rigview.app.finding_pictures import surroundings
    from rigview.core.deform import Deformer

    rig = load(broken("WGT-STRAY")).rig
    (finding,) = run(rig, select=["WGT-STRAY"]).findings
    deformer = Deformer(rig)
    part, numbers = rig.parts.index(finding.vertices.part), finding.vertices.ids
    seen, _ = surroundings(deformer, deformer.rest, finding.joints[0], ((part, numbers),))
    joint = deformer.rest_nodes[finding.joints[0], :3, 3]
    vertices = rig.primitive(finding.vertices.part).positions[list(finding.vertices.ids)]
    assert np.linalg.norm(vertices - joint, axis=1).min() > 0.2 * deformer.size
    around = (joint, *vertices)
    assert np.all(seen.min(axis=0) <= np.min(around, axis=0))
    assert np.all(seen.max(axis=0) >= np.max(around, axis=0))


def test_html_without_opengl_says_so_and_tells_the_rest(rigview, broken, monkeypatch):
    from rigview.app import finding_pictures
    from rigview.render.gl import GLError

    def none():
        raise GLError("EGL finds no driver")

    monkeypatch.setattr(finding_pictures, "headless", none)
    done = rigview("check", *FEW, broken("WGT-SUM"), "--format", "html")
    assert done.status == 1
    assert "Without pictures: EGL finds no driver" in done.out
    assert "WGT-SUM" in done.out


# Configuration and baseline.


def configured(tmp_path, broken, text, rules=("WGT-ZERO",)):
    folder = folder_of(tmp_path, broken, rules)
    (tmp_path / "rigview.toml").write_text(text)
    return folder


def test_the_configuration_above_a_file_counts(rigview, broken, tmp_path):
    folder = configured(tmp_path, broken, 'ignore = ["WGT-ZERO"]\nprofile = "dqs"')
    (report,) = rigview("check", *FEW, folder, "--format", "json").json["files"]
    assert (report["profile"], report["findings"]) == ("dqs", [])


def test_the_one_above_the_working_folder_counts_where_the_file_has_none(
    rigview, broken, tmp_path, monkeypatch
):
    (tmp_path / "rigview.toml").write_text('fail-on = "never"')
    monkeypatch.chdir(tmp_path)
    assert rigview("check", *FEW, broken("WGT-ZERO")).status == 0


def test_the_commands_word_goes_first(rigview, broken, tmp_path):
    folder = configured(tmp_path, broken, 'fail-on = "never"\nprofile = "thesis"')
    assert rigview("check", *FEW, folder).status == 0
    assert rigview("check", *FEW, folder, "--fail-on", "error").status == 1
    assert (
        rigview("check", *FEW, folder, "--profile", "gltf", "--format", "json").json["files"][0][
            "profile"
        ]
        == "gltf"
    )
    assert rigview("check", *FEW, folder, "--config", "none").status == 1


def test_severities_are_the_studios(rigview, broken, tmp_path):
    folder = configured(tmp_path, broken, '[severity]\nWGT-ZERO = "info"')
    assert rigview("check", *FEW, folder).status == 0
    assert rigview("check", *FEW, folder, "--fail-on", "info").status == 1


def test_what_a_studio_accepts_is_left_out(rigview, broken, tmp_path, monkeypatch):
    folder = configured(tmp_path, broken, "[accept]\nWGT-SUM = 0.2", ["WGT-SUM"])
    (report,) = rigview("check", *FEW, folder, "--format", "json").json["files"]
    assert report["findings"] == []
    assert report["summary"]["accepted"] == 1
    assert report["settings"] == str(tmp_path / "rigview.toml")
    text = rigview("check", *FEW, folder).out
    assert "0 for information, 1 accepted\n" in text
    assert f"(gltf profile, {tmp_path / 'rigview.toml'})" in text
    monkeypatch.chdir(tmp_path)
    assert "(gltf profile, rigview.toml)" in rigview("check", *FEW, folder).out
    (tmp_path / "rigview.toml").write_text("[accept]\nWGT-SUM = 0.1")
    assert rigview("check", *FEW, folder).status == 1


def test_rules_are_ignored_by_file_pattern(rigview, broken, tmp_path):
    folder = configured(
        tmp_path,
        broken,
        '[per-file-ignores]\n"*/WGT-*" = ["WGT-ZERO"]',
        ["WGT-ZERO", "HIE-ORDER"],
    )
    reports = rigview("check", *FEW, folder, "--format", "json").json["files"]
    assert [[f["rule"] for f in r["findings"]] for r in reports] == [["HIE-ORDER"], []]


def test_a_wrong_configuration_is_one_sentence_and_status_2(rigview, broken, tmp_path):
    folder = configured(tmp_path, broken, '[severity]\nWGT-ZERO = "bad"')
    done = rigview("check", *FEW, folder)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"rigview: {tmp_path / 'rigview.toml'}: severity.WGT-ZERO: ")
    assert done.err.count("\n") == 1
    assert rigview("check", *FEW, folder, "--config", tmp_path / "missing.toml").status == 2


def test_a_baseline_lets_only_new_findings_fail(rigview, broken, tmp_path):
    folder = folder_of(tmp_path, broken, ["WGT-ZERO"])
    known = tmp_path / "known.json"
    written = rigview("check", *FEW, folder, "--baseline", known, "--write-baseline")
    assert (written.status, written.out) == (0, f"{known}\n")
    assert written.err == f"rigview: {known} lists 1 finding\n"
    done = rigview("check", *FEW, folder, "--baseline", known, "--format", "json")
    assert (done.status, done.err) == (0, "")
    (report,) = done.json["files"]
    assert report["findings"] == []
    assert report["summary"]["known"] == len(report["known"]) == 1
    shutil.copy(broken("WGT-RANGE"), folder)
    done = rigview("check", *FEW, folder, "--baseline", known)
    assert done.status == 1
    assert "WGT-RANGE" in done.out
    assert "1 known from the baseline" in done.out


def test_a_finding_that_is_gone_is_told_to_people(rigview, box, broken, tmp_path):
    rig, known = tmp_path / "rig.glb", tmp_path / "known.json"
    shutil.copy(broken("WGT-ZERO"), rig)
    rigview("check", *FEW, rig, "--baseline", known, "--write-baseline")
    shutil.copy(box, rig)
    done = rigview("check", *FEW, rig, "--baseline", known)
    assert done.status == 0
    assert "1 entry is gone; --write-baseline drops what is gone" in done.err


def test_findings_of_a_file_that_is_gone_are_gone_until_the_baseline_is_written_anew(
    rigview, broken, tmp_path
):
    folder = folder_of(tmp_path, broken, ["WGT-ZERO", "WGT-RANGE"])
    known, (first, second) = tmp_path / "known.json", sorted(folder.iterdir())
    rigview("check", *FEW, folder, "--baseline", known, "--write-baseline")
    first.unlink()
    done = rigview("check", *FEW, folder, "--baseline", known)
    assert done.status == 0
    assert "1 entry is gone; --write-baseline drops what is gone" in done.err
    rigview("check", *FEW, second, "--baseline", known, "--write-baseline")
    assert list(json.loads(known.read_text())["files"]) == [f"{folder.name}/{second.name}"]
    assert rigview("check", *FEW, folder, "--baseline", known).err == ""


def test_the_baseline_of_a_configuration_stands_beside_it(rigview, broken, tmp_path):
    folder = configured(tmp_path, broken, 'baseline = "known.json"')
    missing = rigview("check", *FEW, folder)
    assert (missing.status, missing.out) == (2, "")
    assert "--write-baseline" in missing.err
    assert rigview("check", *FEW, folder, "--write-baseline").out == f"{tmp_path / 'known.json'}\n"
    assert rigview("check", *FEW, folder).status == 0


def test_writing_a_baseline_needs_its_name(rigview, box):
    done = rigview("check", *FEW, box, "--write-baseline")
    assert (done.status, done.out) == (2, "")
    assert "--baseline" in done.err


def test_a_rule_that_fails_is_told_in_every_form_and_exits_with_1(
    rigview, box, monkeypatch, tmp_path
):
    from rigview.check.isolation import RAISE
    from rigview.check.rules import roll

    def fails(*_):
        raise ArithmeticError("no such angle")

    monkeypatch.setenv(RAISE, "0")
    monkeypatch.setattr(roll, "_twists", fails)
    for form in ("text", "json", "sarif", "junit", "markdown", "html"):
        told = rigview("check", box, "--select", "ORI-ROLL", "--format", form)
        assert told.status == 1, form
        assert "no such angle" in told.out
        assert told.err == ""


def test_notes_are_one_line_unless_they_are_asked_for(rigview, broken):
    path = broken("WGT-TINY")
    folded, asked = rigview("check", path), rigview("check", path, "--notes")
    assert "1 note: WGT-TINY 1; --notes shows it" in folded.out
    assert "weights below" not in folded.out
    assert "note     WGT-TINY" in asked.out
    assert (folded.status, asked.status) == (0, 0)
    assert rigview("check", path, "--fail-on", "info").status == 0


def test_a_rule_that_is_asked_by_name_is_told_whole(rigview, broken):
    done = rigview("check", broken("WGT-TINY"), "--select", "WGT-TINY", "--format", "sarif")
    assert [result["ruleId"] for result in done.json["runs"][0]["results"]] == ["WGT-TINY"]


@pytest.fixture
def listed(rigview, tmp_path, box):
    """A folder with a file that cannot be read, whose baseline lists it."""
    folder = tmp_path / "rigs"
    folder.mkdir()
    (folder / "fine.glb").write_bytes(box.read_bytes())
    (folder / "empty.glb").write_bytes(b"")
    words = ("check", *FEW, folder, "--baseline", tmp_path / "known.json")
    assert rigview(*words).status == 2
    written = rigview(*words, "--write-baseline")
    assert written.status == 0
    assert "and 1 unreadable file" in written.err
    return folder, words


def test_an_unreadable_file_that_is_listed_does_not_fail(rigview, listed, tmp_path):
    told = rigview(*listed[1])
    assert told.status == 0
    assert "empty.glb" in told.err
    reasons = json.loads((tmp_path / "known.json").read_text())["unreadable"]
    assert list(reasons) == ["rigs/empty.glb"]
    assert str(tmp_path) not in reasons["rigs/empty.glb"]
    lines = tmp_path / "run.jsonl"
    assert rigview(*listed[1], "--format", "jsonl", "-o", lines).status == 0
    records = [json.loads(line) for line in lines.read_text().splitlines()[1:]]
    assert [r.get("allowed") for r in records if r["status"] == "unchecked"] == [True]


def test_it_fails_when_it_is_unreadable_for_another_reason(rigview, listed):
    (listed[0] / "empty.glb").write_bytes(b"glTF of no kind")
    told = rigview(*listed[1])
    assert told.status == 2
    assert "1 entry is gone" in told.err


def test_it_is_gone_from_the_list_when_it_is_mended(rigview, listed, box, tmp_path):
    (listed[0] / "empty.glb").write_bytes(box.read_bytes())
    told = rigview(*listed[1])
    assert told.status == 0
    assert "1 entry is gone" in told.err
    rigview(*listed[1], "--write-baseline")
    assert "unreadable" not in json.loads((tmp_path / "known.json").read_text())


def test_it_is_gone_with_its_file(rigview, listed):
    (listed[0] / "empty.glb").unlink()
    told = rigview(*listed[1])
    assert told.status == 0
    assert "1 entry is gone" in told.err


def test_a_file_that_is_not_there_is_listed_nowhere(rigview, tmp_path):
    known = tmp_path / "known.json"
    told = rigview("check", tmp_path / "no.glb", "--baseline", known, "--write-baseline")
    assert told.status == 2
    assert "unreadable" not in json.loads(known.read_text())
