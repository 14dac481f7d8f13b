"""The panes in the middle: canvas, mouse, and what lies above, in and below the pictures."""
