"""Checking many files: in this process, or several at once in processes of their own."""

import contextlib
import os
import signal
import time
import traceback
from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType

from msgspec.structs import replace

from rigview.app import cache, time_limit
from rigview.app.checking import with_rules_from
from rigview.app.pool import answers
from rigview.app.record_keys import content_key, record_key
from rigview.app.tasks import Task
from rigview.app.time_limit import ending, interrupting
from rigview.app.watching import Watcher, listener
from rigview.check.applying.dryrun import DryRun
from rigview.check.applying.repair import try_fix
from rigview.check.applying.rom_trials import RomTrials
from rigview.check.deadline import Deadline, TimeUp
from rigview.check.policy import judge
from rigview.check.report import Fact, FileReport, Record, Unchecked, state
from rigview.check.report.curves import MOST_CLIPS, plots
from rigview.check.rule import SEVERITIES, Finding, Refused
from rigview.check.rules.seams import SEAM
from rigview.check.rules.seams_between import RigFile, seams_between
from rigview.check.run import Report
from rigview.core.review_notes import ReviewNotes
from rigview.core.rig import Rig
from rigview.core.text import count, system_reason
from rigview.io import Loaded, LoadError, load, suffix_filter
from rigview.io.child import ChildError, ChildLimits
from rigview.io.inputs import noting

# The numbers of tasks and their answers, as these come.
Answers = Generator[tuple[int, Record]]
# What a process does with each of its tasks.
_CHECK = "rigview.app.batch:check_in_child"


