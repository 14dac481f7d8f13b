// Where spherical blend skinning turns a vertex about: rigview.core.methods.spherical, which is the oracle.

#include "../lib/linear.glsl"
#include "../lib/dual.glsl"

vec3 rotation_centre() {
    vec4 rows[3] = vec4[3](
        palette_texel(a_joints.x, 0), palette_texel(a_joints.x, 1), palette_texel(a_joints.x, 2));
    float count = 1.0, size = dot(rows[0].xyz, rows[0].xyz) + dot(rows[1].xyz, rows[1].xyz)
        + dot(rows[2].xyz, rows[2].xyz);
    vec4 point = vec4(a_position, 1.0);
    // How each joint differs from the heaviest, in its matrix and in where it carries the vertex.
    mat3 total = mat3(0.0), square = mat3(0.0);
    vec3 shift = vec3(0.0), mixed = vec3(0.0);
    for (int slot = 1; slot < INFLUENCE_COUNT; ++slot) {
        uint joint;
        float weight;
        influence(slot, joint, weight);
        if (weight == 0.0) {
            continue;
        }
        vec4 own[3] = vec4[3](palette_texel(joint, 0), palette_texel(joint, 1), palette_texel(joint, 2));
        vec4 other[3] = vec4[3](own[0] - rows[0], own[1] - rows[1], own[2] - rows[2]);
        mat3 linear = transpose(mat3(other[0].xyz, other[1].xyz, other[2].xyz));
        vec3 apart = vec3(dot(other[0], point), dot(other[1], point), dot(other[2], point));
        total += linear;
        shift += apart;
        square += transpose(linear) * linear;
        mixed += transpose(linear) * apart;
        size += dot(own[0].xyz, own[0].xyz) + dot(own[1].xyz, own[1].xyz) + dot(own[2].xyz, own[2].xyz);
        count += 1.0;
    }
    mat3 damped = count * square - transpose(total) * total;
    float damping = SPHERICAL_DAMPING * (size > 0.0 ? count * size / 3.0 : 1.0);
    damped += mat3(damping);
    return a_position - inverse(damped) * (count * mixed - transpose(total) * shift);
}

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = blend_motions();
    TURN turn = TURN_OF(blended);
    normal = turned_normal(turn, stretch);
    vec3 about = rotation_centre(), centre, ignored;
    skin_linear(about, centre, ignored);
    position = centre + TURNED(turn, stretch * (a_position - about));
}
