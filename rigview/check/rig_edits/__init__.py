"""Edits of rigs that fixes make; one that is a few lines is beside its rule, in `rules`."""
