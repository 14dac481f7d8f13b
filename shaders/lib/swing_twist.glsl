// Swing-twist skinning: rigview.core.methods.swing_twist, which is the oracle and says why.

// Cosine and sine of half the twist of a turn about a unit axis, and the cosine of half the swing.
vec3 half_twist(vec4 turn, vec3 axis) {
    vec2 numbers = vec2(turn.w, dot(turn.xyz, axis));
    numbers = turn.w < -HALF_TURN ? -numbers : numbers;
    float size = length(numbers);
    float share = smoothstep(0.0, TWIST_FADE, size);
    vec2 twist = share * (size > 0.0 ? numbers / size : numbers) + vec2(1.0 - share, 0.0);
    return vec3(twist / max(length(twist), NO_TWIST), size);
}

// How far bent and how folded a pair of joints is, by the cosine of half its swing.
vec2 bent_by(float half_swing) {
    return vec2(1.0 - smoothstep(FAR_TO, FAR_FROM, half_swing), 1.0 - smoothstep(FOLDED_TO, FOLDED_FROM, half_swing));
}

// Slots up to the last one that has weight: a loop's rounds are paid for, whatever is skipped in them.
int weighted_slots() {
#if FURTHER_INFLUENCES
    if (a_further.y > 0u) {
        return INFLUENCE_COUNT;
    }
#endif
    return a_weights.w != 0.0 ? 4 : a_weights.z != 0.0 ? 3 : 2;
}

// A vertex of several joints. `bent` is the mean over their pairs of `bent_by`, for flesh.
void even_twist(out vec3 position, out vec3 normal, out vec2 bent) {
    vec4 point = vec4(a_position, 1.0);
    mat3 blended = mat3(0.0);
    position = vec3(0.0);
    bent = vec2(0.0);
    float pairs = 0.0;
    int slots = weighted_slots();
    for (int slot = 0; slot < slots; ++slot) {
        uint joint;
        float weight;
        influence(slot, joint, weight);
        if (weight == 0.0) {
            continue;
        }
        mat4x3 matrix = transpose(mat3x4(
            palette_texel(joint, 0), palette_texel(joint, 1), palette_texel(joint, 2)));
        vec4 back = quat_conjugate(palette_rotation(joint));
        // The branch of a joint: its number, and the number behind the last joint below it.
        vec2 branch = vec2(limb_texel(joint, 6).w, limb_texel(joint, 3).w);
        float large = dot(matrix[0], matrix[0]) + dot(matrix[1], matrix[1]) + dot(matrix[2], matrix[2]);
        mat2x4 twist = mat2x4(0.0);
        for (int further = 0; further < slots; ++further) {
            uint other;
            float share;
            influence(further, other, share);
            if (further == slot) {
                twist[0].w += share;
                continue;
            }
            float number = limb_texel(other, 6).w;
            bool below = branch.x < number && number < branch.y;
            bool above = number < branch.x && branch.x < limb_texel(other, 3).w;
            if (share == 0.0 || !(below || above)) {
                twist[0].w += share;
                continue;
            }
            uint lower = below ? other : joint;
            vec3 along = mat3(matrix) * limb_texel(lower, 6).xyz;
            float square = dot(along, along);
            along = square > LOST_AXIS * large ? along * inversesqrt(square) : vec3(0.0);
            vec3 head = matrix * vec4(limb_texel(lower, 0).xyz, 1.0);
            vec3 half_turn = half_twist(quat_multiply(palette_rotation(other), back), along);
            vec2 turn = share * half_turn.xy;
            float both = abs(weight * share);
            bent += both * bent_by(half_turn.z);
            pairs += both;
            twist[0] += vec4(turn.y * along, turn.x);
            twist[1].xyz += turn.y * cross(head, along);
        }
        float size = length(twist[0]);
        twist = size > NO_TWIST ? twist * (1.0 / size) : mat2x4(vec4(0.0, 0.0, 0.0, 1.0), vec4(0.0));
        vec3 image = quat_rotate(twist[0], matrix * point) + dq_translation(twist);
        position += weight * image;
        blended += weight * (quat_matrix(twist[0]) * mat3(matrix));
    }
    normal = turn_normal(blended, a_normal);
    bent = pairs > 0.0 ? bent / pairs : bent;
}
