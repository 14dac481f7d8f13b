// A skinned mesh on screen. DIFFERENCE to the reference is 0 (none), OUTWARD (along its normal) or MOVED (any way).

#include "lib/skinning.glsl"

layout(location = 5) in vec2 a_uv;
#if SHADING == TEXTURED
layout(location = 13) in vec4 a_further_uv; // two more sets of texture coordinates
#endif
#if SHADING == TINT
layout(location = 12) in vec4 a_colour; // a tint
#else
layout(location = 6) in vec4 a_colour;
#endif
layout(location = 7) in float a_scalar;
#if DIFFERENCE
layout(location = 14) in vec3 a_reference_position;
layout(location = 15) in vec3 a_reference_normal;

uniform float u_unit; // of the difference, in metres
#if DIFFERENCE == MOVED
uniform float u_least; // that is seen, in metres
#endif
#endif

#if CROWD
uniform int u_columns;
uniform vec2 u_step; // between copies in a row, and between rows
#endif
uniform mat4 u_view;
uniform mat4 u_projection;

out vec3 v_position;
out vec3 v_normal;
out vec2 v_uv;
#if SHADING == TEXTURED
out vec4 v_further_uv;
#endif
out vec4 v_colour;
centroid out float v_scalar;
#if DIFFERENCE == OUTWARD
centroid out float v_apart; // in any direction
#endif

void main() {
    vec3 position, normal;
    skin_or_leave(position, normal);
#if CROWD
    position.xz += u_step * vec2(gl_InstanceID % u_columns, gl_InstanceID / u_columns);
#endif
    vec4 seen = u_view * vec4(position, 1.0);
    v_position = seen.xyz;
    v_normal = mat3(u_view) * normal;
    v_uv = a_uv;
#if SHADING == TEXTURED
    v_further_uv = a_further_uv;
#endif
    v_colour = a_colour;
#if DIFFERENCE == MOVED
    float apart = distance(position, a_reference_position);
    v_scalar = apart > u_least ? apart / u_unit : 0.0;
#elif DIFFERENCE == OUTWARD
    v_scalar = dot(position - a_reference_position, a_reference_normal) / u_unit;
    v_apart = distance(position, a_reference_position) / u_unit;
#else
    v_scalar = a_scalar;
#endif
    gl_Position = u_projection * seen;
}
