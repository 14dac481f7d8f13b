"""Make the sample rigs: ``python samples/make.py [FOLDER [NAME …]]``, without FOLDER beside this script."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import arm
import biped
import candy
import faults
import straight

SAMPLES: dict[str, Callable[[], bytes]] = {
    "arm.glb": arm.arm_file,
    "biped.glb": biped.biped_file,
    "candy.glb": candy.candy_file,
    "box.glb": straight.box_file,
    "cylinder_narrow.glb": partial(straight.cylinder_file, 0.25),
    "cylinder_wide.glb": partial(straight.cylinder_file, 1.0),
    "chain.glb": straight.chain_file,
}
SAMPLES |= {f"broken/{rule}.glb": build for rule, build in faults.FAULTS.items()}


def main(folder: Path, names: list[str]) -> None:
    """Write the named samples, or all, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, build in SAMPLES.items():
        if not names or name in names:
            data = build()
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(data)
            print(f"{name:24} {len(data):7,d} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent, sys.argv[2:])
