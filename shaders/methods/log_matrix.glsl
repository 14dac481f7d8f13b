// Log-matrix blending: rigview.core.methods.log_matrix, which is the oracle and says why.

#include "../lib/dual.glsl"
#include "../lib/screw.glsl"

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

// The blended rotation, and where it carries the vertex. Joints are seen from the vertex: their translations
// are where it goes.
vec4 blend_logs(mat3 stretch, out vec3 position) {
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
        total += weight * screw_of(turned, apart);
    }
    vec3 moved;
    vec4 beyond = motion_of(total, moved);
    position = image + quat_rotate(pivot, moved);
    return quat_multiply(pivot, beyond);
}

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = mat2x4(blend_logs(stretch, position), vec4(0.0));
    normal = turned_normal(TURN_OF(blended), stretch);
}
