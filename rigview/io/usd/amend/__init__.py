"""What a changed rig becomes in a layer: joints and clips, skins, points, and transforms of prims."""
