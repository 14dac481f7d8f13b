"""Skinned shapes measured: what is measured, on which surface, in one pose or along a clip."""
