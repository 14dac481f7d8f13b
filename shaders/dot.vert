// A round dot of any size in pixels with a rim: four corners per instance.

layout(location = 0) in vec3 a_centre;
layout(location = 1) in vec4 a_colour;
layout(location = 2) in float a_radius;

uniform mat4 u_clip_from_model;
uniform vec2 u_viewport;
uniform float u_pixel_ratio;

out vec4 v_colour;
out vec2 v_corner;
flat out float v_radius;

void main() {
    vec4 centre = u_clip_from_model * vec4(a_centre, 1.0);
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
    v_radius = a_radius * u_pixel_ratio;
    v_corner = corner * (v_radius + 2.0);
    v_colour = a_colour;
    gl_Position = centre + vec4(2.0 * v_corner / u_viewport * centre.w, 0.0, 0.0);
}
