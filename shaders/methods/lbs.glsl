// Linear blend skinning: rigview.core.skinning.

#include "../lib/linear.glsl"

void skin(out vec3 position, out vec3 normal) {
    skin_linear(a_position, position, normal);
}
