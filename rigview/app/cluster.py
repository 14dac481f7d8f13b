"""Check files on a dask cluster: batches by size, results as they come, tasks of lost workers run again."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rigview.app.batch import Answers, check_in_children, cores
from rigview.app.tasks import Task
from rigview.app.watching import Watcher
from rigview.check.report import Record, Unchecked
from rigview.core.errors import RigviewError

if TYPE_CHECKING:
    from distributed import Client

# Each worker gets so many batches, so that none waits long for the last.
_BATCHES_EACH = 4
# Starting the process that checks a batch takes as long as reading so many bytes; also of empty files.
_OVERHEAD = 1 << 16
LOCAL = "local"


class NoCluster(RigviewError):  # noqa: N818 - the call is in order
    """No scheduler answers, or dask.distributed is not installed."""


def batches(tasks: Sequence[Task], count: int) -> list[list[int]]:
    """Divide tasks into about `count` batches of like size, large files first.

    Returns
    -------
    Numbers of tasks; each is in one batch.
    """
    sizes = [_OVERHEAD + _size(task.path) for task in tasks]
    wanted = max(1, sum(sizes) // max(1, count))
    result: list[list[int]] = []
    held = wanted
    for number in sorted(range(len(tasks)), key=lambda i: -sizes[i]):
        if held >= wanted:
            result.append([])
            held = 0
        result[-1].append(number)
        held += sizes[number]
    return result


def _size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0


def check_batch(tasks: dict[int, Task]) -> dict[int, Record]:
    """Check files in one child process of a worker, and return the answer of each."""
    found = dict(check_in_children(tasks, 1))
    for number, task in tasks.items():
        if number not in found:
            died = Unchecked(str(task.path), f"{task.path}: the process that checked it died")
            found[number] = dict(check_in_children({number: task}, 1)).get(number, died)
    return found


@contextlib.contextmanager
def connected(address: str, workers: int) -> "Iterator[Client]":
    """Give a client of a scheduler, or of a cluster on this machine that ends with the block.

    Parameters
    ----------
    address
        As in ``tcp://host:8786``, or "local".
    workers
        Processes of a local cluster; 0 takes all cores.

    Raises
    ------
    NoCluster
        If there is none.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise NoCluster("--cluster needs dask: pip install 'rigview[cluster]'") from None
    if address != LOCAL:
        try:
            client = Client(address)
        except (OSError, ValueError) as error:
            raise NoCluster(f"{address}: no scheduler answers: {error}") from None
        with client:
            yield client
        return
    with (
        LocalCluster(
            n_workers=workers or cores(), threads_per_worker=1, dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def check_on(client: "Client", tasks: Sequence[Task], watcher: Watcher | None = None) -> Answers:
    """Check files on a cluster whose workers see them by the same paths; yield answers as they come.

    A batch whose worker is lost is done by another one. One that was lost with several workers is divided
    into its files, and a file that is lost again with as many is told as unchecked.
    """
    from distributed import as_completed

    watcher = watcher or Watcher()
    threads = sum(client.nthreads().values()) or 1
    done = 0
    waiting: dict[Any, list[int]] = {}

    def submit(numbers: list[int]) -> Any:  # noqa: ANN401 - distributed has no types
        part = {number: tasks[number] for number in numbers}
        future = client.submit(check_batch, part, pure=False)
        waiting[future] = numbers
        return future

    coming = as_completed([submit(part) for part in batches(tasks, _BATCHES_EACH * threads)])
    for future in coming:
        numbers = waiting.pop(future)
        if future.status == "finished":
            came = future.result()
            future.release()
            yield from came.items()
            done += len(came)
            watcher.tell(f"{done}/{len(tasks)} files", at_once=True)
        elif len(numbers) > 1:
            for number in numbers:
                coming.add(submit([number]))
        else:
            path = tasks[numbers[0]].path
            reason = f"{path}: the cluster could not check it: {future.exception()}"
            done += 1
            yield numbers[0], Unchecked(str(path), reason)
