// Capsule compensation: rigview.core.methods.capsule, which is the oracle and says why. Here it happens in model
// space: everything moves in the plane of E (blended) and D (bone), which D and turn = D - E span as well.

layout(location = 9) in vec4 a_shares;

float influence_share(int slot, out uint joint) {
#if FURTHER_INFLUENCES
    if (slot >= 4) {
        vec4 entry = TEXEL(u_further, int(a_further.x) + slot - 4);
        joint = uint(entry.x);
        return entry.z;
    }
#endif
    joint = a_joints[slot];
    return a_shares[slot];
}

// Slots up to the last one that has a share; at least one, for the loop is entered in any case.
int seated_slots() {
#if FURTHER_INFLUENCES
    if (a_further.y > 0u) {
        return INFLUENCE_COUNT;
    }
#endif
    return a_shares.w > 0.0 ? 4 : a_shares.z > 0.0 ? 3 : a_shares.y > 0.0 ? 2 : 1;
}

// Where one bone wants the vertex, what it adds to the normal of dual quaternion skinning, and what a far bend
// leaves of its share.
void round_limb(
    uint joint, mat3 rotation, vec3 arm, vec3 head, vec3 normal, out vec3 position, out vec3 added, inout float share
) {
    vec4 axis = limb_texel(joint, 1), head_gaps = limb_texel(joint, 4), tail_gaps = limb_texel(joint, 5);
    vec3 bone = limb_texel(joint, 3).xyz;
    float rest = dot(arm, axis.xyz);
    float above_head = rest - head_gaps.w, above_tail = rest - tail_gaps.w;
    float down = -max(above_head, 0.0), up = max(-above_tail, 0.0);
    float beyond = (above_head + down) + (above_tail + up);

    vec3 blended = rotation * axis.xyz;
    vec3 rotated = rotation * arm - rest * blended;
    vec3 turn = bone - blended;
    float versine = 0.5 * dot(turn, turn), both = 2.0 - versine;
    float sine_square = versine * both;
    float per_both = 1.0 / max(both, LIMB_OPPOSED);
    float per_square = 1.0 / max(sine_square, LIMB_STRAIGHT * LIMB_STRAIGHT);
    float lean = dot(rotated, turn), square = lean * lean;
    vec3 straight = rotated + (lean * per_both) * turn;
    float head_gap = dot(straight, head_gaps.xyz), tail_gap = dot(straight, tail_gaps.xyz);

    float steep = max(1.0 - versine, STEEPEST), flatness = 1.0 - steep * steep;
    float edge = clamp(lean / steep, down, up), along = edge * steep;
    float rise = sqrt(max(SPHERE_FLOOR * square, square - along * along * flatness));
    float slide = edge * flatness + (lean < 0.0 ? -rise : rise);

    float over = slide - clamp(slide, down, up);
    float sine = over * lean / (max(square, ASTRIDE * ASTRIDE * dot(arm, arm) * sine_square) + NOTHING);
    float cap = sine * sine * sine_square;
    float squeeze = sqrt(max(FLATTEST_CAP, 1.0 - cap)) - 1.0;

    float near_tail = clamp(rest * limb_texel(joint, 0).w + axis.w, 0.0, 1.0);
    near_tail *= near_tail * (3.0 - 2.0 * near_tail);
    float bent = mix(length(head_gaps.xyz), length(tail_gaps.xyz), near_tail);
    share *= 1.0 - smoothstep(FAR_BENT_FROM, FAR_BENT_TO, bent);
    float ramp = RAMP * inversesqrt(dot(rotated, rotated) + NOTHING);
    float outside = ramp * mix(head_gap, tail_gap, near_tail);
    float swing = clamp(0.5 + OUTSIDE * outside, 0.0, 1.0) * beyond;
    float pull = clamp(0.5 + outside, 0.0, 1.0);
    float fold = lean * (per_both + squeeze * per_square);
    position = head + rotated + (rest + pull * (slide - lean - versine * fold)) * bone
        + (pull * fold - swing) * turn;

    float is_bent = sine_square * per_square;
    sine *= is_bent * STEEPEST_CAP * inversesqrt(max(cap, STEEPEST_CAP * STEEPEST_CAP));
    float lost = is_bent * (sqrt(1.0 - min(cap, STEEPEST_CAP * STEEPEST_CAP)) - 1.0);
    float x = dot(normal, blended), turned = dot(normal, turn), y = turned + versine * x;
    float capped = lost * y * per_square - sine * x;
    added = ((2.0 * x + turned) * per_both + capped) * turn
        + (lost * x + sine * y - 2.0 * y * per_both - versine * capped) * bone;
}

void compensate_limbs(mat3 rotation, mat3 stretch, inout vec3 position, inout vec3 normal) {
    vec3 places = vec3(0.0), turned = normal;
    float total = 0.0;
    int slot = 0, slots = seated_slots();
    // Left when the last slot is done: a processor that plays graphics card pays for every round of a
    // loop, whatever is skipped in it.
    do {
        uint joint;
        float share = influence_share(slot, joint);
        if (share > 0.0) {
            vec3 arm, head, place, added;
            seen_from(joint, stretch, arm, head);
            round_limb(joint, rotation, arm, head, normal, place, added, share);
            places += share * place;
            turned += u_strength * share * added;
            total += share;
        }
    } while (++slot < slots);
    position += u_strength * (places - total * position);
    float size = length(turned);
    normal = size > 0.0 ? turned / size : normal;
}
