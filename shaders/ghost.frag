// A silhouette: opaque where the surface turns away from the eye, next to nothing where it faces it.

in vec3 v_position;
in vec3 v_normal;

uniform vec3 u_colour;
uniform float u_face;
uniform float u_rim;

out vec4 o_colour;

void main() {
    float facing = abs(dot(normalize(v_normal), normalize(v_position)));
    float away = 1.0 - min(facing, 1.0);
    o_colour = vec4(u_colour, mix(u_face, u_rim, away * away));
}
