// Half the angle of a unit quaternion from its w, up to half a turn, over its sine. The language leaves the arc
// tangent a freedom of 2^-11, so that it is written out. With c the cosine of a quarter of the angle,
// x = (1 - c) / (1 + c) is the square of the tangent of an eighth, 3 - sqrt(8) at most, and the series is exact
// to float32.
float half_angle_per_sine(float w) {
    float c = sqrt(max(0.5 + 0.5 * w, 0.0));
    float x = (1.0 - c) / (1.0 + c);
    float series = 1.0 - x * (1.0 / 3.0 - x * (1.0 / 5.0 - x * (1.0 / 7.0 - x * (1.0 / 9.0 - x * (
        1.0 / 11.0 - x * (1.0 / 13.0 - x * (1.0 / 15.0 - x / 17.0)))))));
    return 2.0 * series / (c * (1.0 + c));
}

