"""Long work off the event loop: a pure function in a thread, its progress and result by signal."""

import threading
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal, SignalInstance

from rigview.io import Cancelled
from rigview.ui.widgets.words import tr

# Seconds between two reports of progress: nobody reads faster, and each one is an event to handle.
_TELL_EVERY = 0.04
# As many as there are kinds of work that can be under way at once.
_THREADS = 8


class Progress:
    """What a function in a worker thread tells the window, and how it hears that it shall stop."""

    def __init__(self, job: "Job") -> None:
        self._job = job

    def __call__(self, text: str, share: float) -> None:
        """Tell how far the work is.

        Raises
        ------
        Cancelled
            Once the job is cancelled, so calling this often is what makes a job easy to stop.
        """
        self._job.tell_progress(text, share)

    def report(self, message: Callable[[], None]) -> None:
        """Call a function in the thread that made the job, after what was reported before."""
        self._job.report(message)


class Job(QObject):
    """A function under way in a worker thread; its signals arrive in the thread that made it.

    The function is given its `Progress`. `ended` follows when the function has returned, however it
    did.

    Attributes
    ----------
    quiet
        Whether it runs beside everything else: it shows no progress, and Esc leaves it alone.
    """

    progressed = Signal(str, float)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    ended = Signal()
    _reported = Signal(object)

    def __init__(self, name: str, function: Callable[[Progress], Any], *, quiet: bool) -> None:
        super().__init__()
        self.name, self.quiet = name, quiet
        self.has_ended = False
        self._function = function
        # Whether the function failed, and what came of it.
        self._outcome: tuple[bool, object] | None = None
        self._stop = threading.Event()
        self._told = 0.0
        # Queued to this object, so that listeners of any kind are called in its own thread.
        self._reported.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        """Give the job up: told at once, while the function stops at its next sign of progress.

        What has ended cannot be given up.
        """
        if not self._stop.is_set() and not self.has_ended:
            self._stop.set()
            self.cancelled.emit()

    @property
    def is_cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def report(self, message: Callable[[], None]) -> None:
        """Call a function in the thread that made the job, after what was reported before."""
        self._reported.emit(message)

    def tell_progress(self, text: str, share: float) -> None:
        """Emit `progressed`, not too often; called in a worker thread.

        Raises
        ------
        Cancelled
            If the job is cancelled.
        """
        if self._stop.is_set():
            raise Cancelled
        now = time.monotonic()
        if now - self._told >= _TELL_EVERY:
            self._told = now
            self.report(lambda: self.progressed.emit(tr(text), share))

    def work(self) -> None:
        """Run the function, here and now; called in a worker thread.

        That keeps nothing: what the function knows and what comes of it, parts of the window among
        them, end in the thread of the job.
        """
        try:
            self.tell_progress(self.name, 0.0)
            self._outcome = False, self._function(Progress(self))
        except Cancelled:
            pass
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits, never swallowed
            self._outcome = True, error
        # In one turn of the event loop: what has told its outcome is not under way any more.
        self.report(self._end)

    def _end(self) -> None:
        """Tell how it ended, unless nobody wants to know any more, and that it did."""
        outcome, self._outcome, self._function = self._outcome, None, _nothing
        try:
            if outcome is not None and not self._stop.is_set():
                has_failed, result = outcome
                (self.failed if has_failed else self.succeeded).emit(result)
        finally:
            self.has_ended = True
            self.ended.emit()

    def _tell(self, message: Callable[[], None]) -> None:
        message()


def _nothing(_progress: Progress) -> None:
    """Stand for a function that has run."""


class _Runner(QRunnable):
    """Runs a job in a worker thread, and tells its number when the thread has let go of it."""

    def __init__(self, job: Job, left: SignalInstance) -> None:
        super().__init__()
        self._job: Job | None = job
        self._left = left

    def run(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            number = id(job)
            job.work()
            del job
            self._left.emit(number)


class Jobs(QObject):
    """All jobs of a window; keeps them alive until they end."""

    started = Signal(object)
    _left = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Jobs that a worker thread may know: were it the last, they would end in that thread.
        self._known: dict[int, Job] = {}
        self._left.connect(self._let_go, Qt.ConnectionType.QueuedConnection)
        self._pool = QThreadPool()
        # Whoever opens a file shall not wait for the long work on the last one, whatever the cores.
        self._pool.setMaxThreadCount(max(_THREADS, self._pool.maxThreadCount()))
        self._running: set[Job] = set()
        self._stopped = False

    def run(
        self,
        name: str,
        function: Callable[[Progress], Any],
        success: Callable[[Any], None],
        failure: Callable[[BaseException], None] | None = None,
        *,
        quiet: bool = False,
    ) -> Job:
        """Start a function; exactly one of `success` and `failure` is called, unless cancelled.

        After `stop` nothing is started any more: the job that is returned is cancelled.
        """
        job = Job(name, function, quiet=quiet)
        if self._stopped:
            job.cancel()
            return job
        job.succeeded.connect(success)
        job.failed.connect(failure if failure is not None else _raise)
        self._running.add(job)
        self._known[id(job)] = job
        job.ended.connect(lambda: self._running.discard(job))
        self.started.emit(job)
        self._pool.start(_Runner(job, self._left))
        return job

    def _let_go(self, number: int) -> None:
        """Delete a job that no thread works on, once it has told how it ended.

        Those who listen know the job in turn: each would keep the other for ever.
        """
        job = self._known.pop(number)
        if job.has_ended:
            job.deleteLater()
        else:
            job.ended.connect(job.deleteLater)

    @property
    def running(self) -> frozenset[Job]:
        """The jobs that have not ended."""
        return frozenset(self._running)

    def stop(self) -> None:
        """Cancel everything, wait for the threads, and start none again: at the end of a window."""
        self._stopped = True
        for job in self._running:
            job.cancel()
        self._pool.waitForDone()


def refused(
    kind: type[BaseException] | tuple[type[BaseException], ...], tell: Callable[[Any], None]
) -> Callable[[BaseException], None]:
    """Return what takes a failure (`Jobs.run`): what is of a kind is told, else it is a mistake of ours."""
    return lambda error: tell(error) if isinstance(error, kind) else _raise(error)


def _raise(error: BaseException) -> None:
    """Bring a programmer's mistake in a worker to the event loop's exception hook."""
    raise error


class Latest(QObject):
    """Runs one function at a time and only the newest request: for what follows a moving time.

    Its jobs are quiet. Where it `drops`, what is under way is cancelled by a newer request, which does
    not wait until it has stopped: what is of a rig that is not open any more may take minutes.
    """

    def __init__(
        self, jobs: Jobs, name: str, success: Callable[[Any], None], *, drops: bool = False
    ) -> None:
        super().__init__(jobs)
        self._jobs, self._name, self._success, self._drops = jobs, name, success, drops
        self._job: Job | None = None
        self._waiting: Callable[[Progress], Any] | None = None

    def request(self, function: Callable[[Progress], Any]) -> None:
        """Run a function when the one under way has ended or is dropped, unless a newer one replaces it."""
        self._waiting = function
        if self._drops and self._job is not None:
            self._job.cancel()
            self._job = None
        self._next()

    def end(self) -> None:
        """Give up what is under way, and want nothing any more."""
        self._waiting = None
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.deleteLater()

    def _next(self) -> None:
        if self._job is not None or self._waiting is None:
            return
        function, self._waiting = self._waiting, None
        job = self._jobs.run(self._name, function, self._success, quiet=True)
        self._job = job
        job.ended.connect(lambda: self._free(job))

    def _free(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._next()
