// The bones of rigview.core.methods.bone_frames in the pose, LIMB_TEXELS a joint, numbered as the palette is:
// rest head; axis; head and length; direction; the gaps at head and tail and where these ends are; direction
// at rest. The w of the first two say how near the tail a height is; those of the two directions, from which
// number to which the joint's branch goes (Limbs.branches).

#include "texels.glsl"

uniform TEXELS u_limbs;

vec4 limb_texel(uint joint, int texel) {
    return TEXEL(u_limbs, (PALETTE_BASE + int(joint)) * LIMB_TEXELS + texel);
}

// The arm from a bone's head to the vertex at rest, stretched, and the head in the pose.
void seen_from(uint joint, mat3 stretch, out vec3 arm, out vec3 head) {
    vec3 rest_head = limb_texel(joint, 0).xyz;
#if !STRETCH
    arm = a_position - rest_head;
    head = limb_texel(joint, 2).xyz;
#else
    arm = stretch * (a_position - rest_head);
    vec4 rows[3] = vec4[3](palette_texel(joint, 0), palette_texel(joint, 1), palette_texel(joint, 2));
#if STRETCH == ORIGIN
    head = quat_rotate(palette_rotation(joint), stretch * rest_head) + vec3(rows[0].w, rows[1].w, rows[2].w);
#else
    vec4 point = vec4(a_position, 1.0);
    vec3 image = vec3(dot(rows[0], point), dot(rows[1], point), dot(rows[2], point));
    head = image - quat_rotate(palette_rotation(joint), arm);
#endif
#endif
}
