"""A folder that holds a whole review: page, report, pictures, movie and notes, ready to send."""

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from rigview.app.batch import CheckedRig, check_loaded
from rigview.app.drawing import motion_of
from rigview.app.measuring import worst_of_joints
from rigview.app.review_index import INDEX, MARK, FolderFile, index_page
from rigview.app.review_page import PagePlan, review_page
from rigview.app.tasks import Task
from rigview.app.watching import Watcher
from rigview.app.worst_panels import panel_of
from rigview.app.worst_panels import sheet as worst_sheet
from rigview.check.deadline import Deadline
from rigview.check.policy import Policy
from rigview.check.report import FORMATS, Outcome
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.joint_scan import JointPlan, JointScan, scan_joints
from rigview.core.review_notes import ReviewNotes
from rigview.core.skinning import DEFAULT_PANES, Options
from rigview.core.stance import front
from rigview.core.text import count
from rigview.io import Loaded
from rigview.io.describe import frame_rate
from rigview.io.folders import save_folder
from rigview.io.review_notes import as_json, as_mail
from rigview.render import film, image, review, video
from rigview.render.camera import Camera, View
from rigview.render.context import headless
from rigview.render.gl import GLError
from rigview.render.look import Look
from rigview.render.review import Review, SheetColumn

SHEET_SIZE, MOVIE_SIZE = (1920, 1080), (1280, 720)
# Times across the contact sheet, and joints on the sheet of worst poses.
_COLUMNS, _PANELS = 6, 12
# Seconds that check, trial fixes and pictures of a report may take together.
_LONGEST = 3600.0
PAGE, REPORT, NOTES, NOTES_TEXT = "review.html", "report.html", "notes.json", "notes.txt"
WORST, SHEET, MOVIE = "worst_poses.png", "sheet.png", "movie.mp4"
# All that a review can hold.
NAMES = frozenset({INDEX, PAGE, REPORT, WORST, SHEET, MOVIE, NOTES, NOTES_TEXT})
Tell = Callable[[str, float], None]


@dataclass(frozen=True)
class ReviewPlan:
    """What a review shows.

    Parameters
    ----------
    policy
        What the file is held to.
    clip
        Of contact sheet and movie; the page has all clips. None is the rest pose.
    methods
        One pane each.
    notes
        Those on the file.
    rate
        Frames a second; None for those of the file.
    view
        From where contact sheet and movie are seen.
    movie
        Whether one is wanted.
    context
        Makes an OpenGL context current in the thread that draws.
    """

    policy: Policy
    clip: Clip | None
    methods: tuple[str, ...] = DEFAULT_PANES
    notes: ReviewNotes = field(default_factory=ReviewNotes)
    rate: float | None = None
    view: View = "three-quarter"
    movie: bool = True
    context: Callable[[], AbstractContextManager[object]] = headless


@dataclass(frozen=True)
class Written:
    """What came of a review.

    Parameters
    ----------
    names
        The files, in the order of the index, which comes first.
    left_out
        What could not be made, and why; a sentence each.
    """

    names: tuple[str, ...]
    left_out: tuple[str, ...]


def refusal(folder: Path, *, overwrite: bool = False) -> str:
    """Return why no review can be written to a folder, without a full stop at its end; empty where one can.

    Parameters
    ----------
    overwrite
        Whether a review that is there may be written over.
    """
    if not folder.is_dir():
        if folder.exists():
            return "this is a file, not a folder"
        return "" if folder.parent.is_dir() else f"there is no folder {folder.parent}"
    names = sorted(entry.name for entry in folder.iterdir())
    if not names:
        return ""
    others = [name for name in names if name not in NAMES]
    if others or not _is_review(folder):
        return f"the folder is not empty, and {(others or names)[0]} is not of a review"
    return "" if overwrite else "there is a review already"


def _is_review(folder: Path) -> bool:
    try:
        return MARK in (folder / INDEX).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def write_review(loaded: Loaded, folder: Path, plan: ReviewPlan, tell: Tell) -> Written:
    """Write all files of a review or none.

    Parameters
    ----------
    folder
        One for which `refusal` has no reason; files of a former review are replaced.
    tell
        Is told what is under way and how much is done, 0 to 1; what it raises ends the work.

    Raises
    ------
    SaveError
        If a file cannot be written.
    """
    work = _Work(loaded, plan, tell)
    parts: list[FolderFile] = []

    def files() -> Iterator[tuple[str, bytes]]:
        for part, data in work.files():
            parts.append(replace(part, size=len(data)))
            yield part.name, data
        yield INDEX, index_page(work.heading(), parts, work.left_out, plan.notes).encode()

    save_folder(folder, files(), NAMES)
    return Written((INDEX, *(part.name for part in parts)), tuple(work.left_out))


