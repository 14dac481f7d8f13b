// The simpler compensation of the thesis: rigview.core.methods.bulge.

#include "../lib/dual.glsl"

// Listing 1 of the thesis: along the bisector, whatever the angle.
vec3 compensation() {
    vec3 sum = palette_bone_direction(a_joints.x) + palette_bone_direction(a_joints.y);
    float size = length(sum);
    return size > FOLDED ? a_statics[BASIC_AMPLITUDE] / size * sum : vec3(0.0);
}

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
