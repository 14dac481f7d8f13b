"""Opening a USD in a process of its own first, to see whether OpenUSD survives it.

Its binary reader takes memory by what a file claims (21 GiB for one damaged kilobyte), and ends the
process on some damage; neither can be caught from within. Text without references has not been seen to
do either, and is read at once.
"""

import json
from pathlib import Path

from rigview.io.child import ChildError, Limits, ask
from rigview.io.child_entry import Parent
from rigview.io.files import read_file
from rigview.io.reading import Listener, LoadError, Pulse

_TEXT = b"#usda "
# In text, every reference to another file stands between these.
_REFERENCE = b"@"
# What a process may take for its data: any file this much, which with the libraries is below a GiB,
# and many times its own size.
_BYTES, _GROWTH = 768 << 20, 64
# Processor time, so that nothing sound is refused on a busy machine.
_SECONDS, _BYTES_A_SECOND = 15, 4 << 20
_ENDLESS = "OpenUSD does not get to the end of it"
_DAMAGED = "OpenUSD does not survive reading it: the file is damaged"


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
    limits = Limits(_SECONDS + len(data) // _BYTES_A_SECOND, _BYTES + _GROWTH * len(data))
    pulse = Pulse(listener)
    pulse.stage("trying the file", 0.0)
    try:
        told = json.loads(ask("rigview.io.usd.probe:attempt", [str(path)], limits, pulse))
    except ChildError as error:
        raise LoadError(path, "", _ENDLESS if error.why == "time" else _DAMAGED) from None
    if told is not None:
        where, reason = told
        raise LoadError(path, where, reason)


def attempt(parent: Parent, path: str) -> None:
    """Open a file, in a child; send why it is refused, or null where it is not."""
    from rigview.io.usd.reader import read

    refused = None
    try:
        read(Path(path), Listener())
    except LoadError as error:
        refused = [error.where, error.reason]
    parent.send(json.dumps(refused).encode())
