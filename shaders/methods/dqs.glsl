// Dual quaternion skinning: rigview.core.skinning.

#include "../lib/dual.glsl"

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = blend_motions();
    TURN turn = TURN_OF(blended);
    skin_dual(turn, blended, stretch, position, normal);
}
