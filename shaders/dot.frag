in vec4 v_colour;
in vec2 v_corner;
flat in float v_radius;

uniform vec3 u_rim;
uniform float u_opacity;

out vec4 o_colour;

void main() {
    float from_centre = length(v_corner);
    float inside = clamp(v_radius + 0.5 - from_centre, 0.0, 1.0);
    float rim = clamp(v_radius + 1.5 - from_centre, 0.0, 1.0);
    vec3 colour = mix(u_rim, v_colour.rgb, inside);
    o_colour = vec4(colour, v_colour.a * u_opacity * max(inside, 0.85 * rim));
}
