"""Python's search for garbage, kept away from work that makes many objects and loses none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep Python from searching for garbage: a file becomes tens of thousands of objects at once.

    All of them are in use, and looking through them again and again takes a quarter of the time.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
