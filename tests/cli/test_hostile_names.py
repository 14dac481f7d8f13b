"""Whatever the names in a file and of it are, every output of every command shows them as names.

Names hold line breaks, control sequences, marks of direction, NUL, halves of surrogate pairs, markup,
formulas and commands of build servers.
"""

import csv
import io
import json
import os
import re
import struct
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PIL import Image

from rigview.app.batch import check_file
from rigview.app.tasks import Task
from rigview.check.policy import NO_CONFIG, Configs, Policy
from rigview.check.report import FORMATS, Outcome
from rigview.cli import main
from rigview.core import escape
from rigview.core.review_notes import NotedVertex, ReviewNote, ReviewNotes
from rigview.core.text import one_line
from rigview.io import load
from rigview.io.review_notes import save_notes, sidecar

SAMPLE = Path(__file__).parents[2] / "samples" / "faulty_arm.glb"
MARK = "INJECTED"
PIECES = [
    f"\n{MARK}",
    f"\r{MARK}",
    f"\u2028{MARK}",
    f"\x85{MARK}",
    "\x1b[31m",
    "\x1b]0;title\x07",
    "\u202e",
    "\u2066",
    "\u200b",
    "\x00",
    "\udfff",
    "\ud800",
    "\ufffe",
    "=cmd|'/C calc'!A0",
    "+1",
    "-1",
    "@SUM(A1)",
    "＝1",
    "::error::",
    "\n::error file=x::",
    "##[error]",
    "##vso[task.setvariable variable=x]",
    "##teamcity[x]",
    "<b>",
    "<img src=x onerror=y>",
    "</script><script>",
    "]]>",
    "](http://evil.example)",
    "http://evil.example",
    "www.evil.example",
    "|",
    "`",
    "&amp;",
    '"',
    "'",
    "\\",
    " ",
    "joint",
    "骨",
    "🦴",
    "x" * 3000,
]
WORST = "".join(PIECES[:-1])
names = (
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=5)
    .map("".join)
    .map(lambda n: json.loads(json.dumps(n)))
)
hostile = settings(
    max_examples=1,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def renamed(name, out):
    """Write the sample with a name on all that has one; the numbers behind tell them apart."""
    data = SAMPLE.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, rest = json.loads(data[20 : 20 + length]), data[20 + length :]
    for kind in ("nodes", "meshes", "skins", "animations", "materials", "images"):
        for number, thing in enumerate(document.get(kind, ())):
            thing["name"] = name if number == 0 else f"{name}{number}"
    document["asset"]["generator"] = name
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + rest
    out.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks)
    return out


def file_named(name, folder):
    """Return a place in a folder that is called by as much of a name as a system takes."""
    taken = name.replace("/", "").replace("\0", "")
    data = taken.encode("utf-8", "replace")[:150].decode("utf-8", "ignore")
    return folder / f"{data}.glb"


@pytest.fixture
def told(capsysbinary):
    """Run a command; return its status and the texts of its output and of its errors."""

    def run(*arguments, statuses=(0, 1)):
        try:
            status = main([os.fspath(a) if isinstance(a, Path) else str(a) for a in arguments])
        except SystemExit as end:
            status = end.code
        said = capsysbinary.readouterr()
        out, err = said.out.decode(), said.err.decode()
        assert status in statuses, err
        is_safe_log(err)
        return out

    return run


def is_safe_log(text):
    """Assert that a terminal or a build server takes nothing in a text for more than words."""
    for line in text.split("\n"):
        assert not line.lstrip().startswith(("::", MARK)), line
        assert not re.search(r"##(\[|vso\[|teamcity\[)", line), line
        assert all(c.isprintable() or unicodedata.category(c) == "Zs" for c in line), ascii(line)


def is_safe_json(text):
    is_safe_log(text)
    assert text.isascii()
    return json.loads(text)


def is_safe_csv(text):
    is_safe_log(text)
    header, *rows = csv.reader(io.StringIO(text))
    assert rows
    for row in rows:
        assert len(row) == len(header)
        for cell in row:
            try:
                float(cell)
            except ValueError:
                assert not cell.startswith((*"=+-@＝＋－＠", "\t", "\r")), cell


def is_safe_xml(text):
    is_safe_log(text)
    for element in ET.fromstring(text).iter():
        for value in (*element.attrib.values(), element.text or "", element.tail or ""):
            is_safe_log(value)


class Page(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, text):
        super().__init__()
        self.found = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.found |= {(tag, name) for name, _ in attributes} | {(tag, "")}


def is_safe_markdown(text):
    is_safe_log(text)
    for line in text.split("\n"):
        # Without the bars of the table and what is escaped there is no mark left, and no link.
        if line == "|---|---|---|---|":
            continue
        words = re.sub(r"\\[\\`*_\[\]<>#|~&@:.]", "", re.sub(r"^(#+|-) |^\| | \|$| \| ", "", line))
        assert not re.search(r"[`*\[\]<>|~@&]|\b(https?|ftp):|\bwww\.", words, re.IGNORECASE), words


# Rules whose findings name joints and clips of the sample.
PICTURED = "WGT-ZERO,ORI-PRIMARY"
DOCUMENTS = {"sarif": is_safe_json, "junit": is_safe_xml, "markdown": is_safe_markdown}


def task_of(file):
    return Task(file, Policy.of(file, Configs(NO_CONFIG).of(file)))


