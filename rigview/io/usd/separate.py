"""Read a USD in a child process, which sends back the rig.

OpenUSD takes memory by what a file claims (21 GiB for one damaged kilobyte), overflows its stack on text
that is nested deeply, computes without end, and ends the process on some damage; none of it can be caught
from within. So the process of the window or the command never opens a USD. The child may compute and take
memory by the size of the files that it reads, and is ended when the user cancels.
"""

import contextlib
import importlib
import io
import json
import math
import os
import pickle
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rigview.io.child import Child, ChildError
from rigview.io.child_entry import Parent
from rigview.io.files import read_head
from rigview.io.inputs import note, noting
from rigview.io.reading import PULSE_S, Listener, Loaded, LoadError, Pulse, SaveError

# What reading any file may take for its data, which with the libraries is below a GiB, and how many
# times the size of the files.
_BYTES, _GROWTH = 768 << 20, 16
# Processor time, so that nothing sound is refused on a busy machine.
_SECONDS, _BYTES_A_SECOND = 5, 1 << 20
# Where the system limits no processor time, and for what waits instead of computing: so many times as
# long by the clock.
_PATIENCE = 10
# Variables by which OpenUSD would look for files elsewhere.
_ELSEWHERE = ("PXR_AR_DEFAULT_SEARCH_PATH", "PXR_USD_RESOLVER")
# Arrays begin at multiples of this, so that numpy reads them as quickly as its own.
_ALIGNED = 64
# The kinds of messages of the child, each by its first byte.
_LIMIT, _STAGE, _FILES, _REFUSED, _MISTAKE, _LOADED = range(6)
_MEMORY = "it takes more memory than a file of its size can claim"
_DAMAGED = "OpenUSD does not survive reading it: the file is damaged"


def read_separately(path: Path, listener: Listener) -> Loaded:
    """Read a file in a child; the listener may stop it at any time.

    Raises
    ------
    LoadError
        If it cannot be read, or the child died of it or went beyond its limits.
    """
    read_head(path, 1)  # a folder, a pipe or a missing file is told as of any format
    loaded: Loaded = ask_separately(path, listener, "rigview.io.usd.separate:send_rig")
    return replace(loaded, path=path)


def ask_separately(
    path: Path, listener: Listener, target: str, *more: str, sent: object = None
) -> Any:  # noqa: ANN401 - what the child answers
    """Return what a function answers that opens a file in a child.

    Parameters
    ----------
    target
        The function; it is called with the path and `more`, and answers by `answer`.
    sent
        What it gets by `received`, where it asks for it.

    Raises
    ------
    LoadError
        If it refuses the file, or the child died of it or went beyond its limits.
    """
    pulse = Pulse(listener)
    pulse.stage("starting OpenUSD", 0.0)
    seconds = _SECONDS
    end = time.monotonic() + _PATIENCE * seconds
    with Child(target, [str(path.absolute()), *more]) as child:
        try:
            if sent is not None:
                for message in packed(sent):
                    child.send(message)
            while True:
                with contextlib.suppress(TimeoutError):
                    message = child.receive(PULSE_S)
                    kind, content = message[0], memoryview(message)[1:]
                    if kind == _LIMIT:
                        seconds = json.loads(bytes(content))
                        end = time.monotonic() + _PATIENCE * seconds
                    elif kind == _STAGE:
                        pulse.stage(*json.loads(bytes(content)))
                    elif kind == _FILES:
                        for file in json.loads(bytes(content)):
                            note(Path(file))
                    else:
                        return _outcome(path, kind, content, child)
                if time.monotonic() > end:
                    raise LoadError(path, "", _endless(seconds))
                pulse()
        except ChildError as error:
            reasons = {"time": _endless(seconds), "memory": _MEMORY, "crash": _DAMAGED}
            raise LoadError(path, "", reasons[error.why]) from None


def _endless(seconds: int) -> str:
    return (
        f"OpenUSD does not get to the end of it within {seconds} s, enough for a file of its size"
    )


def _outcome(path: Path, kind: int, content: memoryview, child: Child) -> Any:  # noqa: ANN401
    """Return what a child's last message holds, or raise what it says."""
    if kind == _REFUSED:
        where, reason = json.loads(bytes(content))
        raise LoadError(path, where, reason)
    if kind == _MISTAKE:
        raise RuntimeError(f"a mistake in the child that reads USD\n{bytes(content).decode()}")
    return unpacked(content, child.receive())


