"""The validator of Khronos, in one process of node for all files: starting it is what takes time."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

# Where .ci/setup.sh puts the package; outside the repository, so that a clean copy need not fetch it.
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rigview" / "node"
ERROR, WARNING = 0, 1


class Issue(NamedTuple):
    """One message of the validator."""

    code: str
    severity: int
    pointer: str
    message: str


def missing():
    """Return why nothing can be validated here; empty where it can."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not (CACHE / "node_modules" / "gltf-validator").is_dir():
        return f"no gltf-validator in {CACHE}: tests/run.sh installs it where npm is"
    return ""


class Validator:
    """A running validator; use it in a with statement."""

    def __enter__(self):
        self._node = subprocess.Popen(
            ["node", str(Path(__file__).with_suffix(".js"))],
            env=os.environ | {"NODE_PATH": str(CACHE / "node_modules")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        return self

    def __exit__(self, *error):
        self._node.stdin.close()
        self._node.stdout.close()
        self._node.wait(timeout=10)

    def issues(self, path):
        """Return all issues of a file."""
        self._node.stdin.write(f"{path}\n")
        self._node.stdin.flush()
        answer = json.loads(self._node.stdout.readline())
        if "refused" in answer:
            return [Issue("REFUSED", ERROR, "", answer["refused"])]
        return [
            Issue(i["code"], i["severity"], i.get("pointer", ""), i["message"])
            for i in answer["issues"]
        ]

    def faults(self, path):
        """Return the errors and warnings of a file: code → the first of its issues."""
        found = [issue for issue in self.issues(path) if issue.severity <= WARNING]
        return {issue.code: issue for issue in reversed(found)}

    def new_faults(self, copy, source):
        """Return the errors and warnings of a copy whose codes its source does not have."""
        known = self.faults(source)
        return {code: issue for code, issue in self.faults(copy).items() if code not in known}
