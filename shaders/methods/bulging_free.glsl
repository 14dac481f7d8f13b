// Bulging-free skinning: rigview.core.methods.bulging_free, which is the oracle and says why.

#include "../lib/dual.glsl"
#include "../lib/limbs.glsl"

vec3 from_segment(vec3 offset, vec3 direction, float size) {
    return offset - clamp(dot(offset, direction), 0.0, size) * direction;
}

vec3 compensation(mat3 stretch, vec3 position) {
    // What turned by one joint alone is exact already.
    if (a_weights.y == 0.0) {
        return vec3(0.0);
    }
    vec3 arm, head;
    seen_from(a_joints.x, stretch, arm, head);
    float size = limb_texel(a_joints.x, 2).w;
    float rest = length(from_segment(arm, limb_texel(a_joints.x, 1).xyz, size));
    vec3 away = from_segment(position - head, limb_texel(a_joints.x, 3).xyz, size);
    float far = length(away);
    return far > ON_BONE ? a_statics[COMPENSATION_MASK] * min(rest / far - 1.0, 0.0) * away : vec3(0.0);
}

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = blend_motions();
    TURN turn = TURN_OF(blended);
    skin_dual(turn, blended, stretch, position, normal);
    position += u_strength * compensation(stretch, position);
}
