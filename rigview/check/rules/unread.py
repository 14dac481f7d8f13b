"""The rule about what could not be read of a file that opens all the same."""

from collections.abc import Iterator

from rigview.check.rule import Finding, Fix, Subject, rule


@rule(
    "MSH-READ",
    title="Something could not be read",
    measures="images, optional buffers and extensions that are missing or damaged",
    severity="error",
)
def unreadable(subject: Subject) -> Iterator[Finding]:
    """Something that the rig opens without is missing or damaged."""
    for key, unread in enumerate(subject.rig.missing):
        yield Finding(
            key,
            unread.reason,
            unread.where,
            severity="warning" if unread.what == "material" else None,
            explanation="The shape is whole; its material shows without this."
            if unread.what == "material"
            else "The rig opens without it; what it would show is missing.",
            fix=Fix("none", reason="the data are not in the file"),
        )
