"""A BVH of which a format can hold one fix and not another."""

# Two heads of one name, which a BVH can hold mended; keys that never move, which it holds for all joints.
TWO_HEADS = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0.9 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT Head
  {
    OFFSET 0 0.3 0.1
    CHANNELS 3 Zrotation Xrotation Yrotation
  }
  JOINT Head
  {
    OFFSET 0.1 0.3 0.1
    CHANNELS 3 Zrotation Xrotation Yrotation
  }
}
MOTION
Frames: 2
Frame Time: 0.04
0 0 0 5 0 0 0 0 0
0 0 0 9 0 0 0 0 0
"""
