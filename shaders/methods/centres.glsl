// Rotation about centres of rotation: rigview.core.methods.centres.

#include "../lib/linear.glsl"
#include "../lib/dual.glsl"

layout(location = 11) in vec3 a_centre;

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = blend_motions();
    TURN turn = TURN_OF(blended);
    normal = turned_normal(turn, stretch);
    vec3 about = a_centre, centre, ignored;
    skin_linear(about, centre, ignored);
    position = centre + TURNED(turn, stretch * (a_position - about));
}
