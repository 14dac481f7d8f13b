"""The set-up checker: rules from a rig to findings, and fixes from a rig to a rig."""

import sys

from rigview import CheckPackage

sys.modules[__name__].__class__ = CheckPackage
