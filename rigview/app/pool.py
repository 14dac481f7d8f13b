"""Work in several child processes at once, each of which does one task after another."""

import contextlib
import pickle
import queue
import threading
from collections.abc import Generator, Mapping
from importlib import import_module
from typing import Any

from rigview.io.child import Child, ChildError, ChildLimits
from rigview.io.child_entry import Parent

_FREE = ChildLimits()
# How soon a stop is heard, in seconds.
_PULSE_S = 0.1


def answers(
    target: str, tasks: Mapping[int, object], workers: int, limits: ChildLimits = _FREE
) -> Generator[tuple[int, Any]]:
    """Yield the answer of every task as it comes; none for tasks whose process died.

    Where a process ended itself because a task took too long (`child_entry.OVERDUE`), the answer is the
    `ChildError`: another try would take as long. Ending the iteration ends all processes.

    Parameters
    ----------
    target
        ``"package.module:function"``: called with a task, its answer is what it returns.
    limits
        What each process may take.
    """
    pool = _Pool(target, tasks, limits)
    threads = [threading.Thread(target=pool.work) for _ in range(min(workers, len(tasks)))]
    try:
        for thread in threads:
            thread.start()
        working = len(threads)
        while working:
            try:
                # With a limit of time, since Windows hears no Ctrl+C while it waits without one.
                answer = pool.answers.get(timeout=_PULSE_S)
            except queue.Empty:
                continue
            if answer is None:
                working -= 1
            else:
                yield answer
    finally:
        pool.stopped.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join()


class _Pool:
    """What the threads share that each serve one process.

    A process belongs to the thread that started it: Linux ends it with that thread.
    """

    def __init__(self, target: str, tasks: Mapping[int, object], limits: ChildLimits) -> None:
        self._target, self._limits = target, limits
        self._tasks: queue.SimpleQueue[tuple[int, object]] = queue.SimpleQueue()
        for task in tasks.items():
            self._tasks.put(task)
        self.answers: queue.SimpleQueue[tuple[int, Any] | None] = queue.SimpleQueue()
        self.stopped = threading.Event()

    def work(self) -> None:
        """Have tasks done while there are any, in a new process after one that died."""
        try:
            # What no process can be started for has no answer.
            with contextlib.suppress(ChildError):
                while not self._tasks.empty() and not self.stopped.is_set():
                    self._work_in_one()
        finally:
            self.answers.put(None)

    def _work_in_one(self) -> None:
        with Child("rigview.app.pool:serve", [self._target], self._limits, heard=True) as child:
            while not self.stopped.is_set():
                try:
                    number, task = self._tasks.get_nowait()
                except queue.Empty:
                    return
                child.send(pickle.dumps(task))
                try:
                    answer = self._answer(child)
                except ChildError as error:
                    if error.why == "time":
                        self.answers.put((number, error))
                    return
                if answer is not None:
                    self.answers.put((number, pickle.loads(answer)))

    def _answer(self, child: Child) -> bytes | None:
        """Return what a process answers; None where the work is stopped before that."""
        while not self.stopped.is_set():
            try:
                return child.receive(_PULSE_S)
            except TimeoutError:
                continue
        return None


def serve(parent: Parent, target: str) -> None:
    """Answer every task of the parent, in a child."""
    module, name = target.split(":")
    function = getattr(import_module(module), name)
    while True:
        parent.send(pickle.dumps(function(pickle.loads(parent.receive()))))