@hostile
@given(name=names)
@example(name=WORST)
@example(name="a\nb")
@example(name="=cmd|'/C calc'!A0")
@example(name="::error::")
def test_logs_tables_and_documents(name, told, tmp_path):
    file = renamed(name, file_named(name, tmp_path))
    is_safe_log(told("info", file))
    # Half a pair of surrogates is another character for a reader.
    read = load(file).rig.clips[0].name
    assert is_safe_json(told("info", file, "--json"))["clips"][0]["name"] == read
    outcome = Outcome((check_file(task_of(file)),))
    for form, is_safe in DOCUMENTS.items():
        is_safe(FORMATS[form].write(outcome))
    is_safe_log(FORMATS["text"].write(outcome))
    report = is_safe_json(FORMATS["json"].write(outcome))
    assert any(
        read in str(value) for found in report["files"][0]["findings"] for value in found.values()
    )
    note = ReviewNote(name, name, name, name, name, joint=name, vertex=NotedVertex(name, 0))
    save_notes(sidecar(file), ReviewNotes(name, (note,)))
    is_safe_log(told("notes", file))
    is_safe_log(told("notes", file, "--format", "mail"))
    assert is_safe_json(told("notes", file, "--format", "json"))["notes"][0]["words"] == name
    for form, is_safe in ((), is_safe_log), (("--json",), is_safe_json), (("--csv",), is_safe_csv):
        is_safe(told("deltas", file, *form))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", [WORST, "::error::"], ids=["worst", "build"])
def test_checks_fixes_and_comparisons(name, told, tmp_path):
    file = renamed(name, file_named(name, tmp_path))
    is_safe_log(told("check", file))
    is_safe_json(told("check", file, "--format", "json"))
    out = tmp_path / "out.glb"
    is_safe_log(told("fix", file, "-o", out, "--rules", "WGT-SUM,ORI-PRIMARY,HIE-LEAF"))
    is_safe_log(told("diff", SAMPLE, file))
    is_safe_json(told("diff", SAMPLE, file, "--format", "json"))
    for form, is_safe in ((), is_safe_log), (("--json",), is_safe_json), (("--csv",), is_safe_csv):
        is_safe(told("metrics", file, "--panes", "lbs", "--time", 1, *form))


@hostile
@given(name=names)
@example(name=WORST)
def test_copies_and_mistakes(name, told, tmp_path):
    file = renamed(name, file_named(name, tmp_path))
    place = file_named(f"2{name}", tmp_path)
    is_safe_log(told("convert", file, "-o", place))
    assert load(place).rig.clips[0].name == load(file).rig.clips[0].name
    is_safe_log(told("rom", file, "-o", place))
    is_safe_log(told("conform", file, "--template", "unreal"))
    is_safe_log(told("weights", file, "-o", place.with_name("w.glb"), "--vertices", "all"))
    is_safe_log(told("transfer", file, file, "-o", place.with_name("t.glb")))
    is_safe_log(told("bake", file, "-o", place.with_suffix(".npz")))
    wrong = one_line(name) or "x"
    for arguments in (
        ("info", place.with_name(f"{place.stem}3.glb")),
        ("metrics", file, f"--clip={wrong} none"),
        ("shot", file, "-o", tmp_path / "a.png", f"--joint={wrong} none"),
        ("metrics", file, f"--panes={name}"),
        ("check", file, f"--profile={name}"),
        ("check", file, f"--format={name}"),
        ("check", file, f"--{name}"),
    ):
        if not any("\0" in str(a) for a in arguments):
            told(*arguments, statuses=(2,))


@pytest.mark.gl
@pytest.mark.thorough
@pytest.mark.parametrize("name", [WORST, "a\nb"], ids=["worst", "line"])
def test_pictures_and_pages(name, told, tmp_path):
    file = renamed(name, file_named(name, tmp_path))
    plain = renamed("name", tmp_path / "name.glb")
    picture, small = tmp_path / "a.png", ("--size", "320x240")
    joint = load(file).rig.nodes.label(load(file).rig.joints[0])
    given = () if "\0" in joint else (f"--joint={joint}",)
    shade = ("--shade", "weights") if given else ()
    told("shot", file, "-o", picture, "--names", *shade, *given, "--panes", "lbs", *small)
    told("sheet", file, "-o", picture, "--frames", 1, "--panes", "lbs", *small)
    told("diff", SAMPLE, file, "-o", picture, *small)
    told("turntable", file, "-o", picture.with_suffix(".webp"), "--frames", 2, *small)
    told("bench", file, "--rounds", 1, "--panes", "lbs")
    with Image.open(picture) as seen:
        seen.load()
    pages = [told("check", f, "--format", "html", "--select", PICTURED) for f in (plain, file)]
    expected, found = (Page(page).found for page in pages)
    assert found <= expected
    assert not any(MARK in line[: len(MARK)] for line in pages[1].split("\n"))


@given(st.text(st.characters(exclude_categories=[])))
@example(text="\ud800\x00\u202e::")
def test_every_kind_of_output_takes_any_text(text):
    for written in (one_line(text), escape.html(text), escape.xml(text), escape.label(text)):
        is_safe_log(written)
    is_safe_log(escape.cell(text))
    is_safe_markdown(escape.markdown(text))
    assert ET.fromstring(f"<a>{escape.html(text)}</a>").text in (one_line(text), None)
    assert json.loads(escape.json(json.dumps([text, {text: "##[x"}]))) == [text, {text: "##[x"}]
    assert one_line(one_line(text)) == one_line(text)
