"""Refuse to publish rigs with errors, in Pyblish: ``python pyblish_validator.py hero.glb``."""

import sys
from typing import ClassVar

import pyblish.api  # type: ignore[import-untyped]
import pyblish.util  # type: ignore[import-untyped]

import rigview


class ValidateRig(pyblish.api.InstancePlugin):  # type: ignore[misc]
    """Refuse a rig in which rigview finds errors.

    A collector of the studio puts the path of the rig into ``instance.data["path"]``.
    """

    label = "Rig without errors"
    order = pyblish.api.ValidatorOrder
    families: ClassVar = ["rig"]
    profile = "gltf"

    def process(self, instance: pyblish.api.Instance) -> None:
        """Check the rig of an instance."""
        report = rigview.check(rigview.load(instance.data["path"]), self.profile)
        errors = [
            f"{f.rule}: {f.message}" for f in report.findings if report.severity(f) == "error"
        ]
        if errors:
            raise pyblish.api.ValidationError("; ".join(errors))


if __name__ == "__main__":
    # Pipelines find the plug-in in a folder: pyblish.api.register_plugin_path(FOLDER).
    context = pyblish.api.Context()
    context.create_instance(sys.argv[1], family="rig", path=sys.argv[1])
    pyblish.api.register_plugin(ValidateRig)
    pyblish.util.publish(context)
    for result in context.data["results"]:
        if result["plugin"].__name__ == "ValidateRig":
            print(f"{result['instance']}: {result['error'] or 'may be published'}")
