"""Modules of every name that could be imported, which tell when one of them runs."""

import importlib.metadata
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
# They name no module, or Python has them within itself and looks for no file.
_BUILT_IN = {"__main__", "__future__", *sys.builtin_module_names}


def names():
    """Return what the standard library, all packages installed and this project call their modules."""
    installed = importlib.metadata.packages_distributions()
    every = {*sys.stdlib_module_names, *installed, "rigview", "sitecustomize", "usercustomize"}
    return sorted(name for name in every - _BUILT_IN if name.isidentifier())


class Planted:
    """A folder in which every importable name stands as a file and as a package.

    Parameters
    ----------
    folder
        Where they are planted.
    """

    def __init__(self, folder):
        self.folder = folder
        self._hits = folder / "hits.txt"
        text = f"open({str(self._hits)!r}, 'a').write(__name__ + '\\n')\n"
        for number, name in enumerate(names()):
            if number % 2:
                (folder / f"{name}.py").write_text(text)
            else:
                (folder / name).mkdir()
                (folder / name / "__init__.py").write_text(text)
        assert not self.ran

    @property
    def ran(self):
        """The names of those that ran."""
        return self._hits.read_text().split() if self._hits.exists() else []


def command(folder):
    """Return how the installed command is begun, from a script in a folder of its own."""
    folder.mkdir(exist_ok=True)
    script = folder / "rigview"
    text = "if __name__ == '__main__':\n    import sys\n    from rigview.cli import main\n"
    script.write_text(f"{text}    sys.exit(main())\n")
    return [sys.executable, str(script)]
