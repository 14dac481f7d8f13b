"""rigview: see, check and repair skinned rigs.

The names in ``__all__`` are the library. They are imported when they are first used. ``rigview.check`` is
a function, and the package of that name as well.
"""

import os
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rigview.app.checking import check as check
    from rigview.app.comparing import diff as diff
    from rigview.app.drawing import shot as shot
    from rigview.app.loading import load as load
    from rigview.app.loading import save as save
    from rigview.app.measuring import measure as measure
    from rigview.app.posing import skin as skin
    from rigview.app.repairing import repair as repair
    from rigview.check.rule import Finding as Finding
    from rigview.check.rule import Rule as Rule
    from rigview.check.rule import Subject as Subject
    from rigview.check.run import Report as Report
    from rigview.core.errors import RigviewError as RigviewError
    from rigview.core.rig import Rig as Rig
    from rigview.core.skinning import METHODS as METHODS
    from rigview.io.reading import Loaded as Loaded

__version__ = "0.1.0"

# Public name → the module that has it.
_PUBLIC = {
    "METHODS": "rigview.core.skinning",
    "Finding": "rigview.check.rule",
    "Loaded": "rigview.io.reading",
    "Report": "rigview.check.run",
    "Rig": "rigview.core.rig",
    "RigviewError": "rigview.core.errors",
    "Rule": "rigview.check.rule",
    "Subject": "rigview.check.rule",
    "check": "rigview.app.checking",
    "diff": "rigview.app.comparing",
    "load": "rigview.app.loading",
    "measure": "rigview.app.measuring",
    "repair": "rigview.app.repairing",
    "save": "rigview.app.loading",
    "shot": "rigview.app.drawing",
    "skin": "rigview.app.posing",
}
__all__ = [*_PUBLIC]  # noqa: PLE0604 - the table above is the list

# pyqtgraph takes the first binding it finds in the process; ours is PySide6 even beside PyQt6.
os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the types are those imported above
    """Import a public name when it is first used."""
    if name == "check":
        return import_module("rigview.check")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'rigview' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_PUBLIC[name]), name)
    return value


def __dir__() -> list[str]:
    """Return what there is, imported or not."""
    return sorted({*globals(), *_PUBLIC})


class CheckPackage(ModuleType):
    """The package `rigview.check`, which is called as the function `rigview.check`.

    Importing a package makes it an attribute of the one above it, where a function of that name would go.
    """

    def __call__(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - as above
        """Check a rig: `rigview.app.checking.check`."""
        return import_module(_PUBLIC["check"]).check(*given, **named)
