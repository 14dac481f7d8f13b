// A line of any width with soft edges: four corners per instance, laid out in pixels.

layout(location = 0) in vec3 a_start;
layout(location = 1) in vec3 a_end;
layout(location = 2) in vec4 a_colour;
layout(location = 3) in float a_width;

uniform mat4 u_clip_from_model;
uniform vec2 u_viewport; // pixels
uniform float u_pixel_ratio;

out vec4 v_colour;
out float v_across;
flat out float v_half_width;

void main() {
    vec4 start = u_clip_from_model * vec4(a_start, 1.0);
    vec4 end = u_clip_from_model * vec4(a_end, 1.0);
    // An end behind the eye is drawn up to the near plane only.
    float near_start = start.z + start.w, near_end = end.z + end.w;
    if (near_start < 0.0 && near_end > 0.0) {
        start = mix(start, end, near_start / (near_start - near_end) + 1e-5);
    } else if (near_end < 0.0 && near_start > 0.0) {
        end = mix(end, start, near_end / (near_end - near_start) + 1e-5);
    }
    vec2 a = 0.5 * u_viewport * start.xy / start.w;
    vec2 b = 0.5 * u_viewport * end.xy / end.w;
    vec2 along = b - a;
    float size = length(along);
    along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    float half_width = 0.5 * a_width * u_pixel_ratio;
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    vec4 corner = gl_VertexID < 2 ? start : end;
    vec2 offset = across * side * (half_width + 1.0);
    v_across = side * (half_width + 1.0);
    v_half_width = half_width;
    v_colour = a_colour;
    gl_Position = corner + vec4(2.0 * offset / u_viewport * corner.w, 0.0, 0.0);
}
