// The influences of a vertex, heaviest first: four in attributes, any further ones in a buffer.

#include "texels.glsl"

layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in uvec4 a_joints;
layout(location = 3) in vec4 a_weights;
layout(location = 4) in float a_amplitude;
layout(location = 10) in vec4 a_statics; // what its method reads that no pose changes, by name

#if FURTHER_INFLUENCES
layout(location = 8) in uvec2 a_further; // where in u_further they begin, and how many there are
uniform TEXELS u_further;                // joint, weight, share of the capsule compensation
#define INFLUENCE_COUNT (4 + int(a_further.y))
#else
#define INFLUENCE_COUNT 4
#endif

void influence(int slot, out uint joint, out float weight) {
#if FURTHER_INFLUENCES
    if (slot >= 4) {
        vec4 entry = TEXEL(u_further, int(a_further.x) + slot - 4);
        joint = uint(entry.x);
        weight = entry.y;
        return;
    }
#endif
    joint = a_joints[slot];
    weight = a_weights[slot];
}
