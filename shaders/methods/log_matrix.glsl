// Log-matrix blending: rigview.core.methods.log_matrix, which is the oracle and says why.

#include "../lib/dual.glsl"

// The logarithm of a unit dual quaternion and what undoes it, as rigview.core.dualquat has them: columns are
// half the rotation vector and the moment.
mat2x3 dq_log(mat2x4 dq) {
    float sine = length(dq[0].xyz);
    float half_angle = atan(sine, dq[0].w);
    float along = dot(dq[0].xyz, dq[1].xyz);
    bool small = half_angle < SMALL_ANGLE;
    float per_sine = small ? 1.0 + half_angle * half_angle / 6.0 : half_angle / sine;
    float change = small ? along / 3.0 : -(dq[1].w + per_sine * along) / (sine * sine);
    return mat2x3(per_sine * dq[0].xyz, per_sine * dq[1].xyz + change * dq[0].xyz);
}

mat2x4 dq_exp(mat2x3 screw) {
    float half_angle = length(screw[0]);
    float cosine = cos(half_angle);
    float along = dot(screw[0], screw[1]);
    bool small = half_angle < SMALL_ANGLE;
    float sine = small ? 1.0 - half_angle * half_angle / 6.0 : sin(half_angle) / half_angle;
    float change = small ? -along / 3.0 : (cosine - sine) / (half_angle * half_angle) * along;
    return mat2x4(
        vec4(sine * screw[0], cosine), vec4(sine * screw[1] + change * screw[0], -sine * along));
}

// Where a joint carries the vertex.
vec3 image_under(uint joint, mat3 stretch) {
    vec4 rows[3] = vec4[3](palette_texel(joint, 0), palette_texel(joint, 1), palette_texel(joint, 2));
#if STRETCH == ORIGIN
    return quat_rotate(palette_rotation(joint), stretch * a_position) + vec3(rows[0].w, rows[1].w, rows[2].w);
#else
    vec4 point = vec4(a_position, 1.0);
    return vec3(dot(rows[0], point), dot(rows[1], point), dot(rows[2], point));
#endif
}

// Seen from the vertex: its translation is where the vertex goes.
mat2x4 blend_logs(mat3 stretch) {
    vec4 pivot = palette_rotation(a_joints.x), back = quat_conjugate(pivot);
    vec3 image = image_under(a_joints.x, stretch);
    mat2x3 total = mat2x3(0.0);
    for (int slot = 1; slot < INFLUENCE_COUNT; ++slot) {
        uint joint;
        float weight;
        influence(slot, joint, weight);
        if (weight == 0.0) {
            continue;
        }
        vec4 turned = quat_multiply(back, palette_rotation(joint));
        turned = turned.w < -HALF_TURN ? -turned : turned;
        vec3 apart = quat_rotate(back, image_under(joint, stretch) - image);
        total += weight * dq_log(dq_from_rigid(turned, apart));
    }
    mat2x4 beyond = dq_exp(total);
    vec3 moved = image + quat_rotate(pivot, dq_translation(beyond));
    return dq_from_rigid(quat_multiply(pivot, beyond[0]), moved);
}

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = blend_logs(stretch);
    normal = turned_normal(TURN_OF(blended), stretch);
    position = dq_translation(blended);
}
