"""An elastic body around a joint, and what it tells of skinning methods."""
