"""Child processes: the one place where rigview starts any.

A child runs one function of a module that is named. It starts from an absolute file in Python's
isolated mode, so that no file of the working directory or of a rig's folder is ever imported; it ends
with the process that started it, also where that is killed; and it keeps to limits of time and memory.
"""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

import rigview
from rigview.core.text import system_reason
from rigview.io import child_entry
from rigview.io.child_entry import LENGTH, OUT_OF_MEMORY, OVERDUE

__all__ = ["Child", "ChildError", "ChildLimits", "ask", "output_of"]

# How long a child that ends may take to be gone, in seconds.
_LEAVING_S = 10.0
# No child that a limit of processor time does not end is waited for longer than so many times that.
_PATIENCE = 10
Why = Literal["time", "memory", "crash"]


class ChildError(Exception):
    """A child that ended without its answer.

    Parameters
    ----------
    why
        "time" or "memory" where it went beyond a limit, "crash" where it died.
    reason
        The end of a sentence about it: how it ended.
    """

    def __init__(self, why: Why, reason: str) -> None:
        super().__init__(why, reason)
        self.why: Why = why
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True)
class ChildLimits:
    """What a child may take; None is no limit.

    Parameters
    ----------
    seconds
        Processor time. On systems without such a limit, and for children that wait, ten times as long
        by the clock.
    size
        Memory for data, in bytes, its libraries included. Linux holds a child to it; macOS and Windows
        do not.
    """

    seconds: int | None = None
    size: int | None = None


class Child:
    """A process that runs one function of ours; killed at the end of its ``with`` block.

    The thread that starts it must live as long as it: Linux takes the end of that thread for the end of
    the parent.

    Parameters
    ----------
    target
        ``"package.module:function"``. The function is called with a
        `rigview.io.child_entry.Parent`, by which it sends its answers, and with the arguments.
    heard
        Whether what it writes to stderr is ours; otherwise nobody reads it.

    Raises
    ------
    ChildError
        If it cannot be started.
    """

    def __init__(
        self,
        target: str,
        arguments: Sequence[str] = (),
        limits: ChildLimits = ChildLimits(),
        *,
        heard: bool = False,
    ) -> None:
        self._limits = limits
        reading, writing = os.pipe()
        try:
            self._process = subprocess.Popen(
                _command(),
                env=os.environ | {"PYTHONSAFEPATH": "1"},
                stdin=reading,
                stdout=subprocess.PIPE,
                stderr=None if heard else subprocess.DEVNULL,
                # A Ctrl+C is for this process, which then ends its children.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            os.close(writing)
            raise ChildError("crash", f"it cannot be started: {system_reason(error)}") from None
        finally:
            os.close(reading)
        # As long as this end is open the child knows that we live.
        self._requests = os.fdopen(writing, "wb", buffering=0)
        self._received: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.send(_orders(target, arguments, limits))

    def __enter__(self) -> "Child":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        self._process.wait()
        self._reader.join()
        self._requests.close()

    def send(self, message: bytes) -> None:
        """Send it a message; a child that has died is told of by `receive`."""
        with contextlib.suppress(BrokenPipeError):
            for part in (LENGTH.pack(len(message)), message):
                rest = memoryview(part)
                while rest:
                    rest = rest[self._requests.write(rest) :]

    def receive(self, timeout: float | None = None) -> bytes:
        """Return the next message of the child.

        Parameters
        ----------
        timeout
            The longest to wait, in seconds; None waits for ever.

        Raises
        ------
        TimeoutError
            If there is none yet.
        ChildError
            If there will be none, because it has ended.
        """
        try:
            message = self._received.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError from None
        if message is None:
            self._received.put(None)
            raise self._end()
        return message

    def kill(self) -> None:
        """End it at once; `receive` then raises."""
        self._process.kill()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream:
            while len(head := stream.read(LENGTH.size)) == LENGTH.size:
                (length,) = LENGTH.unpack(head)
                message = stream.read(length)
                if len(message) < length:
                    break
                self._received.put(message)
        self._received.put(None)

    def _end(self) -> ChildError:
        """Return how it ended."""
        try:
            status = self._process.wait(_LEAVING_S)
        except subprocess.TimeoutExpired:
            return ChildError("crash", "it gives no answer")
        if status == OUT_OF_MEMORY:
            return ChildError("memory", f"it takes more than {_megabytes(self._limits.size)}")
        if status == OVERDUE:
            return ChildError("time", "it ended itself, since a call took too long")
        if status < 0 and -status == getattr(signal, "SIGXCPU", None):
            return _too_long(self._limits)
        if status < 0:
            return ChildError("crash", f"it was ended by {_signal(-status)}")
        return ChildError("crash", f"it ended with status {status}")


def ask(
    target: str,
    arguments: Sequence[str] = (),
    limits: ChildLimits = ChildLimits(),
    pulse: Callable[[], object] = lambda: None,
    every: float = 0.05,
) -> bytes:
    """Run a function in a child and return the first message that it sends.

    Parameters
    ----------
    pulse
        Called at least every `every` seconds meanwhile; what it raises ends the child.

    Raises
    ------
    ChildError
        If it ends without one, or goes beyond a limit.
    """
    end = None if limits.seconds is None else time.monotonic() + _PATIENCE * limits.seconds
    with Child(target, arguments, limits) as child:
        while True:
            with contextlib.suppress(TimeoutError):
                return child.receive(every)
            if end is not None and time.monotonic() > end:
                raise _too_long(limits)
            pulse()


def _command() -> list[str]:
    # Isolated: neither the working directory nor the folder of the file is on the path, and no
    # environment variable puts it there. How names of files are decoded must not change by that.
    if getattr(sys, "frozen", False):
        # A bundle has no Python of its own: it starts itself (resources/packaging/entry.py).
        return [sys.executable, "--rigview-child"]
    decoding = f"utf8={sys.flags.utf8_mode}"
    return [sys.executable, "-I", "-X", decoding, str(Path(child_entry.__file__).resolve())]


def _orders(target: str, arguments: Sequence[str], limits: ChildLimits) -> bytes:
    module, function = target.split(":")
    orders = {
        "parent": os.getpid(),
        "path": sys.path,
        "package": str(Path(rigview.__file__).resolve().parent),
        "module": module,
        "function": function,
        "arguments": list(arguments),
        "bytes": limits.size,
        "seconds": limits.seconds,
    }
    return json.dumps(orders).encode()


def _too_long(limits: ChildLimits) -> ChildError:
    return ChildError("time", f"it takes more than {limits.seconds} s")


def _megabytes(size: int | None) -> str:
    return "the memory that there is" if size is None else f"{size >> 20} MiB"


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def output_of(command: Sequence[str], seconds: float = 60.0) -> bytes:
    """Return what another program prints, one that is named by its full path.

    Raises
    ------
    ChildError
        If it fails, with the last line that it says, or takes longer.
    """
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False
        )
    except OSError as error:
        raise ChildError("crash", system_reason(error)) from None
    except subprocess.TimeoutExpired:
        raise ChildError("time", f"it takes longer than {seconds:g} s") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise ChildError("crash", said[-1] if said else f"exit status {done.returncode}")
    return done.stdout
