// Capsule compensation: rigview.core.capsule, which is the oracle and says why.

layout(location = 9) in vec4 a_shares;
uniform float u_crease;

float influence_share(int slot, out uint joint) {
#if FURTHER_INFLUENCES
    if (slot >= 4) {
        vec4 entry = texelFetch(u_further, int(a_further.x) + slot - 4);
        joint = uint(entry.x);
        return entry.z;
    }
#endif
    joint = a_joints[slot];
    return a_shares[slot];
}

float smooth_step(float t) {
    t = clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// Height over a joint at which the vertex keeps its distance from it.
float on_sphere(float rest, float lean, float cosine, float sine) {
    float along = rest * cosine, square = lean * lean;
    float aside = along * sine;
    return along * cosine - sqrt(max(SPHERE_FLOOR * square, square - aside * aside));
}

float pressed(float height) {
    return height > 0.0 ? PRESSED * height : height;
}

// Where one bone wants the vertex, and its normal; `normal` is that of dual quaternion skinning.
void round_limb(uint joint, mat3 rotation, vec3 arm, vec3 head, inout vec3 position, inout vec3 normal) {
    vec4 rest_head = limb_texel(joint, 0);
    vec3 axis = limb_texel(joint, 1).xyz, bone = limb_texel(joint, 3).xyz;
    vec4 head_plane = limb_texel(joint, 4), tail_plane = limb_texel(joint, 5);
    bool has_head = head_plane.w > 0.0, has_tail = tail_plane.w > 0.0;
    float rest_length = rest_head.w;
    float rest = dot(arm, axis);
    vec3 blended = rotation * axis;
    vec3 rotated = rotation * arm - rest * blended;
    vec3 bend = cross(blended, bone);
    float cosine = clamp(dot(blended, bone), -1.0, 1.0), sine = length(bend);
    float tilting = 1.0 / max(1.0 + cosine, OPPOSED), per_sine = 1.0 / max(sine, LIMB_STRAIGHT);
    vec3 straight = rotated * cosine + cross(bend, rotated) + bend * (dot(bend, rotated) * tilting);
    vec3 axle = bend * per_sine;
    vec3 across = straight - dot(straight, axle) * axle;
    float low = has_head ? min(rest, 0.0) : 0.0, high = has_tail ? max(rest - rest_length, 0.0) : 0.0;
    float lean = dot(rotated, bone);
    float free_height = rest + lean / max(cosine, STEEPEST), height = free_height;
    bool below = has_head && free_height < low, above = has_tail && free_height > rest_length + high;
    float inwards = max(below ? rest : rest_length - rest, 0.0);
    float over_joint = on_sphere(inwards, lean, cosine, sine);
    height = below ? low + over_joint : (above ? rest_length + high - over_joint : free_height);
    float to_head = dot(straight, head_plane.xyz), to_tail = dot(straight, tail_plane.xyz);
    float least = has_head ? pressed(rest) - head_plane.w * to_head : -UNLIMITED;
    float most = has_tail ? rest_length - pressed(rest_length - rest) + tail_plane.w * to_tail : UNLIMITED;
    if (least > most) {
        least = most = 0.5 * (least + most);
    }
    height += a_statics.x * (clamp(height, least, most) - height);
    float over = (has_head ? min(height - low, 0.0) : 0.0)
        + (has_tail ? max(height - rest_length - high, 0.0) : 0.0);
    float across_square = max(dot(across, across), NOTHING);
    float radius_square = max(dot(rotated, rotated), NOTHING);
    float per_radius = inversesqrt(radius_square);
    float outer = -lean * per_radius * per_sine;
    float swing = low * smooth_step(2.0 * outer + 0.5) + high * smooth_step(0.5 - 2.0 * outer);
    float towards_tail = has_tail
        ? (has_head ? smooth_step(2.0 * (rest / max(rest_length, NOTHING) - 0.25)) : 1.0) : 0.0;
    float inner = clamp(0.5 - RAMP * mix(to_head, to_tail, towards_tail) * per_radius, 0.0, 1.0);
    float per_across = inversesqrt(across_square);
    float tilt = over * per_across;
    float squeeze = sqrt(max(FLATTEST_CAP, 1.0 - tilt * tilt)) - 1.0;
    vec3 plain = head + rest * bone + rotated + swing * (blended - bone);
    vec3 pulled = (height - rest) * bone + straight - rotated + squeeze * across;
    position = plain + (1.0 - inner * (1.0 - u_crease)) * pulled;

    normal = normal * cosine + cross(bend, normal) + bend * (dot(bend, normal) * tilting);
    vec3 side = across * per_across;
    float per_arm = inversesqrt(max(radius_square + rest * rest, NOTHING));
    float aside = clamp(2.0 / ASTRIDE * per_arm / per_across - 1.0, 0.0, 1.0);
    float turn = aside * clamp(tilt, -STEEPEST_CAP, STEEPEST_CAP);
    float less = sqrt(1.0 - turn * turn) - 1.0;
    float y = dot(normal, side), x = dot(normal, bone);
    normal += (less * y - turn * x) * side + (less * x + turn * y) * bone;
}

void compensate_limbs(vec4 rotation, mat3 stretch, inout vec3 position, inout vec3 normal) {
    vec3 moved = vec3(0.0), turned = vec3(0.0);
    mat3 turning = quat_matrix(rotation);
    for (int slot = 0; slot < INFLUENCE_COUNT; ++slot) {
        uint joint;
        float share = influence_share(slot, joint);
        if (share > 0.0) {
            vec3 arm, head, there, way = normal;
            seen_from(joint, stretch, arm, head);
            round_limb(joint, turning, arm, head, there, way);
            moved += share * (there - position);
            turned += share * (way - normal);
        }
    }
    position += u_strength * moved;
    vec3 sum = normal + u_strength * turned;
    float size = length(sum);
    normal = size > 0.0 ? sum / size : normal;
}
