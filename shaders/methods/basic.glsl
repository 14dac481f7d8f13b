// The simpler compensation of the thesis: rigview.core.methods.bulge.

#include "../lib/bulge.glsl"

// Listing 1 of the thesis: along the bisector, whatever the angle.
vec3 compensation() {
    vec3 sum = palette_bone_direction(a_joints.x) + palette_bone_direction(a_joints.y);
    float size = length(sum);
    return size > FOLDED ? a_statics[BASIC_AMPLITUDE] / size * sum : vec3(0.0);
}
