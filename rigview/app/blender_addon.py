"""The add-on for Blender as a zip that Blender installs."""

import io
import zipfile

from rigview import __version__
from rigview.assets import RESOURCES

_FILES = ("blender_manifest.toml", "__init__.py", "exchange.py")
# The first time that a zip can state: the same add-on is the same bytes.
_TIME = (1980, 1, 1, 0, 0, 0)


def packed() -> bytes:
    """Return the zip: the files of ``resources/blender``, its manifest with this version."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name in _FILES:
            text = (RESOURCES / "blender" / name).read_text(encoding="utf-8")
            if name == "blender_manifest.toml":
                text = text.replace('version = "0.1.0"', f'version = "{__version__}"')
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(entry, text)
    return target.getvalue()
