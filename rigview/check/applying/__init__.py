"""Fixes applied: tried first, then one or all, then to other files of the same skeleton."""
