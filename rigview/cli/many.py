"""Commands that do the same to each of many files, several at once."""

import contextlib
import io
import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rigview.cli.jobs import expect_jobs
from rigview.cli.progress import Line
from rigview.cli.status import BAD_INPUT, FINDINGS, OK, UsageError

Task = tuple[Callable[[Namespace], int], Namespace]
# The worst status of several comes first.
_WORST = (3, 2, FINDINGS)
_TEXTS = {"text": ".txt", "json": ".json", "csv": ".csv"}


@dataclass(frozen=True)
class Answer:
    """What a command came to for one file: its status and what it printed."""

    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Each:
    """What a command does with each file.

    Parameters
    ----------
    run
        Does it for ``options.file``; a result goes to ``options.out``, or is printed where that is None.
    suffix
        Returns the suffix of the output of a file; None where the command prints its result.
    """

    run: Callable[[Namespace], int]
    suffix: Callable[[Namespace, Path], str | None]


def each(options: Namespace, wanted: Each) -> int:
    """Run a command for every file that is named or lies in a folder, and return the worst status.

    A file that fails never stops the others. A single file that is named is done as it always was;
    several write into the folder that -o names, by their own names.
    """
    from rigview.io.inputs import protect

    expect_jobs(options)
    files = _named(options.paths)
    protect(files)
    statuses: set[int] = set()
    is_folder = options.out is not None and options.out.is_dir()
    if len(files) == 1 and not is_folder and files == {options.paths[0]: files[options.paths[0]]}:
        options.file = options.paths[0]
        return _one(options, wanted)
    if getattr(options, "also", None):
        raise UsageError("--also goes with one file")
    places = _places(options, wanted, files)
    writes = _writes(options, wanted)
    tasks = [
        (wanted.run, _task(options, file, place if writes else None))
        for file, place in places.items()
    ]
    gathered: list[tuple[Path, Answer]] = []
    for (_, task), answer in zip(tasks, _answers(tasks, options.jobs), strict=True):
        sys.stderr.write(answer.err)
        place = None if writes else places[task.file]
        if place is not None:
            _deliver([(task.file, answer)], options, place)
        elif _is_data(options):
            gathered.append((task.file, answer))
        else:
            sys.stdout.write(answer.out)
        statuses.add(answer.status)
    if gathered:
        _deliver(gathered, options, None if writes else options.out)
    return next((status for status in _WORST if status in statuses), OK)


def _one(options: Namespace, wanted: Each) -> int:
    """Do one file; an error is the command's."""
    from rigview.cli.output import refuse_place

    if options.out is not None:
        refuse_place(options.out, options)
    if not _is_data(options):
        return wanted.run(options)
    out = None
    if not _writes(options, wanted):
        out, options.out = options.out, None
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = wanted.run(options)
    _deliver([(options.file, Answer(status, text.getvalue(), ""))], options, out)
    return status


def _writes(options: Namespace, wanted: Each) -> bool:
    """Return whether the command writes a file beside what it prints."""
    return wanted.suffix(options, options.paths[0]) is not None


def _is_data(options: Namespace) -> bool:
    """Return whether programs read the output: JSON or CSV, which is one document for all files."""
    return options.format in ("json", "csv")


def _named(paths: Sequence[Path]) -> dict[Path, Path]:
    """Return every file with the name that its output gets below a folder, without its suffix.

    Files of a folder keep their place below it.

    Raises
    ------
    UsageError
        If a folder holds no rig, or two files have one name.
    """
    from rigview.app.batch import rig_files
    from rigview.cli.wildcards import expanded
    from rigview.io import suffix_filter

    found: dict[Path, Path] = {}
    for path in expanded(paths):
        for file in rig_files([path]):
            if file.is_dir():
                raise UsageError(f"{file}: the folder holds no {', '.join(suffix_filter())} file")
            found.setdefault(file, file.relative_to(path) if file != path else Path(file.name))
    return found


