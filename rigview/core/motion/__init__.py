"""Clips that no file holds: made up, borrowed, excerpted, or told as turns from key to key."""