def send_rig(parent: Parent, path: str) -> None:
    """Read a file, in the child, and send the rig or why there is none."""

    def read(listener: Listener, earn: Callable[[int], object]) -> object:
        reader = importlib.import_module("rigview.io.usd.reader")
        return reader.read(Path(path), listener, earn)

    answer(parent, path, read)


def received(parent: Parent) -> Any:  # noqa: ANN401 - what was sent
    """Return what the parent sends along."""
    return unpacked(memoryview(parent.receive()), parent.receive())


def answer(
    parent: Parent, path: str, work: Callable[[Listener, Callable[[int], object]], object]
) -> None:
    """Do some work with a file, in the child, and send what it returns or why it refuses.

    Parameters
    ----------
    work
        Called with the listener to tell, and what is to be called with the size of every further file
        before it is read.
    """
    for name in _ELSEWHERE:
        os.environ.pop(name, None)
    importlib.import_module("rigview.io.usd.reader")  # what libraries take is not the file's
    limits = _Limits(parent)
    limits.earn(Path(path).stat().st_size)
    try:
        with noting() as files:
            try:
                result = work(_Progress(parent), limits.earn)
            finally:
                parent.send(bytes([_FILES]) + json.dumps([*map(str, files)]).encode())
        content, arrays = packed(result)
    except LoadError as error:
        parent.send(bytes([_REFUSED]) + json.dumps([error.where, error.reason]).encode())
    except SaveError as error:
        parent.send(bytes([_REFUSED]) + json.dumps(["", str(error)]).encode())
    except MemoryError:
        raise
    except BaseException:
        parent.send(bytes([_MISTAKE]) + traceback.format_exc().encode(errors="replace"))
        raise
    else:
        parent.send(bytes([_LOADED]) + content)
        parent.send(arrays)


class _Progress(Listener):
    """Tells the parent how far the reader is."""

    def __init__(self, parent: Parent) -> None:
        self._parent = parent

    def stage(self, text: str, fraction: float) -> None:
        self._parent.send(bytes([_STAGE]) + json.dumps([text, fraction]).encode())


class _Limits:
    """The limits of this process, which grow with the files that it reads."""

    def __init__(self, parent: Parent) -> None:
        self._parent, self._size = parent, 0

    def earn(self, size: int) -> None:
        """Set them anew, a file of some bytes being about to be read."""
        self._size += size
        seconds = _SECONDS + self._size // _BYTES_A_SECOND
        self._parent.send(bytes([_LIMIT]) + json.dumps(seconds).encode())
        with contextlib.suppress(ImportError):  # limits are POSIX
            import resource

            # What has been taken so far, by imports, is not the file's.
            used = math.ceil(time.process_time())
            _set_limit(resource.RLIMIT_CPU, used + seconds)
            _set_limit(resource.RLIMIT_DATA, _BYTES + _GROWTH * self._size)


def _set_limit(limit: int, value: int) -> None:
    """Set a limit of this process, within the one that the system sets."""
    import resource

    _, most = resource.getrlimit(limit)
    if most != resource.RLIM_INFINITY:
        value = min(value, most)
    resource.setrlimit(limit, (value, most))


class _Pickler(pickle.Pickler):
    """Keeps all arrays out of the pickle, so that what is made of them is read-only as it was."""

    def reducer_override(self, value: object) -> Any:  # noqa: ANN401 - pickle's own interface
        """Make an array contiguous, as those have to be that are kept out."""
        if isinstance(value, np.ndarray) and not value.flags.forc:
            return np.ascontiguousarray(value).__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        return NotImplemented


def packed(value: object) -> tuple[bytes, bytes]:
    """Return a value as a pickle of values and arrays' lengths, and all arrays in one piece."""
    pickled, arrays = io.BytesIO(), io.BytesIO()
    buffers: list[pickle.PickleBuffer] = []
    _Pickler(pickled, pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append).dump(value)
    lengths = []
    for buffer in buffers:
        with buffer.raw() as raw:
            arrays.write(bytes(-arrays.tell() % _ALIGNED))
            arrays.write(raw)
            lengths.append(len(raw))
    return json.dumps(lengths).encode() + b"\n" + pickled.getvalue(), arrays.getvalue()


def unpacked(content: memoryview, arrays: bytes) -> Any:  # noqa: ANN401 - what was packed
    """Return what was packed; its arrays are read-only views of the one piece."""
    stream = io.BytesIO(content)
    lengths = json.loads(stream.readline())
    whole, at, buffers = memoryview(arrays), 0, []
    for length in lengths:
        at += -at % _ALIGNED
        buffers.append(whole[at : at + length])
        at += length
    return pickle.load(stream, buffers=buffers)
