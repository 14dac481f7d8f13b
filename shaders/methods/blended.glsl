// LBS and DQS mixed: rigview.core.skinning.

#include "../lib/linear.glsl"
#include "../lib/dual.glsl"

uniform float u_blend; // below 0 each vertex has its own

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = blend_motions();
    TURN turn = TURN_OF(blended);
    skin_dual(turn, blended, stretch, position, normal);
    vec3 linear_position, linear_normal;
    skin_linear(a_position, linear_position, linear_normal);
    float share = u_blend >= 0.0 ? u_blend : a_statics[DQS_WEIGHT];
    position = mix(linear_position, position, share);
    vec3 mixed = mix(linear_normal, normal, share);
    float size = length(mixed);
    normal = size > OPPOSED ? mixed / size : normal;
}
