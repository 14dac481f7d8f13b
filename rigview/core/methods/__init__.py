"""The skinning methods, one module each, and what they read of a mesh and of a pose."""
