"""Pages and pictures of the manual that stand elsewhere in the repository, or are made from a table."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

RESOURCES = Path(__file__).parents[1]
# Pages that are shown as they are, and the pictures of README.
SHARED = ("rules.md", "ci.md")
PICTURES = ("screenshot.png", "tubes.png", "worst_poses.png", "cure.png", "method_faults.png")
# Part of a rig (`rigview.io.amendable.PARTS`) → rules whose fixes change it.
CHANGED_BY = {
    "weights": ("WGT-SUM", "WGT-TINY", "WGT-COUNT", "WGT-STRAY"),
    "binds": ("BND-AFFINE", "BND-SINGULAR"),
    "axes": ("ORI-PRIMARY", "ORI-ROLL", "ORI-MIRROR"),
    "rest": ("BND-REST", "HIE-MESH-XFORM"),
    "size": ("SCL-UNIT",),
    "points": ("BND-NONRIGID", "SCL-SKIN"),
    "faces": ("MSH-WINDING",),
    "joints": ("HIE-UNUSED", "HIE-DUPJOINT", "HIE-ORDER"),
    "parents": ("HIE-PARENT",),
    "new nodes": ("HIE-ROOT",),
    "names": ("HIE-NAMES", "HIE-SIDE"),
    "keys": ("ANI-QNORM",),
    "fewer keys": ("ANI-CONST",),
}
# What a format can state (`rigview.io.formats.Content`), in words.
CONTENT = {
    "skins": "skins",
    "morphs": "morph targets",
    "clips": "clips",
    "units": "units",
    "names": "names",
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is shared with the rest of the repository."""
    for name in (*SHARED, *PICTURES):
        files.append(File.generated(config, name, abs_src_path=str(RESOURCES / name)))
    files.append(File.generated(config, "formats.md", content=formats_page()))
    return files


def formats_page() -> str:
    """Return the page of formats, from the table of formats."""
    from rigview.io import FORMATS

    lines = [
        "# Formats",
        "",
        "rigview tells a format by the content of a file, not by its name. This page is made from the "
        "table of formats.",
        "",
        "| format | suffixes | carries | is written | needs |",
        "|---|---|---|---|---|",
    ]
    for row in FORMATS:
        suffixes = ", ".join(f"`{suffix}`" for suffix in row.suffixes)
        carried = [words for content, words in CONTENT.items() if content in row.carries]
        written = "no" if row.save is None else "of any rig"
        if row.amends:
            written = "as a copy of the file that was opened"
        needs = f"`pip install 'rigview[{row.extra}]'`" if row.extra else ""
        lines.append(f"| {row.name} | {suffixes} | {', '.join(carried)} | {written} | {needs} |")
    lines += ["", *repaired_copies(), "## Reading"]
    lines += [
        "",
        "Everything is converted to metres, +Y up and right-handed when it is read. Where a file states a "
        'wrong unit or axis, say so: `rigview.load(path, unit="cm", up="Z")`, or `--unit` and `--up`.',
        "",
        "What a reader ignores or assumes is in the notes of the opened file, one sentence each.",
    ]
    return "\n".join(lines) + "\n"


def repaired_copies() -> list[str]:
    """Return the lines of what a repaired copy of each format holds, from its table."""
    from rigview.io import FORMATS
    from rigview.io.amendable import PARTS

    names = [row.name for row in FORMATS if row.save is not None]
    lines = [
        "## Repaired copies",
        "",
        "A repaired copy is the file itself with the changed parts written anew; of USD it is a layer "
        "over the file. What the format cannot hold is refused by name before anything is written, and the "
        "whole copy with it: `--skip-refused` saves the fixes that the format can hold, and a glTF holds "
        "any rig. The [rules](rules.md) say what their fixes change.",
        "",
        f"| part of the rig | such as the fixes of | {' | '.join(names)} |",
        "|---|---|" + "---|" * len(names),
    ]
    for key, part in PARTS.items():
        fixes = ", ".join(CHANGED_BY.get(key, ()))
        cells = " | ".join(part.formats[name] for name in names)
        lines.append(f"| {part.title} | {fixes} | {cells} |")
    lines += [
        "",
        "FBX 6.1 and Collada in UTF-16 are read and not amended. Elements of a Collada file that are shown "
        "at several places, prims of a USD file inside instances, and properties of an FBX file that "
        "several nodes share are refused where only one of them would change.",
        "",
    ]
    return lines
