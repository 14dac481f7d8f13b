"""Independent computations side by side: numpy lets other threads run during large operations."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def in_threads(function: Callable[[_Item], _Result], items: Sequence[_Item]) -> Iterator[_Result]:
    """Yield the function of every item, in their order.

    The first is computed alone, so that what is computed once and kept is there for the others. When the
    consumer stops or a computation raises, what has not begun is given up.
    """
    if not items:
        return
    yield function(items[0])
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(function, item) for item in items[1:]]
        try:
            for future in futures:
                yield future.result()
        finally:
            for future in futures:
                future.cancel()
