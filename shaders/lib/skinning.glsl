// The skinning methods of rigview.core.skinning, which is the oracle: each is a file of methods/, of which the one
// whose name METHOD is in capitals gives `skin`. STRETCH is 0 where no joint stretches, else whether it does at
// the VERTEX or at the ORIGIN; methods that do not mind how joints stretch do not read it.

#include "quaternion.glsl"
#include "palette.glsl"
#include "influences.glsl"

uniform float u_strength; // of what a method adds to another

// Normals by the inverse transpose: the cofactor matrix is that times the determinant, and it exists
// also where the matrix is singular.
vec3 turn_normal(mat3 linear, vec3 normal) {
    mat3 cofactor = mat3(cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1]));
    float square = dot(linear[0], linear[0]) + dot(linear[1], linear[1]) + dot(linear[2], linear[2]);
    bool mirrored = dot(linear[0], cofactor[0]) < -LOST_NORMAL * square * sqrt(square);
    vec3 turned = (mirrored ? -1.0 : 1.0) * (cofactor * normal);
    float size = length(turned);
    return size > LOST_NORMAL * square ? turned / size : normalize(normal);
}

#include "../methods/*.glsl"

// A vertex without any weight stays where it is in mesh space: no joint moves it.
void skin_or_leave(out vec3 position, out vec3 normal) {
    if (a_weights.x == 0.0) {
        position = a_position;
        normal = a_normal;
    } else {
        skin(position, normal);
    }
}