def rig_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files named, and all rigs in the folders named, by suffix and in order of name.

    A folder that holds none, or that cannot be read, stands for itself: it is told as unchecked, and
    never stops the others. What is named twice is checked once.
    """
    found = (_rigs_in(path) if _is_folder(path) else [path] for path in paths)
    return list(dict.fromkeys(path for files in found for path in files))


def _is_folder(path: Path) -> bool:
    """Tell whether a path is a folder; what cannot be one says so when it is read."""
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises where a name is too long


def _rigs_in(folder: Path) -> list[Path]:
    unread: list[Path] = []
    rigs: list[Path] = []
    for place, _, names in os.walk(
        folder, onerror=lambda error: unread.append(Path(error.filename))
    ):
        files = (Path(place, name) for name in names)
        rigs += [file for file in files if file.suffix.lower() in suffix_filter()]
    return sorted((*rigs, *unread)) or [folder]


def _why_none(folder: Path) -> str:
    """Return why a folder stands among the files."""
    try:
        os.scandir(folder).close()
    except OSError as error:
        return f"{folder}: {system_reason(error)}"
    return f"{folder}: the folder holds no {', '.join(suffix_filter())} file"


def check_file(task: Task, watcher: Watcher | None = None) -> Record:
    """Check one file; whatever is wrong with it or with us is the answer for this file alone.

    Parameters
    ----------
    watcher
        Hears its stages; None where that is for another process.
    """
    if task.cache is not None and (known := cache.kept(task.cache, task)) is not None:
        return known
    watcher = watcher or Watcher()
    began = time.perf_counter()
    with noting() as read, ending(_longest(task), partial(watcher.overdue, _overdue(task))):
        answer = _answered(task, watcher)
    answer = replace(answer, read=tuple(map(str, read)))
    if isinstance(answer, FileReport):
        seconds = round(time.perf_counter() - began, 3)
        content = content_key(task.path, answer.read, task.overrides)
        key = record_key(task, answer.read)
        answer = replace(answer, seconds=seconds, key=key, content=content)
        if task.cache is not None:
            cache.keep(task.cache, task, answer)
    elif not answer.mistake and task.standard.config.allows_unreadable(task.path):
        return replace(answer, allowed=True)
    return answer


def check_in_child(task: Task) -> Record:
    """Check one file in a process of its own."""
    with with_rules_from(task.rules_from):
        return check_file(task)


def _longest(task: Task) -> float:
    """Return after how many seconds the process that checks a file is ended."""
    return task.timeout + time_limit.GRACE


def _overdue(task: Task) -> str:
    return f"{task.path}: a call that takes longer than {_longest(task):.3g} s was ended"


def _answered(task: Task, watcher: Watcher) -> Record:
    try:
        if _is_folder(task.path):
            return Unchecked(str(task.path), _why_none(task.path))
        return _checked(task, watcher, Deadline(task.timeout, interrupting))
    except LoadError as error:
        return Unchecked(str(task.path), str(error))
    except TimeUp:
        reason = f"{task.path}: reading it takes longer than {task.timeout:.3g} s (--timeout)"
        return Unchecked(str(task.path), reason)
    except MemoryError:
        most = "there is" if task.memory is None else f"{task.memory >> 20} MiB (--memory)"
        return Unchecked(str(task.path), f"{task.path}: it takes more memory than {most}")
    except Exception as error:  # noqa: BLE001 - the edge of one file's work: the others go on
        watcher.clear()
        if task.traceback:
            traceback.print_exc()
        hint = "" if task.traceback else "; --traceback shows where"
        words = f"a mistake in rigview stopped the check: {type(error).__name__}{hint}"
        return Unchecked(str(task.path), f"{task.path}: {words}", mistake=True)


def _checked(task: Task, watcher: Watcher, deadline: Deadline) -> FileReport:
    """Check one file.

    Raises
    ------
    TimeUp
        If reading it uses all of the time up.
    """
    with deadline.limited():
        loaded = load(task.path, listener(watcher), task.overrides)
    return check_loaded(loaded, task, watcher, deadline).stated


@dataclass(frozen=True)
class CheckedRig:
    """What was found in an opened file: as findings, and as the plain values that reports are made of."""

    report: Report
    stated: FileReport


def check_loaded(
    loaded: Loaded,
    task: Task,
    watcher: Watcher,
    deadline: Deadline,
    review: ReviewNotes | None = None,
) -> CheckedRig:
    """Check a file that is open, its rig as it is there.

    Parameters
    ----------
    review
        The notes on it; None for those beside the file.
    """
    rig = loaded.rig
    judged = judge(rig, task.standard, progress=watcher.tell_share, deadline=deadline)
    report = judged.report
    trials = _Trials(rig, report, watcher, deadline)
    stated = state(str(task.path), report, rig, trials.measure if task.measured else None)
    if task.pictures:
        stated = _drawn(stated, loaded, report, deadline, review)
    settings = task.standard.config.file
    stated = replace(
        stated,
        accepted=len(judged.excused),
        settings="" if settings is None else _from_here(settings),
        fail_on=task.fail_on,
        notes=loaded.notes + trials.notes(),
    )
    return CheckedRig(report, stated)


class _Trials:
    """Trying the fixes of a report, as long as there is time."""

    def __init__(self, rig: Rig, report: Report, watcher: Watcher, deadline: Deadline) -> None:
        self._rig, self._watcher, self._deadline = rig, watcher, deadline
        self._count = sum(finding.fix.repair is not None for finding in report.findings)
        self._tried, self._ended, self._rehearsals = 0, 0, RomTrials()

    def measure(self, finding: Finding) -> DryRun | None:
        """Return what a fix moves; None where it is refused, or its time is up."""
        if finding.fix.repair is None:
            return None
        self._tried += 1
        self._watcher.tell(f"trying fix {self._tried} of {self._count}")
        try:
            with self._deadline.limited(self._deadline.rule_seconds):
                return try_fix(self._rig, finding, rehearsals=self._rehearsals)[1]
        except Refused:
            return None
        except TimeUp:
            self._ended += 1
            return None

    def notes(self) -> tuple[str, ...]:
        """Return what is to be said of fixes that there was no time for."""
        if not self._ended:
            return ()
        named = count(self._ended, "fix")
        return (f"what {named} would move is not known: {self._deadline.reason()}",)


def _drawn(
    stated: FileReport,
    loaded: Loaded,
    report: Report,
    deadline: Deadline,
    review: ReviewNotes | None,
) -> FileReport:
    """Return a report with its pictures and curves, as far as there is time."""
    from rigview.app.finding_pictures import illustrated
    from rigview.app.noted_pictures import with_notes

    rig = loaded.rig
    marks = [
        (f.clip, f.time)
        for f in report.findings
        if f.clip and f.time is not None and f.motion is None
    ]
    try:
        with deadline.limited():
            stated = illustrated(stated, rig, report.ranked())
            stated = with_notes(stated, rig, loaded.path, review)
            left_out = stated.left_out
            if len(rig.clips) > MOST_CLIPS:
                left_out += (f"Without curves: {len(rig.clips) - MOST_CLIPS} clips.",)
            return replace(stated, plots=plots(rig, marks), left_out=left_out)
    except TimeUp:
        words = f"Without all pictures and curves: {deadline.reason()}."
        return replace(stated, left_out=(*stated.left_out, words))


def _from_here(path: Path) -> str:
    """Return a path without what leads here, where it is below."""
    with contextlib.suppress(ValueError, FileNotFoundError):  # it is elsewhere, or here is nowhere
        return str(path.relative_to(Path.cwd()))
    return str(path)


def check_all(tasks: Sequence[Task], jobs: int, watcher: Watcher | None = None) -> Answers:
    """Check files, `jobs` at once, and yield the number of each with its answer, as these come."""
    watcher = watcher or Watcher()
    alone = min(jobs, len(tasks)) <= 1 and all(task.memory is None for task in tasks)
    checked = _here(tasks, watcher) if alone else _in_processes(tasks, jobs)
    with contextlib.closing(checked):
        for done, (number, answer) in enumerate(checked, 1):
            yield number, answer
            if len(tasks) > 1:
                watcher.begin("")
                watcher.tell(f"{done}/{len(tasks)} {tasks[number].path.name}", at_once=True)


def seams_added(
    tasks: Sequence[Task], checked: Collection[Record]
) -> Iterator[tuple[int, FileReport]]:
    """Yield the reports that tell, too, what tears between skins, of one file and of several (WGT-SEAM).

    Files that could not be checked are left out, and so is the rule where it is not asked. One rig is in
    memory at a time: each is read twice, and once more where something tears.
    """
    asked = [
        number
        for number, (task, answer) in enumerate(zip(tasks, checked, strict=True))
        if isinstance(answer, FileReport) and task.standard.asks(SEAM.rule)
    ]
    files = [
        RigFile(task.path.name, partial(_rig, task), partial(_seam_limit, task))
        for task in (tasks[number] for number in asked)
    ]
    found = dict(zip(asked, seams_between(files), strict=True))
    for number, answer in enumerate(checked):
        if found.get(number) and isinstance(answer, FileReport):
            rig = _rig(tasks[number])
            standard = tasks[number].standard.for_rig(rig)
            own = tuple(f for f in found[number] if standard.excuse(f) is None)
            stated = state(answer.file, Report(standard.profile, own, ()), rig)
            yield number, replace(answer, findings=_ranked(answer.findings + stated.findings))


def _rig(task: Task) -> Rig:
    return load(task.path, overrides=task.overrides).rig


def _seam_limit(task: Task, rig: Rig) -> float:
    return task.standard.for_rig(rig).profile.limit(SEAM)


def _ranked(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return findings, errors first and notes last, else in the order that they have."""
    return tuple(sorted(facts, key=lambda f: (SEVERITIES.index(f.severity), f.note)))


