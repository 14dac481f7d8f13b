"""USD (.usd, .usda, .usdc, .usdz) through OpenUSD's own library, the extra `rigview[usd]`."""

from importlib.util import find_spec
from pathlib import Path

from rigview.core.rig import Rig
from rigview.io.original import Original
from rigview.io.reading import Listener, Loaded, LoadError, SaveError, missing_extra

__all__ = ["load", "recognises", "save", "save_flat"]

_ZIP = b"PK\x03\x04"
_SUFFIXES = (b".usd", b".usda", b".usdc")


def recognises(head: bytes) -> bool:
    """Tell a USD by its text or crate header, or as a zip whose first file is one."""
    if head.startswith((b"#usda ", b"PXR-USDC")):
        return True
    if not head.startswith(_ZIP):
        return False
    size = int.from_bytes(head[26:28], "little")
    return head[30 : 30 + size].lower().endswith(_SUFFIXES)


def load(path: Path, listener: Listener) -> Loaded:
    """Read a USD file.

    Raises
    ------
    LoadError
        If it is damaged, reaches out of its folder, or usd-core is not installed.
    """
    if find_spec("pxr") is None:
        reason = f"USD needs OpenUSD's library; {missing_extra('usd')}"
        raise LoadError(path, "", reason)
    from rigview.io.usd.separate import read_separately

    return read_separately(path, listener)


def save(loaded: Loaded, rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig: a USD as a layer over its file that holds the changes, any other as a file of its own.

    Returns
    -------
    What of the rig the file does not carry; nothing of a copy.

    Raises
    ------
    SaveError
        If USD cannot hold the change, or usd-core is not installed.
    """
    _expect_library()
    if isinstance(loaded.source, Original) and loaded.source.format == "USD":
        from rigview.io.usd.saving import save as save_copy

        save_copy(loaded, rig, out)
        return ()
    from rigview.io.usd.export.writing import save as save_anew

    return save_anew(rig, out)


def _expect_library() -> None:
    if find_spec("pxr") is None:
        raise SaveError(f"USD needs OpenUSD's library; {missing_extra('usd')}")


def save_flat(loaded: Loaded, rig: Rig, out: Path) -> tuple[str, ...]:
    """Write the same as one file that refers to no other layer.

    Raises
    ------
    SaveError
        If the rig was read from another file, or USD cannot hold the change.
    """
    if not isinstance(loaded.source, Original) or loaded.source.format != "USD":
        return save(loaded, rig, out)
    _expect_library()
    from rigview.io.usd.saving import save as save_copy

    save_copy(loaded, rig, out, flatten=True)
    return ("the copy is all layers in one: variants, references and comments are resolved in it",)
