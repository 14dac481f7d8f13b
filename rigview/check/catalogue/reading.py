"""The rules about what could be read, one row each."""

from rigview.check import unread
from rigview.check.rule import Rule

ROWS: tuple[Rule, ...] = (
    Rule(
        "MSH-READ",
        "Something could not be read",
        "images, optional buffers and extensions that are missing or damaged",
        "error",
        "none",
        unread.unreadable,
    ),
)
