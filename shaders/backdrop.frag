in float v_height;

uniform vec3 u_top;
uniform vec3 u_bottom;

out vec4 o_colour;

void main() {
    o_colour = vec4(mix(u_bottom, u_top, v_height), 1.0);
}
