"""Opening a USD in a process of its own first, to see whether OpenUSD survives it.

Its binary reader takes memory by what a file claims (21 GiB for one damaged kilobyte), and ends the
process on some damage; neither can be caught from within. Text without references has not been seen to
do either, and is read at once.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from rigview.io.files import read_file
from rigview.io.reading import PULSE_S, Listener, LoadError, Pulse

_TEXT = b"#usda "
# In text, every reference to another file stands between these.
_REFERENCE = b"@"
# What a process may take for its data: any file this much, which with the libraries is below a GiB,
# and many times its own size.
_BYTES, _GROWTH = 768 << 20, 64
_REFUSED = 3
# Processor time, so that nothing sound is refused on a busy machine. A process that neither computes
# nor ends is given up after so many times as long.
_SECONDS, _BYTES_A_SECOND = 15, 4 << 20
_PATIENCE = 10
_ENDLESS = "OpenUSD does not get to the end of it"


def survive(path: Path, listener: Listener) -> None:
    """See whether a file can be opened safely; who hears of it may stop it at any time.

    Raises
    ------
    LoadError
        If the process that tried it ended, or took too much memory or time.
    """
    data = read_file(path)
    if data.startswith(_TEXT) and _REFERENCE not in data:
        return
    limit = _BYTES + _GROWTH * len(data)
    seconds = _SECONDS + len(data) // _BYTES_A_SECOND
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "rigview.io.usd.probe", str(path), str(limit), str(seconds)]
    status, told = _ended(command, environment, _PATIENCE * seconds, listener)
    if status is None or -status == getattr(signal, "SIGXCPU", None):
        raise LoadError(path, "", _ENDLESS)
    if status == _REFUSED:
        where, reason = json.loads(told.decode().splitlines()[-1])
        raise LoadError(path, where, reason)
    if status != 0:
        raise LoadError(path, "", "OpenUSD does not survive reading it: the file is damaged")


def _ended(
    command: list[str], environment: dict[str, str], patience: float, listener: Listener
) -> tuple[int | None, bytes]:
    """Return the status of a process and what it printed; no status where it was given up."""
    pulse = Pulse(listener)
    pulse.stage("trying the file", 0.0)
    none = subprocess.DEVNULL
    with subprocess.Popen(
        command, env=environment, stdin=none, stdout=subprocess.PIPE, stderr=none
    ) as process:
        end = time.monotonic() + patience
        try:
            while time.monotonic() < end:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    told, _ = process.communicate(timeout=PULSE_S)
                    return process.returncode, told
                pulse()
            return None, b""
        finally:
            process.kill()


def main(path: str, limit: str, seconds: str) -> int:
    """Open a file within limits of memory and of processor time; return the status.

    An error that can be told is printed.
    """
    with contextlib.suppress(ImportError):  # limits are POSIX
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (int(limit), int(limit)))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
    from rigview.io.usd.reader import read

    try:
        read(Path(path), Listener())
    except LoadError as error:
        sys.stdout.write(f"\n{json.dumps([error.where, error.reason])}\n")
        return _REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
