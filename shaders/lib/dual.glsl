// What methods that blend motions of joints have in common: the blended motion, what is left of the joints'
// matrices without their rotations, and where both carry the vertex.

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

// What is left of each joint's matrix when its rotation is taken out, blended by weight.
mat3 blend_stretches() {
#if STRETCH
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
#else
    return mat3(1.0);
#endif
}

// The blended rotation: a matrix where more is turned by it than the vertex.
#if DUAL_AS_MATRIX || METHOD == CAPSULE || METHOD == FLESH
#define TURN mat3
#define TURN_OF(blended) quat_matrix((blended)[0])
#define TURNED(turn, v) ((turn) * (v))
#else
#define TURN vec4
#define TURN_OF(blended) (blended)[0]
#define TURNED(turn, v) quat_rotate(turn, v)
#endif

vec3 turned_normal(TURN turn, mat3 stretch) {
#if STRETCH
    return TURNED(turn, turn_normal(stretch, a_normal));
#else
    return TURNED(turn, a_normal);
#endif
}

// Dual quaternion skinning.
void skin_dual(TURN turn, mat2x4 blended, mat3 stretch, out vec3 position, out vec3 normal) {
    normal = turned_normal(turn, stretch);
#if STRETCH == VERTEX
    position = dq_translation(blended);
#elif STRETCH == ORIGIN
    position = TURNED(turn, stretch * a_position) + dq_translation(blended);
#else
    position = TURNED(turn, a_position) + dq_translation(blended);
#endif
}
