// Bends as the capsule does, and evens twists as swing and twist do: rigview.core.methods.flesh.

#include "../lib/dual.glsl"
#include "../lib/limbs.glsl"
#include "../lib/capsule.glsl"
#include "../lib/swing_twist.glsl"

// rigview.core.methods.flesh: the capsule on small bends, swing and twist on large ones.
void blend_flesh(mat3 turning, mat3 stretch, inout vec3 position, inout vec3 normal) {
    if (a_weights.y == 0.0) {
        return;
    }
    vec3 round_position = position, round_normal = normal, linear_position, linear_normal;
    vec2 bent;
    compensate_limbs(turning, stretch, round_position, round_normal);
    even_twist(linear_position, linear_normal, bent);
    float linear = u_strength * a_statics[COMPENSATION_MASK] * (bent.x - bent.y);
    position += (1.0 - bent.x) * (round_position - position) + linear * (linear_position - position);
    vec3 mixed = normal + (1.0 - bent.x) * (round_normal - normal) + linear * (linear_normal - normal);
    float size = length(mixed);
    normal = size > OPPOSED ? mixed / size : normal;
}

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = blend_motions();
    TURN turn = TURN_OF(blended);
    skin_dual(turn, blended, stretch, position, normal);
    blend_flesh(turn, stretch, position, normal);
}
