// Skinning alone, for transform feedback: what the shaders compute, measured against the core.

#include "lib/skinning.glsl"

out vec3 o_position;
out vec3 o_normal;

void main() {
    skin_or_leave(o_position, o_normal);
    gl_Position = vec4(o_position, 1.0);
}
