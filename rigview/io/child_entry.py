"""The first file that a child process of rigview runs, by its absolute path and in isolated mode.

`rigview.io.child` starts it. It imports the standard library only, until it has set the module path.
"""

import ctypes
import importlib
import importlib.util
import json
import os
import queue
import signal
import struct
import sys
import threading
from io import FileIO
from pathlib import Path
from typing import Any

# Statuses with which a child says why it ended; none is one that Python or a signal gives.
OUT_OF_MEMORY, ORPHANED, OVERDUE = 70, 71, 72
# A message in either direction: its length, then its bytes.
LENGTH = struct.Struct("<Q")
_PR_SET_PDEATHSIG = 1
_STDIN, _STDOUT, _STDERR = 0, 1, 2


class Parent:
    """The process that started this one, as a child sees it.

    Parameters
    ----------
    requests
        What it sends is read from here.
    answers
        What this process sends goes here.
    """

    def __init__(self, requests: FileIO, answers: FileIO) -> None:
        self._requests, self._answers = requests, answers
        self._received: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def receive(self) -> bytes:
        """Return the next message, once there is one."""
        return self._received.get()

    def send(self, message: bytes) -> None:
        """Send a message."""
        for part in (LENGTH.pack(len(message)), message):
            rest = memoryview(part)
            while rest:
                rest = rest[self._answers.write(rest) :]

    def read(self) -> bytes | None:
        """Read one message of the parent; None once the parent has ended or closed its side."""
        head = self._exactly(LENGTH.size)
        return None if head is None else self._exactly(LENGTH.unpack(head)[0])

    def _exactly(self, count: int) -> bytes | None:
        parts = bytearray()
        while len(parts) < count:
            part = self._requests.read(count - len(parts))
            if not part:
                return None
            parts += part
        return bytes(parts)

    def listen(self) -> None:
        """Queue every message, and end this process when the parent has ended."""
        while (message := self.read()) is not None:
            self._received.put(message)
        os._exit(ORPHANED)


def main() -> int:
    """Set up this process as its parent wants it and call the function that it names."""
    answers = os.dup(_STDOUT)
    # What libraries print must not get between the messages.
    os.dup2(_STDERR, _STDOUT)
    parent = Parent(FileIO(_STDIN, closefd=False), FileIO(answers, "w"))
    first = parent.read()
    if first is None:
        return ORPHANED
    orders = json.loads(first)
    _die_with(orders["parent"])
    _limit(orders["bytes"], orders["seconds"])
    sys.path[:] = _search_path(orders["path"])
    _bind(orders["package"])
    threading.Thread(target=parent.listen, daemon=True).start()
    try:
        function = getattr(importlib.import_module(orders["module"]), orders["function"])
        function(parent, *orders["arguments"])
    except MemoryError:
        return OUT_OF_MEMORY
    return 0


def _die_with(parent: int) -> None:
    """Let the kernel kill this process when its parent dies: no thread can while C code runs."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:  # it died before it was asked for
        os._exit(ORPHANED)


def _limit(size: int | None, seconds: int | None) -> None:
    """Limit memory for data, in bytes, and processor time, where the system can."""
    try:
        import resource
    except ImportError:  # Windows has none
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if size is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    if seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def _search_path(wanted: list[str]) -> list[str]:
    """Return the module path of the parent without the working directory.

    A working directory that is on this process's own path, which isolated mode keeps free of it, is
    there because something was installed from it, and stays.
    """
    own = list(sys.path)
    kept = [place for place in wanted if place in own or not _is_here(place)]
    return kept + [place for place in own if place not in kept]


def _is_here(place: str) -> bool:
    if not Path(place).is_absolute():
        return True
    try:
        return Path(place).samefile(Path.cwd())
    except OSError:
        return False


def _bind(package: str) -> None:
    """Make `rigview` the package of the parent, by its folder, whatever the module path leads to."""
    if getattr(sys, "frozen", False):
        # A bundle holds one rigview, and no files of it.
        return
    start = Path(package) / "__init__.py"
    spec: Any = importlib.util.spec_from_file_location(
        "rigview", start, submodule_search_locations=[package]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules["rigview"] = module
    spec.loader.exec_module(module)


if __name__ == "__main__":
    sys.exit(main())
