// How the smoothed neighbourhood of a vertex turns: rigview.core.methods.delta_mush, which is the oracle.

#include "../lib/dual.glsl"

// Per vertex: the smoothed vertex; then three texels a joint: joint, share, first moment, second moment.
uniform TEXELS u_moments;
uniform int u_moment_count;

// The eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's rotations; with it how far the
// next eigenvalue is below.
vec4 leading_eigenvector(mat4 form, out float gap) {
    mat4 vectors = mat4(1.0);
    for (int sweep = 0; sweep < MUSH_SWEEPS; ++sweep) {
        for (int p = 0; p < 3; ++p) {
            for (int q = p + 1; q < 4; ++q) {
                float off = form[p][q];
                if (off == 0.0) {
                    continue;
                }
                float theta = 0.5 * (form[q][q] - form[p][p]);
                float root = length(vec2(theta, off));
                float tangent = (theta < 0.0 ? -off : off) / (abs(theta) + root);
                float cosine = inversesqrt(1.0 + tangent * tangent), sine = tangent * cosine;
                vec4 one = form[p], other = form[q];
                form[p] = cosine * one - sine * other;
                form[q] = sine * one + cosine * other;
                for (int k = 0; k < 4; ++k) {
                    float a = form[k][p], b = form[k][q];
                    form[k][p] = cosine * a - sine * b;
                    form[k][q] = sine * a + cosine * b;
                }
                one = vectors[p];
                other = vectors[q];
                vectors[p] = cosine * one - sine * other;
                vectors[q] = sine * one + cosine * other;
            }
        }
    }
    int largest = 0;
    for (int k = 1; k < 4; ++k) {
        if (form[k][k] > form[largest][largest]) {
            largest = k;
        }
    }
    gap = 1e30;
    for (int k = 0; k < 4; ++k) {
        if (k != largest) {
            gap = min(gap, form[largest][largest] - form[k][k]);
        }
    }
    return vectors[largest];
}

// The rotation nearest to a matrix, going over to another where hardly any is the nearest.
vec4 nearest_rotation(mat3 sums, vec4 turn) {
    float size = sqrt(dot(sums[0], sums[0]) + dot(sums[1], sums[1]) + dot(sums[2], sums[2]));
    if (size == 0.0) {
        return turn;
    }
    sums /= size;
    float trace = sums[0][0] + sums[1][1] + sums[2][2];
    mat3 even = sums + transpose(sums) - mat3(trace);
    vec3 turned = vec3(sums[1][2] - sums[2][1], sums[2][0] - sums[0][2], sums[0][1] - sums[1][0]);
    float gap;
    vec4 nearest = leading_eigenvector(
        mat4(vec4(even[0], turned.x), vec4(even[1], turned.y), vec4(even[2], turned.z), vec4(turned, trace)), gap);
    float share = clamp(gap / MUSH_CERTAIN, 0.0, 1.0);
    return normalize(mix(turn, dot(nearest, turn) < 0.0 ? -nearest : nearest, share));
}

// The smoothed vertex at rest and posed, and the rotation about it.
vec4 turn_neighbourhood(mat3 stretch, vec4 turn, out vec3 about, out vec3 centre) {
    int start = gl_VertexID * (1 + 3 * u_moment_count);
    about = TEXEL(u_moments, start).xyz;
    centre = vec3(0.0);
    mat3 sums = mat3(0.0);
    vec3 leading;
    for (int slot = 0; slot < u_moment_count; ++slot) {
        vec4 a = TEXEL(u_moments, start + 1 + 3 * slot);
        vec4 b = TEXEL(u_moments, start + 2 + 3 * slot);
        vec4 c = TEXEL(u_moments, start + 3 + 3 * slot);
        uint joint = uint(a.x);
        vec3 first = vec3(a.zw, b.x);
        mat3 second = mat3(b.y, b.z, b.w, b.z, c.x, c.y, b.w, c.y, c.z);
        vec4 rows[3] = vec4[3](palette_texel(joint, 0), palette_texel(joint, 1), palette_texel(joint, 2));
        mat3 linear = transpose(mat3(rows[0].xyz, rows[1].xyz, rows[2].xyz));
        vec3 image = linear * about + vec3(rows[0].w, rows[1].w, rows[2].w);
        if (slot == 0) {
            leading = image;
        }
        centre += a.y * image + linear * first;
        sums += linear * second + outerProduct(image - leading, first);
    }
    return nearest_rotation(sums * transpose(stretch), turn);
}

void skin(out vec3 position, out vec3 normal) {
    mat3 stretch = blend_stretches();
    mat2x4 blended = blend_motions();
    vec3 smoothed, carried;
    blended[0] = turn_neighbourhood(stretch, blended[0], smoothed, carried);
    TURN turn = TURN_OF(blended);
    normal = turned_normal(turn, stretch);
    position = carried + TURNED(turn, stretch * (a_position - smoothed));
}
