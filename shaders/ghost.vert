// A surface that stands still in model space.

layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;

uniform mat4 u_view;
uniform mat4 u_projection;

out vec3 v_position;
out vec3 v_normal;

void main() {
    vec4 seen = u_view * vec4(a_position, 1.0);
    v_position = seen.xyz;
    v_normal = mat3(u_view) * a_normal;
    gl_Position = u_projection * seen;
}