def _places(options: Namespace, wanted: Each, files: dict[Path, Path]) -> dict[Path, Path | None]:
    """Return where the output of each file goes; None where it is printed.

    Raises
    ------
    UsageError
        If -o names no folder, or two files would be written to one place.
    """
    folder: Path | None = options.out
    if folder is None or (not _writes(options, wanted) and folder.suffix):
        return dict.fromkeys(files)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: several files need a folder for their outputs")
    stems = [name.with_suffix("") for name in files.values()]
    places: dict[Path, Path | None] = {}
    for file, name in files.items():
        # hero.fbx and hero.glb of one folder become hero.fbx.png and hero.glb.png.
        stem = name if stems.count(name.with_suffix("")) > 1 else name.with_suffix("")
        place = folder / f"{stem}{wanted.suffix(options, file) or _TEXTS[options.format]}"
        if place in places.values():
            raise UsageError(f"two of the files would be written to {place}; the second is {file}")
        places[file] = place
    for written in {place.parent for place in places.values() if place is not None}:
        written.mkdir(parents=True, exist_ok=True)
    return places


def _task(options: Namespace, file: Path, out: Path | None) -> Namespace:
    return Namespace(**(vars(options) | {"file": file, "out": out}))


def work(task: Task) -> Answer:
    """Run a command for one file, wherever that is, and keep what it prints."""
    from rigview.cli.output import refuse_place
    from rigview.cli.running import ran

    run, options = task
    out, err = io.StringIO(), io.StringIO()

    def placed(one: Namespace) -> int:
        if one.out is not None:
            refuse_place(one.out, one)
        return run(one)

    options.run = placed
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = ran(options)
    return Answer(status, out.getvalue(), err.getvalue())


def _answers(tasks: Sequence[Task], jobs: int) -> Iterator[Answer]:
    """Yield the answers in the order of the tasks."""
    from rigview.app.batch import cores
    from rigview.app.pool import answers

    workers = min(jobs or cores(), len(tasks))
    if workers <= 1:
        yield from map(work, tasks)
        return
    came: dict[int, Answer] = {}
    following = 0
    with (
        Line() as line,
        contextlib.closing(answers(f"{__name__}:work", dict(enumerate(tasks)), workers)) as pool,
    ):
        for number, answer in pool:
            came[number] = answer
            line.tell(f"{len(came)}/{len(tasks)} {tasks[number][1].file.name}", at_once=True)
            while following in came:
                line.clear()
                yield came[following]
                following += 1
    for number in range(following, len(tasks)):
        # One whose process died, alone: others may have taken the memory.
        yield came.get(number) or _again(tasks[number])


def _again(task: Task) -> Answer:
    from rigview.app.pool import answers

    for _, answer in answers(f"{__name__}:work", {0: task}, 1):
        if isinstance(answer, Answer):
            return answer
    return Answer(BAD_INPUT, "", f"rigview: {task[1].file}: the process that worked on it died\n")


def _deliver(gathered: Sequence[tuple[Path, Answer]], options: Namespace, out: Path | None) -> None:
    """Print what came of files as one document, or write it to a file."""
    from rigview.cli.output import deliver

    if options.format == "text":
        text = "".join(answer.out for _, answer in gathered)
    else:
        text = as_json(gathered) if options.format == "json" else as_csv(gathered)
    if options.format == "json" or text:
        deliver(text, out)


def as_json(gathered: Sequence[tuple[Path, Answer]]) -> str:
    """Return what a command printed for each file as one document; the shape is one for any number."""
    from rigview import __version__
    from rigview.core import escape

    files: list[dict[str, Any]] = []
    for path, answer in gathered:
        # `ran` printed one sentence where there is no document.
        known = json.loads(answer.out) if answer.out else {"error": _sentence(answer.err)}
        files.append({"file": str(path), "status": answer.status} | known)
    document = {"version": __version__, "files": files}
    return escape.json(json.dumps(document, indent=1, allow_nan=False)) + "\n"


def _sentence(err: str) -> str:
    return err.strip().removeprefix("rigview: ")


def as_csv(gathered: Sequence[tuple[Path, Answer]]) -> str:
    """Return the tables of all files as one whose first column is the file."""
    import csv

    from rigview.core import escape

    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    is_headed = False
    for path, answer in gathered:
        table = iter(csv.reader(io.StringIO(answer.out)))
        head = next(table, None)
        if head is not None and not is_headed:
            rows.writerow(["file", *head])
            is_headed = True
        rows.writerows([escape.cell(str(path)), *row] for row in table)
    return text.getvalue()
