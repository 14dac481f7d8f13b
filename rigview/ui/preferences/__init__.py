"""What the user prefers: one table of settings, and the dialog that is filled from it."""