def _here(tasks: Sequence[Task], watcher: Watcher) -> Answers:
    for number, task in enumerate(tasks):
        watcher.begin(task.path.name)
        yield number, check_file(task, watcher)


def _in_processes(tasks: Sequence[Task], jobs: int) -> Answers:
    left = dict(enumerate(tasks))
    for number, answer in _pooled(left, min(jobs, len(tasks))):
        del left[number]
        yield number, answer
    # A process may die because others took the memory: what it was at is checked again, alone.
    for number, task in left.items():
        died = Unchecked(str(task.path), f"{task.path}: the process that checked it died")
        yield number, dict(_pooled({number: task}, 1)).get(number, died)


def _pooled(tasks: dict[int, Task], workers: int) -> Answers:
    with _ending_when_told():
        yield from check_in_children(tasks, workers)


def check_in_children(tasks: dict[int, Task], workers: int) -> Answers:
    """Check files in child processes; yield answers as they come, none for tasks whose process died."""
    limits = ChildLimits(size=next((task.memory for task in tasks.values()), None))
    with contextlib.closing(answers(_CHECK, tasks, workers, limits)) as pool:
        for number, answer in pool:
            task = tasks[number]
            overdue = isinstance(answer, ChildError)
            yield number, Unchecked(str(task.path), _overdue(task)) if overdue else answer


@contextlib.contextmanager
def _ending_when_told() -> Iterator[None]:
    """End the processes that this one started where a build server ends it by SIGTERM."""

    def end(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    usual = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, usual)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
