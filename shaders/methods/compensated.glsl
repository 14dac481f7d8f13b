// The compensation of the thesis: rigview.core.methods.bulge.

#include "../lib/bulge.glsl"
#include "../lib/half_angle.glsl"

// Listing 2 of the thesis: along the bisector of the two bones, square to the bend axis. Written with as
// few roots as it goes: with `bend` as long as the sine, axis (axis . sum) is bend (bend . sum) / sine^2,
// and neither the sign of a quaternion nor that of the axis matters.
vec3 compensation() {
    if (a_amplitude == 0.0) {
        return vec3(0.0);
    }
    vec4 relative = quat_multiply(leading[0], quat_conjugate(leading[1]));
    vec3 bend = relative.xyz;
    vec3 sum = palette_bone_direction(a_joints.x) + palette_bone_direction(a_joints.y);
    float square = dot(bend, bend), size = dot(sum, sum);
    if (square <= STRAIGHT * STRAIGHT || size <= FOLDED * FOLDED) {
        return vec3(0.0);
    }
    vec3 offset = sum - bend * (dot(bend, sum) / square);
#if ANGLE_FACTOR == ANGLE_SLIDE
    float angle = min(1.0, SLIDE * sqrt(square));
#elif ANGLE_FACTOR == ANGLE_SINE
    float angle = 2.0 * sqrt(square) * abs(relative.w);
#elif ANGLE_FACTOR == ANGLE_LINEAR
    float angle = min(1.0, WHOLE_FROM * sqrt(square) * half_angle_per_sine(abs(relative.w)));
#else
    // 2 sqrt(1 - w), written so that float32 keeps its digits near w = 1.
    float angle = min(1.0, 2.0 * sqrt(square / (1.0 + abs(relative.w))));
#endif
    return a_amplitude * angle * inversesqrt(size) * offset;
}
