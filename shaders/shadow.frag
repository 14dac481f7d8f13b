// How much of the light of an even sky a sphere takes from the ground: with its height h, its radius r and the
// way d along the ground, r² h / (d² + h²)^1.5 (solid angle by the cosine to the ground's normal).

in vec2 v_apart;
flat in float v_height;
flat in float v_square;
flat in float v_edge;

uniform float u_opacity;

out vec4 o_colour;

void main() {
    float away = dot(v_apart, v_apart) + v_height * v_height;
    // Of several spheres that stand for one foot each covers a part: together they shall be one dark place.
    float taken = 2.0 * v_height * v_square / (away * sqrt(away));
    o_colour = vec4(0.0, 0.0, 0.0, u_opacity * clamp(taken - 2.0 * v_edge, 0.0, 0.95));
}
