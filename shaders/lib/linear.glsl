// Linear blend skinning of any point as the vertex moves it.

void skin_linear(vec3 rest, out vec3 position, out vec3 normal) {
    vec4 rows[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
    for (int slot = 0; slot < INFLUENCE_COUNT; ++slot) {
        uint joint;
        float weight;
        influence(slot, joint, weight);
        rows[0] += weight * palette_texel(joint, 0);
        rows[1] += weight * palette_texel(joint, 1);
        rows[2] += weight * palette_texel(joint, 2);
    }
    vec4 point = vec4(rest, 1.0);
    position = vec3(dot(rows[0], point), dot(rows[1], point), dot(rows[2], point));
    normal = turn_normal(transpose(mat3(rows[0].xyz, rows[1].xyz, rows[2].xyz)), a_normal);
}
