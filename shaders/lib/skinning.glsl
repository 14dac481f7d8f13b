// The skinning methods of rigview.core.skinning, which is the oracle. METHOD is one of them, by its id in
// capitals; STRETCH is 0 where no joint stretches, else whether it does at the VERTEX or at the ORIGIN.

#include "quaternion.glsl"
#include "palette.glsl"
#include "influences.glsl"
#if METHOD == CAPSULE || METHOD == BULGING_FREE || METHOD == SWING_TWIST || METHOD == FLESH
#include "limbs.glsl"
#endif

// Normals by the inverse transpose: the cofactor matrix is that times the determinant, and it exists
// also where the matrix is singular.
vec3 turn_normal(mat3 linear, vec3 normal) {
    mat3 cofactor = mat3(cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1]));
    float square = dot(linear[0], linear[0]) + dot(linear[1], linear[1]) + dot(linear[2], linear[2]);
    bool mirrored = dot(linear[0], cofactor[0]) < -LOST_NORMAL * square * sqrt(square);
    vec3 turned = (mirrored ? -1.0 : 1.0) * (cofactor * normal);
    float size = length(turned);
    return size > LOST_NORMAL * square ? turned / size : normalize(normal);
}

#if METHOD == LBS || METHOD == BLENDED || METHOD == CENTRES || METHOD == SPHERICAL || METHOD == SWING_TWIST

