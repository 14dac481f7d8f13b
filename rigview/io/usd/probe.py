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
from pathlib import Path

from rigview.io.files import read_file
from rigview.io.reading import Listener, LoadError

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


def survive(path: Path) -> None:
    """See whether a file can be opened safely.

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
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rigview.io.usd.probe", str(path), str(limit), str(seconds)],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LoadError(path, "", _ENDLESS) from None
    if -done.returncode == getattr(signal, "SIGXCPU", None):
        raise LoadError(path, "", _ENDLESS)
    if done.returncode == _REFUSED:
        where, reason = json.loads(done.stdout.decode().splitlines()[-1])
        raise LoadError(path, where, reason)
    if done.returncode != 0:
        raise LoadError(path, "", "OpenUSD does not survive reading it: the file is damaged")


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
