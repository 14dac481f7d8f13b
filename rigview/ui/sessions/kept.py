"""What other parts of the window keep of a rig in a session; a row adds something.

A row is a name, what returns JSON of the rig on show, and what takes that back when the rig is shown again.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rigview.check.template_files import template_of, written
from rigview.core.templates.making import TemplateError
from rigview.io.review_notes import as_json, notes_of
from rigview.ui.document import DocumentState


@dataclass(frozen=True)
class Kept:
    """Something that is kept of an open rig beside its states and its view.

    Parameters
    ----------
    told
        Returns JSON of a rig that is held; called in the window's thread.
    taken
        Takes that back into what is held, which nobody has seen yet; raises `ValueError`, `TypeError` or
        `KeyError` where it makes no sense.
    """

    name: str
    told: Callable[[DocumentState], Any]
    taken: Callable[[DocumentState, Any], None]


def _notes_told(held: DocumentState) -> dict[str, Any]:
    """Return the present notes where they are not on disk, and which steps are changes of notes."""
    if held.notes is None or not held.has_unsaved_notes:
        return {}
    return {
        "now": as_json(held.notes),
        "saved": as_json(held.saved_notes),
        "steps": [step.is_note for step in held.steps],
    }


def _notes_taken(held: DocumentState, told: dict[str, Any]) -> None:
    """Take the notes back; of those between the steps only the present ones are kept."""
    if not told:
        return
    now, saved = notes_of(told["now"]), notes_of(told["saved"])
    # Of many steps the first ones are one by now.
    flags = [bool(flag) for flag in told["steps"]][-len(held.steps) :]
    whole = len(told["steps"]) == len(held.steps)
    held.steps = [
        replace(step, notes=now, is_note=flag and (whole or i > 1))
        for i, (step, flag) in enumerate(zip(held.steps, flags, strict=True))
    ]
    held.saved_notes = saved


def _template_told(held: DocumentState) -> dict[str, Any]:
    """Return the template that was chosen: its file may be gone when the session is opened."""
    template = held.template
    return {} if template is None else {"name": template.name, "text": written(template)}


def _template_taken(held: DocumentState, told: dict[str, Any]) -> None:
    if told:
        try:
            held.template = template_of(str(told["name"]), str(told["text"]))
        except TemplateError as error:
            raise ValueError(str(error)) from None


KEPT: tuple[Kept, ...] = (
    Kept("notes", _notes_told, _notes_taken),
    Kept("template", _template_told, _template_taken),
)