void skin_linear(vec3 rest, out vec3 position, out vec3 normal) {
    vec4 rows[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
    for (int slot = 0; slot < INFLUENCE_COUNT; ++slot) {
        uint joint;
        float weight;
        influence(slot, joint, weight);
        rows[0] += weight * palette_texel(joint, 0);
        rows[1] += weight * palette_texel(joint, 1);
        rows[2] += weight * palette_texel(joint, 2);
    }
    vec4 point = vec4(rest, 1.0);
    position = vec3(dot(rows[0], point), dot(rows[1], point), dot(rows[2], point));
    normal = turn_normal(transpose(mat3(rows[0].xyz, rows[1].xyz, rows[2].xyz)), a_normal);
}

#endif
#if METHOD == LBS

void skin(out vec3 position, out vec3 normal) {
    skin_linear(a_position, position, normal);
}

#endif
#if METHOD == SWING_TWIST || METHOD == FLESH
#include "swing_twist.glsl"
#endif
#if METHOD != LBS && METHOD != SWING_TWIST

mat2x4 motion(uint joint) {
#if STRETCH == VERTEX
    // The rigid motion with the joint's rotation that carries this vertex to the joint's image of it,
    // seen from the vertex: its translation is the image itself.
    vec4 point = vec4(a_position, 1.0);
    vec3 image = vec3(
        dot(palette_texel(joint, 0), point),
        dot(palette_texel(joint, 1), point),
        dot(palette_texel(joint, 2), point));
    return dq_from_rigid(palette_rotation(joint), image);
#else
    return palette_dual_quaternion(joint);
#endif
}

// Rotations of the two heaviest joints, kept for the compensation.
vec4 leading[2] = vec4[2](vec4(0.0), vec4(0.0));

mat2x4 blend_motions() {
    mat2x4 pivot = motion(a_joints.x);
    mat2x4 total = a_weights.x * pivot;
    for (int slot = 1; slot < INFLUENCE_COUNT; ++slot) {
        uint joint;
        float weight;
        influence(slot, joint, weight);
        mat2x4 turned = motion(joint);
        if (slot == 1) {
            leading = vec4[2](pivot[0], turned[0]);
        }
        total += (dot(turned[0], pivot[0]) < -HALF_TURN ? -weight : weight) * turned;
    }
    float size = length(total[0]);
    return size > 0.0 ? total * (1.0 / size) : mat2x4(vec4(0.0, 0.0, 0.0, 1.0), vec4(0.0));
}

#if STRETCH
// What is left of each joint's matrix when its rotation is taken out, blended by weight.
mat3 blend_stretches() {
    mat3 total = mat3(0.0);
    for (int slot = 0; slot < INFLUENCE_COUNT; ++slot) {
        uint joint;
        float weight;
        influence(slot, joint, weight);
        mat3 rows = mat3(palette_texel(joint, 0).xyz, palette_texel(joint, 1).xyz, palette_texel(joint, 2).xyz);
        mat3 linear = transpose(rows);
        vec4 back = quat_conjugate(palette_rotation(joint));
        total += weight * mat3(
            quat_rotate(back, linear[0]), quat_rotate(back, linear[1]), quat_rotate(back, linear[2]));
    }
    return total;
}
#endif

#if METHOD == COMPENSATED || METHOD == CAPSULE || METHOD == BASIC || METHOD == BULGING_FREE \
    || METHOD == FLESH
uniform float u_strength;
#endif

#if METHOD == COMPENSATED
// Listing 2 of the thesis: along the bisector of the two bones, square to the bend axis. Written with as
// few roots as it goes: with `bend` as long as the sine, axis (axis . sum) is bend (bend . sum) / sine^2,
// and neither the sign of a quaternion nor that of the axis matters.
vec3 compensation() {
    if (a_amplitude == 0.0) {
        return vec3(0.0);
    }
    vec4 relative = quat_multiply(leading[0], quat_conjugate(leading[1]));
    vec3 bend = relative.xyz;
    vec3 sum = palette_bone_direction(a_joints.x) + palette_bone_direction(a_joints.y);
    float square = dot(bend, bend), size = dot(sum, sum);
    if (square <= STRAIGHT * STRAIGHT || size <= FOLDED * FOLDED) {
        return vec3(0.0);
    }
    vec3 offset = sum - bend * (dot(bend, sum) / square);
#if ANGLE_FACTOR == ANGLE_SLIDE
    float angle = min(1.0, SLIDE * sqrt(square));
#elif ANGLE_FACTOR == ANGLE_SINE
    float angle = 2.0 * sqrt(square) * abs(relative.w);
#elif ANGLE_FACTOR == ANGLE_LINEAR
    float angle = min(1.0, WHOLE_FROM * atan(sqrt(square), abs(relative.w)));
#else
    // 2 sqrt(1 - w), written so that float32 keeps its digits near w = 1.
    float angle = min(1.0, 2.0 * sqrt(square / (1.0 + abs(relative.w))));
#endif
    return a_amplitude * angle * inversesqrt(size) * offset;
}
#elif METHOD == CAPSULE || METHOD == FLESH
#include "capsule.glsl"
#elif METHOD == BLENDED
uniform float u_blend;
#elif METHOD == BASIC
// Listing 1 of the thesis: along the bisector, whatever the angle.
vec3 compensation() {
    vec3 sum = palette_bone_direction(a_joints.x) + palette_bone_direction(a_joints.y);
    float size = length(sum);
    return size > FOLDED ? a_statics[BASIC_AMPLITUDE] / size * sum : vec3(0.0);
}
#elif METHOD == BULGING_FREE
#include "bulging_free.glsl"
#elif METHOD == CENTRES
layout(location = 11) in vec3 a_centre;
#elif METHOD == SPHERICAL
#include "spherical.glsl"
#elif METHOD == LOG_MATRIX
#include "log_matrix.glsl"
#elif METHOD == DELTA_MUSH
#include "delta_mush.glsl"
#endif

#if METHOD == FLESH
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
#endif

void skin(out vec3 position, out vec3 normal) {
#if STRETCH
    mat3 stretch = blend_stretches();
#else
    const mat3 stretch = mat3(1.0);
#endif
#if METHOD == LOG_MATRIX
    mat2x4 blended = blend_logs(stretch);
#else
    mat2x4 blended = blend_motions();
#endif
#if METHOD == DELTA_MUSH
    vec3 smoothed, carried;
    blended[0] = turn_neighbourhood(stretch, blended[0], smoothed, carried);
#endif
#if DUAL_AS_MATRIX || METHOD == CAPSULE || METHOD == FLESH
    mat3 turning = quat_matrix(blended[0]);
#define TURNED(v) (turning * (v))
#else
#define TURNED(v) quat_rotate(blended[0], v)
#endif
#if STRETCH
    normal = TURNED(turn_normal(stretch, a_normal));
#else
    normal = TURNED(a_normal);
#endif
#if STRETCH == VERTEX || METHOD == LOG_MATRIX
    position = dq_translation(blended);
#elif STRETCH == ORIGIN
    position = TURNED(stretch * a_position) + dq_translation(blended);
#else
    position = TURNED(a_position) + dq_translation(blended);
#endif
#if METHOD == COMPENSATED || METHOD == BASIC
    vec3 moved = u_strength * compensation();
#if STRETCH
    moved *= pow(abs(determinant(stretch)), 1.0 / 3.0);
#endif
    position += moved;
#elif METHOD == CAPSULE
    compensate_limbs(turning, stretch, position, normal);
#elif METHOD == FLESH
    blend_flesh(turning, stretch, position, normal);
#elif METHOD == BULGING_FREE
    position += u_strength * compensation(stretch, position);
#elif METHOD == DELTA_MUSH
    position = carried + TURNED(stretch * (a_position - smoothed));
#elif METHOD == CENTRES || METHOD == SPHERICAL
#if METHOD == CENTRES
    vec3 about = a_centre;
#else
    vec3 about = rotation_centre();
#endif
    vec3 centre, ignored;
    skin_linear(about, centre, ignored);
    position = centre + TURNED(stretch * (a_position - about));
#elif METHOD == BLENDED
    vec3 linear_position, linear_normal;
    skin_linear(a_position, linear_position, linear_normal);
    float share = u_blend >= 0.0 ? u_blend : a_statics[DQS_WEIGHT];
    position = mix(linear_position, position, share);
    vec3 mixed = mix(linear_normal, normal, share);
    float size = length(mixed);
    normal = size > OPPOSED ? mixed / size : normal;
#endif
}

#endif

// A vertex without any weight stays where it is in mesh space: no joint moves it.
void skin_or_leave(out vec3 position, out vec3 normal) {
    if (a_weights.x == 0.0) {
        position = a_position;
        normal = a_normal;
    } else {
        skin(position, normal);
    }
}
