// Half screws of rigid motions, as rigview.core.dualquat has them: columns are half the rotation vector and the
// moment.

#include "half_angle.glsl"

const float HALF_CIRCLE = 3.14159265359;

mat2x3 screw_of(vec4 turn, vec3 moved) {
    float per_sine = half_angle_per_sine(turn.w), square = dot(turn.xyz, turn.xyz);
    vec3 vector = per_sine * turn.xyz;
    float across = per_sine * turn.w;
    float along = square > 0.0 ? (1.0 - across) * dot(turn.xyz, moved) / square : 0.0;
    return mat2x3(vector, 0.5 * (across * moved + along * turn.xyz - cross(vector, moved)));
}

// The rotation, and where to. Sine and cosine are written out, as the arc tangent is: exact to float32 up to a
// quarter of a turn.
vec4 motion_of(mat2x3 screw, out vec3 moved) {
    float square = dot(screw[0], screw[0]), half_angle = sqrt(square);
    // Half circles, and what is left: a quarter of one at most, either way.
    float half_circles = floor(half_angle / HALF_CIRCLE + 0.5);
    float left = half_angle - half_circles * HALF_CIRCLE, x = left * left;
    float way = mod(half_circles, 2.0) == 0.0 ? 1.0 : -1.0;
    float sine = way * (1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0 * (
        1.0 - x / 156.0))))));
    float cosine = way * (1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0 * (
        1.0 - x / 132.0 * (1.0 - x / 182.0)))))));
    sine = half_circles == 0.0 ? sine : sine * left / half_angle;
    float along = square > 0.0 ? (1.0 - sine * cosine) * dot(screw[0], screw[1]) / square : 0.0;
    moved = 2.0 * (sine * cosine * screw[1] + sine * sine * cross(screw[0], screw[1]) + along * screw[0]);
    return vec4(sine * screw[0], cosine);
}
