// Unit quaternions xyzw and dual quaternions as mat2x4: [0] real, [1] dual = 1/2 (t, 0) real.

vec3 quat_rotate(vec4 q, vec3 v) {
    vec3 twice = 2.0 * cross(q.xyz, v);
    return v + q.w * twice + cross(q.xyz, twice);
}

mat3 quat_matrix(vec4 q) {
    vec3 twice = 2.0 * q.xyz;
    vec3 square = twice * q.xyz, mixed = twice.xxy * q.yzz, turned = twice * q.w;
    return mat3(
        1.0 - square.y - square.z, mixed.x + turned.z, mixed.y - turned.y,
        mixed.x - turned.z, 1.0 - square.x - square.z, mixed.z + turned.x,
        mixed.y + turned.y, mixed.z - turned.x, 1.0 - square.x - square.y);
}

vec4 quat_multiply(vec4 q, vec4 p) {
    return vec4(q.w * p.xyz + p.w * q.xyz + cross(q.xyz, p.xyz), q.w * p.w - dot(q.xyz, p.xyz));
}

vec4 quat_conjugate(vec4 q) {
    return vec4(-q.xyz, q.w);
}

mat2x4 dq_from_rigid(vec4 rotation, vec3 translation) {
    return mat2x4(rotation, 0.5 * quat_multiply(vec4(translation, 0.0), rotation));
}

vec3 dq_translation(mat2x4 dq) {
    return 2.0 * (dq[0].w * dq[1].xyz - dq[1].w * dq[0].xyz + cross(dq[0].xyz, dq[1].xyz));
}
