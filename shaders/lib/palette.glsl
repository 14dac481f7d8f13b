// The palettes of all skins in one texture buffer, PALETTE_TEXELS texels a joint:
// three rows of model_from_mesh, dual quaternion real and dual, posed bone direction.

#include "texels.glsl"

uniform TEXELS u_palette;
uniform int u_palette_base;
#if CROWD
uniform int u_palette_stride; // joints of one pose: every copy has its own
#define PALETTE_BASE (u_palette_base + gl_InstanceID * u_palette_stride)
#else
#define PALETTE_BASE u_palette_base
#endif

vec4 palette_texel(uint joint, int texel) {
    return TEXEL(u_palette, (PALETTE_BASE + int(joint)) * PALETTE_TEXELS + texel);
}

vec4 palette_rotation(uint joint) {
    return palette_texel(joint, 3);
}

mat2x4 palette_dual_quaternion(uint joint) {
    return mat2x4(palette_texel(joint, 3), palette_texel(joint, 4));
}

vec3 palette_bone_direction(uint joint) {
    return palette_texel(joint, 5).xyz;
}
