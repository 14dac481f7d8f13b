"""The rules about what could be read, one row each."""

from rigview.check.rule import Rule
from rigview.check.rules import unread

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
