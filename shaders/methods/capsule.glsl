// Capsule compensation: rigview.core.methods.capsule.

#include "../lib/dual.glsl"
#include "../lib/limbs.glsl"
#include "../lib/capsule.glsl"

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = blend_motions();
    TURN turn = TURN_OF(blended);
    skin_dual(turn, blended, stretch, position, normal);
    compensate_limbs(turn, stretch, position, normal);
}
