"""The set-up checker: rules from a rig to findings, and fixes from a rig to a rig."""
