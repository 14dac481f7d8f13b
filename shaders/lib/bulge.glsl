// What both listings of the thesis have in common: dual quaternion skinning, then a move out of the bulge by
// what the method's file says of it.

#include "dual.glsl"

// In the method's file; for a strength of one and joints that do not scale.
vec3 compensation();

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = blend_motions();
    TURN turn = TURN_OF(blended);
    skin_dual(turn, blended, stretch, position, normal);
    vec3 moved = u_strength * compensation();
#if STRETCH
    moved *= pow(abs(determinant(stretch)), 1.0 / 3.0);
#endif
    position += moved;
}
