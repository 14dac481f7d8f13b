"""What skinning shaders read as texels of four floats: palettes, bones, further influences, moments."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.methods.delta_mush import Moments
from rigview.core.methods.palette import Palette
from rigview.core.skinning import Options
from rigview.render.vertex_stage import PackedInfluences

# Texels a joint takes in the palette: three matrix rows, two of the dual quaternion, one bone direction
# (shaders/lib/palette.glsl).
PALETTE_TEXELS = 6
# Texels a joint takes in the posed bones (shaders/lib/limbs.glsl).
LIMB_TEXELS = 7
# In OpenGL ES texels lie in rows of 2^11: every implementation of ES 3.0 has textures of 2,048.
TEXEL_ROW_BITS = 11
# Influences of a vertex that lie in its attributes.
IN_ATTRIBUTES = 4


def palette_bases(deformer: Deformer) -> list[int]:
    """Return for each part where its palette begins: skins share theirs, unskinned parts have one."""
    rig = deformer.rig
    bases, base = [], 0
    of_skin: dict[int, int] = {}
    for skin in deformer.skins:
        of_skin[skin] = base
        base += len(rig.skins[skin].joints)
    for bound in map(deformer.skin_of, rig.parts):
        if bound is not None:
            bases.append(of_skin[bound])
        else:
            bases.append(base)
            base += 1
    return bases


def palette_texels(deformer: Deformer, frame: Frame, options: Options) -> NDArray[np.float32]:
    """Return the ``(E, 6, 4)`` texels of one pose: all skins', then those of parts without skin."""
    texels = [np.zeros((0, PALETTE_TEXELS, 4), dtype=np.float32)]
    for skin in deformer.skins:
        directions = deformer.bone_directions(skin, frame.palettes[skin], options.axis)
        texels.append(_of_palette(frame.palettes[skin], directions))
    texels.extend(
        _of_palette(deformer.part_palette(frame, part), np.zeros((1, 3)))
        for part in deformer.rig.parts
        if not deformer.is_skinned(part)
    )
    return np.concatenate(texels)


def _of_palette(palette: Palette, directions: FloatArray) -> NDArray[np.float32]:
    """Return ``(J, 6, 4)`` texels of one palette, as shaders/lib/palette.glsl reads them."""
    texels = np.zeros((len(palette.matrices), PALETTE_TEXELS, 4), dtype=np.float32)
    texels[:, :3] = palette.matrices[:, :3]
    texels[:, 3] = palette.dual_quaternions[:, :4]
    texels[:, 4] = palette.dual_quaternions[:, 4:]
    texels[:, 5, :3] = directions
    return texels


def limb_texels(deformer: Deformer, frame: Frame, entries: int) -> NDArray[np.float32]:
    """Return ``(E, 7, 4)`` texels of all skins' bones, as shaders/lib/limbs.glsl reads them.

    They are numbered as the palette is, in which parts without skin come last.
    """
    result, start = np.zeros((entries, LIMB_TEXELS, 4), dtype=np.float32), 0
    for skin in deformer.skins:
        at_rest = deformer.limbs[skin]
        limbs = at_rest.posed(frame.palettes[skin])
        texels = result[start : start + len(limbs.lengths)]
        texels[:, 0, :3], texels[:, 1, :3] = limbs.rest_heads, limbs.axes
        texels[:, 2, :3], texels[:, 2, 3] = limbs.heads, limbs.lengths
        texels[:, 3, :3], texels[:, 6, :3] = limbs.directions, at_rest.bones.directions
        texels[:, 6, 3], texels[:, 3, 3] = at_rest.branches.T
        texels[:, 4, :3], texels[:, 5, :3] = limbs.head_gaps, limbs.tail_gaps
        texels[:, 0:2, 3], texels[:, 4:6, 3] = limbs.nearness, limbs.ends
        start += len(texels)
    return result


class Further(NamedTuple):
    """The influences of a part's vertices beyond the fourth.

    Parameters
    ----------
    texels
        ``(n, 4)`` joint, weight and, once given, share of the capsule compensation.
    of
        ``(V, 2)`` where in `texels` a vertex's begin, and how many they are.
    used
        ``(V, K − 4)`` which of them have weight.
    """

    texels: NDArray[np.float32]
    of: NDArray[np.uint32]
    used: BoolArray


def further_texels(packed: PackedInfluences) -> Further | None:
    """Return a part's influences beyond the fourth; None where no vertex has any."""
    more = packed.shares[:, IN_ATTRIBUTES:]
    if not np.any(more):
        return None
    used = more != 0.0
    counts = used.sum(axis=1)
    starts = np.cumsum(counts) - counts
    texels = np.zeros((int(counts.sum()), 4), dtype=np.float32)
    texels[:, 0] = packed.joints[:, IN_ATTRIBUTES:][used]
    texels[:, 1] = more[used]
    return Further(texels, np.stack([starts, counts], axis=1).astype(np.uint32), used)


def moment_texels(moments: Moments) -> NDArray[np.float32]:
    """Return ``(V, 1 + 3 n, 4)`` texels of the moments of `n` joints a vertex (lib/delta_mush.glsl)."""
    count, most = moments.joints.shape
    texels = np.zeros((count, 1 + 3 * most, 4), dtype=np.float32)
    texels[:, 0, :3] = moments.centres
    of_joints = texels[:, 1:].reshape(count, most, 12)
    of_joints[..., 0], of_joints[..., 1] = moments.joints, moments.shares
    of_joints[..., 2:5], of_joints[..., 5:11] = moments.first, moments.second
    texels[:, 1:] = of_joints.reshape(count, 3 * most, 4)
    return texels
