"""What the user knows better than the file: its unit, its up axis, its frame rate."""

from dataclasses import dataclass, replace

from rigview.core import quat
from rigview.core.placement import Up, scaled, to_y_up, turned
from rigview.io.reading import Loaded


@dataclass(frozen=True)
class Overrides:
    """What to believe instead of what the file states; None leaves its own statement.

    Parameters
    ----------
    unit_m
        Metres that one unit of the file is.
    up
        The axis of the file that points up.
    fps
        Frames a second by which frames are counted; keys keep their times in seconds.
    """

    unit_m: float | None = None
    up: Up | None = None
    fps: float | None = None

    def __post_init__(self) -> None:
        for name in ("unit_m", "fps"):
            value = getattr(self, name)
            if value is not None and not 0.0 < value < float("inf"):
                raise ValueError(f"{name}: wanted a number above 0, got {value}")


def apply(loaded: Loaded, overrides: Overrides) -> Loaded:
    """Return an opened file as it is by what the user says.

    A file whose unit or axis is overridden has no source any more: saving writes it anew.
    """
    rig, origin, notes = loaded.rig, loaded.rig.origin, list(loaded.notes)
    source = loaded.source
    if overrides.unit_m is not None and overrides.unit_m != origin.unit_m:
        rig, source = scaled(rig, overrides.unit_m / origin.unit_m), None
        notes.append(f"the unit is set to {overrides.unit_m:g} m; the file's was {origin.unit_m:g}")
        origin = replace(origin, unit_m=overrides.unit_m)
    if overrides.up is not None and overrides.up != origin.up:
        back = quat.conjugate(to_y_up(_axis(origin.up)))
        rig, source = turned(rig, quat.multiply(to_y_up(overrides.up), back)), None
        notes.append(f"{overrides.up} is set to be up; the file's was {origin.up}")
        origin = replace(origin, up=overrides.up)
    if overrides.fps is not None and overrides.fps != origin.fps:
        stated = "none" if origin.fps is None else f"{origin.fps:g}"
        notes.append(f"the frame rate is set to {overrides.fps:g}; the file's was {stated}")
        origin = replace(origin, fps=overrides.fps)
    return replace(loaded, rig=replace(rig, origin=origin), source=source, notes=tuple(notes))


def _axis(stated: str) -> Up:
    """Return an axis that a reader recorded as a value of the type."""
    return "X" if stated == "X" else "Z" if stated == "Z" else "Y"
