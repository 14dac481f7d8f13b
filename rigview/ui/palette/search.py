"""What the command palette finds: actions, joints, clips, poses, findings and files, by words."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from rigview.check.catalogue import BY_ID as RULES
from rigview.core.measures.measure_words import said
from rigview.core.skinning import METHODS
from rigview.core.text import shortened
from rigview.ui.actions import ACTIONS
from rigview.ui.commands import Commands
from rigview.ui.panels.finding_words import measured_words
from rigview.ui.settings import told_apart
from rigview.ui.widgets.theme import SEVERITY_ICONS
from rigview.ui.widgets.words import tr
from rigview.ui.workbench import Workbench

# What a search may begin with → the one group that it searches then.
SIGNS = {"@": "joint", "#": "frame", "!": "finding", ">": "action"}
GROUPS = {"action": "Actions", "other": "Poses, joints, clips, findings, files"}
# Entries that are listed; a longer search finds the others.
MOST = 100


@dataclass(frozen=True)
class Entry:
    """Something that can be found and done.

    Parameters
    ----------
    kind
        What it is: "action", "joint", "finding", "frame" or another word.
    text, place
        What it is called, and where it is found otherwise.
    icon
        Name and token of the theme.
    do
        Does it.
    action
        The id of an action, whose keys can be set.
    why_not
        Why it cannot be done now, as a sentence.
    """

    kind: str
    text: str
    place: str
    icon: tuple[str, str]
    do: Callable[[], object]
    action: str = ""
    why_not: str = ""

    @property
    def group(self) -> str:
        """The key of the heading that it stands under."""
        return "action" if self.kind == "action" else "other"


def places_of(words: str, text: str) -> tuple[tuple[int, int], ...] | None:
    """Return where in a text the words of a search are, as starts and ends; None where one is missing.

    A word is rather found where a word of the text begins.
    """
    lower, found = text.lower(), []
    for word in words.lower().split():
        starts = [i for i in range(len(lower)) if lower.startswith(word, i)]
        if not starts:
            return None
        heads = [i for i in starts if i == 0 or not lower[i - 1].isalnum()]
        start = (heads or starts)[0]
        found.append((start, start + len(word)))
    return tuple(sorted(found))


def _rank(words: str, entry: Entry) -> tuple[int, ...] | None:
    """Return by what a match is ordered, the best first; None where an entry does not match."""
    found = places_of(words, entry.text)
    in_text = found is not None
    if found is None:
        found = places_of(words, f"{entry.text} {entry.place}")
    if found is None:
        return None
    heads = sum(s == 0 or not entry.text[s - 1 : s].isalnum() for s, _ in found)
    first = found[0][0] if found else 0
    return bool(entry.why_not), not in_text, -heads, first > 0, len(entry.text)


def search(text: str, entries: Iterable[Entry]) -> list[Entry]:
    """Return what a search finds, actions first, the best of each group first; all where it is empty."""
    sign, words = text[:1], text.strip()
    if sign in SIGNS:
        entries = [e for e in entries if e.kind == SIGNS[sign]]
        words = text[1:].strip()
        if sign == "#":
            return list(entries)
    ranked = [(rank, entry) for entry in entries if (rank := _rank(words, entry)) is not None]
    if words:
        ranked.sort(key=lambda pair: (pair[1].group != "action", pair[0]))
    return [entry for _, entry in ranked]


def entries(bench: Workbench, commands: Commands, text: str) -> Iterator[Entry]:
    """Yield all that can be found now; `text` is what is searched, which may name a frame."""
    yield from _actions(bench, commands)
    rig = bench.stage.rig
    if rig is not None:
        yield from _frame(bench, text)
        yield from _poses(bench)
        yield from _joints(bench)
        for number, clip in enumerate(rig.clips):
            words = clip.name or tr("clip {number}", number=number)
            icon = ("film-strip", "text2")
            yield Entry("clip", words, "clip", icon, partial(bench.clip_choice.choose, number))
        yield from _findings(bench)
    for name, path in told_apart(bench.settings.recent):
        do = partial(bench.open_path, path)
        yield Entry("file", name.replace("&&", "&"), "opened lately", ("file", "text2"), do)


def _actions(bench: Workbench, commands: Commands) -> Iterator[Entry]:
    for row in ACTIONS:
        if row.id != "palette":
            words = tr(row.text) if row.text_now is None else row.text_now(bench).replace("&&", "&")
            icon = (row.icon or "caret-right", "text2")
            why, do = row.reason(bench), partial(commands.do, row.id)
            yield Entry("action", words, row.menu, icon, do, row.id, why)
    if bench.stage.rig is not None:
        for method in METHODS.values():
            do = partial(bench.state.show_method, method.id)
            words = tr("{method} in this pane", method=method.label)
            yield Entry("action", words, "Methods", ("columns", "text2"), do)


def _frame(bench: Workbench, text: str) -> Iterator[Entry]:
    if text[:1] == "#" and bench.stage.clip is not None:
        try:
            frame = float(text[1:])
        except ValueError:
            return
        name = bench.stage.clip.name
        do = partial(bench.timeline.go_to_frame, frame)
        yield Entry("frame", tr("Frame {frame:g}", frame=frame), name, ("hash", "text2"), do)


def _poses(bench: Workbench) -> Iterator[Entry]:
    rig = bench.stage.rig
    for number, worst in enumerate(bench.worst_strip.poses if rig is not None else ()):
        joint = "" if rig is None else rig.nodes.label(worst.joint)
        text = tr(
            "Worst {number}: {joint} {value}",
            number=number + 1,
            joint=joint,
            value=said(worst.measure, worst.value),
        )
        clip = bench.worst_scanner.clip(worst).name
        place = f"{clip} {worst.time * bench.state.value.fps:.0f}"
        icon = SEVERITY_ICONS["error" if worst.level == "error" else "warning"]
        yield Entry("pose", text, place, icon, partial(bench.worst_strip.choose, number))


def _joints(bench: Workbench) -> Iterator[Entry]:
    rig = bench.stage.rig
    if rig is None:
        return

    def show(joint: int) -> None:
        bench.state.update(joint=joint, vertex=None)
        bench.panes.frame_selected()

    for joint in rig.joints:
        yield Entry(
            "joint", rig.nodes.label(joint), "joint", ("mdi6.bone", "text2"), partial(show, joint)
        )


def _findings(bench: Workbench) -> Iterator[Entry]:
    rig = bench.stage.rig
    for row in bench.checks.rows:
        finding = row.finding
        joints = [] if rig is None else [rig.nodes.label(j) for j in finding.joints[:1]]
        place = "  ".join([*map(shortened, joints), measured_words(finding), finding.rule])
        do = partial(bench.checks.choose, finding)
        icon = SEVERITY_ICONS[row.severity]
        yield Entry("finding", RULES[finding.rule].title, place, icon, do)
