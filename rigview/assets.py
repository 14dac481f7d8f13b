"""Where the data files are: beside the package in the repository, inside it in an installed wheel."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parent


def _folder(name: str) -> Path:
    installed = _PACKAGE / f"_{name}"
    return installed if installed.is_dir() else _PACKAGE.parent / name


SHADERS = _folder("shaders")
RESOURCES = _folder("resources")
SAMPLES = _folder("samples")


@cache
def resource(name: str) -> Any:  # noqa: ANN401 - whatever the JSON holds
    """Return a JSON resource, parsed."""
    return json.loads((RESOURCES / name).read_text(encoding="utf-8"))


def theme(name: str = "dark") -> dict[str, str]:
    """Return the colours of a theme: token → ``#rrggbb``."""
    colours: dict[str, str] = resource("theme.json")[name]
    return colours


def colour_map(name: str) -> list[str]:
    """Return the 256 colours of a map as ``#rrggbb``, from low to high."""
    colours: list[str] = resource("colour_maps.json")[name]
    return colours


def rgb(colour: str) -> tuple[float, float, float]:
    """Return ``#rrggbb`` as three numbers 0…1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5))
    return red, green, blue


def hex_of(colour: Sequence[float]) -> str:
    """Return three numbers 0…1 as ``#rrggbb``."""
    return "#" + "".join(f"{round(255.0 * number):02x}" for number in colour)
