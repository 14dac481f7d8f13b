// Swing-twist skinning: rigview.core.methods.swing_twist.

#include "../lib/linear.glsl"
#include "../lib/limbs.glsl"
#include "../lib/swing_twist.glsl"

void skin(out vec3 position, out vec3 normal) {
    if (a_weights.y == 0.0) {
        skin_linear(a_position, position, normal);
        return;
    }
    vec2 unused;
    even_twist(position, normal, unused);
}
