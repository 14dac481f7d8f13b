"""Edits of rigs that fixes of several rules share; the fix of one rule is beside it, in `rules`."""
