in vec4 v_colour;
in float v_across;
flat in float v_half_width;

uniform float u_opacity;

out vec4 o_colour;

void main() {
    float cover = clamp(v_half_width + 0.5 - abs(v_across), 0.0, 1.0);
    o_colour = vec4(v_colour.rgb, v_colour.a * cover * u_opacity);
}