def _told(tell: Tell, start: float, end: float) -> Tell:
    """Return what tells of a piece of work that is the part from `start` to `end` of the whole."""
    return lambda text, share: tell(text, start + (end - start) * min(max(share, 0.0), 1.0))


class _Work:
    """Makes the files one after the other, and notes what cannot be made."""

    def __init__(self, loaded: Loaded, plan: ReviewPlan, tell: Tell) -> None:
        self._loaded, self._plan, self._tell = loaded, plan, tell
        self._deformer = Deformer(loaded.rig, "normalised")
        self._motion = motion_of(self._deformer, plan.clip, loaded.path.name, plan.rate)
        self._date = f"{dt.date.today():%d %B %Y}".lstrip("0")
        self._checked: CheckedRig | None = None
        self.left_out: list[str] = []

    def files(self) -> Iterator[tuple[FolderFile, bytes]]:
        """Make one file after the other."""
        checked = self._check(_told(self._tell, 0.0, 0.35))
        scan = self._scan(_told(self._tell, 0.35, 0.5))
        yield self._page(checked, scan, _told(self._tell, 0.5, 0.6))
        yield self._report(checked)
        yield from self._pictures(scan, _told(self._tell, 0.6, 0.75))
        yield from self._movie(_told(self._tell, 0.75, 1.0))
        yield from self._notes()

    def heading(self) -> tuple[str, str]:
        """Return the name of the file, and what is in it and when that was looked at."""
        rig = self._loaded.rig
        facts = [count(len(rig.clips), "clip"), count(len(rig.joints), "joint")]
        if self._checked is not None:
            counts = self._checked.stated.counts
            facts += [count(counts[s], s) for s in ("error", "warning") if counts[s]]
        return self._loaded.path.name, f"{self._date}: {', '.join(facts)}"

    @property
    def _said(self) -> str:
        return "the rest pose" if self._motion.name is None else f"clip {self._motion.name}"

    def _check(self, tell: Tell) -> CheckedRig:
        class Telling(Watcher):
            def tell_share(self, text: str, share: float) -> None:
                tell(text, share)

            def tell(self, text: str, *, at_once: bool = False) -> None:
                del at_once
                tell(text, 0.9)

        task = Task(self._loaded.path, self._plan.policy, measured=True, pictures=True)
        deadline = Deadline(_LONGEST)
        checked = check_loaded(self._loaded, task, Telling(), deadline, self._plan.notes)
        # Whoever is sent the folder need not read where the file was.
        name = self._loaded.path.name
        stated = msgspec.structs.replace(checked.stated, file=name, settings="")
        self._checked = CheckedRig(checked.report, stated)
        return self._checked

    def _scan(self, tell: Tell) -> JointScan | None:
        """Return where the clips deform joints; None where there is nothing to deform or no clip."""
        deformer, meter = self._deformer, JointMeter(self._deformer)
        clips = deformer.rig.clips
        if not clips or not deformer.skins or not len(meter.regions):
            return None
        return scan_joints(meter, clips, JointPlan(self._plan.methods, Options()), progress=tell)

    def _page(
        self, checked: CheckedRig, scan: JointScan | None, tell: Tell
    ) -> tuple[FolderFile, bytes]:
        rig, plan = self._loaded.rig, self._plan
        page = PagePlan(
            self._loaded.path.name,
            tuple(rig.clips),
            plan.rate or frame_rate(rig),
            plan.methods,
            report=checked.report,
            date=self._date,
            review=plan.notes,
            scan=scan,
        )
        text = review_page(self._deformer, page, tell)
        says = "turn the character, scrub its clips, write and draw notes; opens in any browser"
        return FolderFile(PAGE, "Review page", says), text.encode()

    def _report(self, checked: CheckedRig) -> tuple[FolderFile, bytes]:
        outcome = Outcome((checked.stated,))
        text = FORMATS["html"].write(outcome).encode(errors="backslashreplace")
        return FolderFile(REPORT, "Report", "what the checks found, with pictures and curves"), text

    def _pictures(self, scan: JointScan | None, tell: Tell) -> Iterator[tuple[FolderFile, bytes]]:
        drawn = []
        try:
            with self._plan.context():
                worst = None if scan is None else self._worst(scan, _told(tell, 0.0, 0.5))
                if worst is not None:
                    says = "the joints that the clips deform most, from the side that shows it"
                    drawn.append((FolderFile(WORST, "Worst poses", says, shown=True), worst))
                else:
                    self.left_out.append("No worst poses: no clip deforms a skinned joint.")
                says = f"{self._said} over time, one row a method"
                sheet = self._sheet(_told(tell, 0.5, 1.0))
                drawn.append((FolderFile(SHEET, "Contact sheet", says, shown=True), sheet))
        except GLError as error:
            self.left_out.append(f"No pictures: {error}.")
        yield from drawn

    def _look(self) -> Look:
        rig = self._deformer.rig
        return self._motion.shown(Look(bones=not rig.parts, axes=False, hidden=rig.hidden))

    def _panes(self) -> tuple[str, ...]:
        # Bones are the same by every method.
        return self._plan.methods if self._deformer.rig.parts else self._plan.methods[:1]

    def _worst(self, scan: JointScan, tell: Tell) -> bytes | None:
        poses = worst_of_joints(scan)
        beyond = [worst for worst in poses if worst.severity >= 1.0] or list(poses[:1])
        if not beyond:
            return None
        panels = [panel_of(scan.meter, scan.clips[w.clip], w) for w in beyond[:_PANELS]]
        look = Look(bones=False, axes=False, hidden=self._deformer.rig.hidden)
        pixels = worst_sheet(scan.meter, panels, look, SHEET_SIZE, self._plan.methods, tell)
        return image.png(pixels, {"Software": "rigview"})

    def _sheet(self, tell: Tell) -> bytes:
        motion = self._motion
        times = motion.even_times(_COLUMNS)
        columns = [SheetColumn(motion.frame(time), motion.caption(time)) for time in times]
        wanted = Review(self._panes(), self._camera(), self._look(), SHEET_SIZE)
        wanted = review.framing_all(motion.deformer, [c.frame for c in columns], wanted)
        pixels = review.sheet(motion.deformer, columns, wanted, tell)
        return image.png(pixels, {"Software": "rigview"})

    def _camera(self) -> Camera:
        return Camera().looking(self._plan.view, front(self._deformer))

    def _movie(self, tell: Tell) -> Iterator[tuple[FolderFile, bytes]]:
        motion = self._motion
        if not self._plan.movie:
            return
        if motion.clip is None or motion.clip.end <= motion.clip.start:
            reason = "no clip was chosen" if self._loaded.rig.clips else "the file has no clip"
            if motion.clip is not None:
                reason = f"{self._said} has a single pose"
            self.left_out.append(f"No movie: {reason}.")
            return
        shown = replace(film.film_of(motion, motion.rate), notes=self._plan.notes)
        if (many := len(shown.shots(motion.name))) > film.MOST_PICTURES:
            self.left_out.append(f"No movie: it would have {many:,} pictures.")
            return
        wanted = Review(
            self._panes(), self._camera(), self._look(), MOVIE_SIZE, caption=motion.caption(0.0)
        )
        try:
            video.require()
            with self._plan.context(), review.easel(motion.deformer) as draw:
                shots = film.drawn(motion, shown, wanted, draw, tell)
                data = video.encode(shots, video.VIDEOS[0], shown.rate)
        except (video.VideoError, GLError) as error:
            self.left_out.append(f"No movie: {error}.")
            return
        held = " and holds at each note" if self._plan.notes.each else ""
        yield FolderFile(MOVIE, "Movie", f"plays {self._said}{held}", shown=True), data

    def _notes(self) -> Iterator[tuple[FolderFile, bytes]]:
        notes = self._plan.notes
        if not notes.each:
            return
        many = count(len(notes.each), "note")
        says = f"{many} as rigview reads them: rigview notes FILE --import {NOTES}"
        yield FolderFile(NOTES, "Notes", says), as_json(notes).encode()
        mail = as_mail(notes).encode("utf-8", "backslashreplace")
        yield FolderFile(NOTES_TEXT, "Notes as text", "the same to read or to mail"), mail
