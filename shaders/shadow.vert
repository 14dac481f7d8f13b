// The soft shadow of a sphere on the ground, y = 0: four corners per instance.

layout(location = 0) in vec3 a_centre;
layout(location = 1) in float a_radius;

uniform mat4 u_clip_from_model;

out vec2 v_apart; // on the ground, from below the centre
flat out float v_height;
flat out float v_square; // of the radius
flat out float v_edge; // what is left of the shadow where it is cut off

// Where the shadow takes a smaller share of the light than this nobody sees it.
const float UNSEEN = 0.012;

void main() {
    v_height = a_centre.y;
    v_square = a_radius * a_radius;
    float reach = pow(v_height * v_square / UNSEEN, 1.0 / 3.0);
    v_edge = v_height * v_square / pow(reach * reach + v_height * v_height, 1.5);
    v_apart = reach * vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
    gl_Position = u_clip_from_model * vec4(a_centre.x + v_apart.x, 0.0, a_centre.z + v_apart.y, 1.0);
}
