// A surface of metallic and roughness under lights fixed to the camera: the model of glTF 2.0, appendix B, which
// takes GGX for the facets, Smith's term for their shadows and Schlick's for Fresnel's. All vectors are unit
// vectors in view space, all colours linear.

// Lights: towards them, and what a white, dull surface that faces them would send back.
const vec3 KEY_AT = normalize(vec3(-0.55, 0.70, 0.50)), KEY_LIGHT = vec3(0.84, 0.81, 0.76);
const vec3 FILL_AT = normalize(vec3(0.75, -0.05, 0.55)), FILL_LIGHT = vec3(0.15, 0.17, 0.21);
const vec3 RIM_AT = normalize(vec3(0.45, 0.40, -0.80)), RIM_LIGHT = vec3(0.42, 0.45, 0.50);
// What comes from everywhere else: above and below.
const vec3 SKY = vec3(0.21, 0.22, 0.24), GROUND = vec3(0.10, 0.095, 0.09);
const float INVERSE_PI = 0.31830988618;

struct Surface {
    vec3 base;
    float metallic;
    float roughness;
    float occlusion; // 1 where nothing is in the way
};

vec3 surroundings(vec3 direction) {
    return mix(GROUND, SKY, 0.5 + 0.5 * direction.y);
}

// How much of a light a surface sends to the eye; `light` is the irradiance over pi.
vec3 under_light(Surface surface, vec3 reflectance, vec3 normal, vec3 eye, vec3 at, vec3 light) {
    float lit = dot(normal, at);
    if (lit <= 0.0) {
        return vec3(0.0);
    }
    vec3 half_way = normalize(at + eye);
    float seen = max(abs(dot(normal, eye)), 1e-4);
    float alpha = surface.roughness * surface.roughness, square = alpha * alpha;
    float facing = max(dot(normal, half_way), 0.0), grazing = max(dot(eye, half_way), 0.0);
    float spread = facing * facing * (square - 1.0) + 1.0;
    float facets = square * INVERSE_PI / (spread * spread);
    float unshadowed = 1.0 / ((lit + sqrt(square + (1.0 - square) * lit * lit))
        * (seen + sqrt(square + (1.0 - square) * seen * seen)));
    float away = 1.0 - grazing;
    vec3 fresnel = reflectance + (1.0 - reflectance) * (away * away * away * away * away);
    vec3 dull = (1.0 - fresnel) * (1.0 - surface.metallic) * surface.base * INVERSE_PI;
    return (dull + fresnel * facets * unshadowed) * lit * light / INVERSE_PI;
}

// What the surroundings give: light from all sides, and their mirror image by the fit of Karis (Physically
// Based Shading on Mobile, 2014).
vec3 under_sky(Surface surface, vec3 reflectance, vec3 normal, vec3 eye) {
    float seen = clamp(dot(normal, eye), 0.0, 1.0);
    vec4 r = surface.roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float share = min(r.x * r.x, exp2(-9.28 * seen)) * r.x + r.y;
    vec2 fit = vec2(-1.04, 1.04) * share + r.zw;
    vec3 mirrored = 2.0 * surroundings(reflect(-eye, normal)) * (reflectance * fit.x + fit.y);
    vec3 dull = surroundings(normal) * (1.0 - reflectance) * (1.0 - surface.metallic) * surface.base;
    return surface.occlusion * (dull + mirrored);
}

vec3 lit_surface(Surface surface, vec3 normal, vec3 eye) {
    // A mirror would show the lights as points that no pixel holds.
    surface.roughness = clamp(surface.roughness, LEAST_ROUGHNESS, 1.0);
    vec3 reflectance = mix(vec3(0.04), surface.base, surface.metallic);
    return under_light(surface, reflectance, normal, eye, KEY_AT, KEY_LIGHT)
        + under_light(surface, reflectance, normal, eye, FILL_AT, FILL_LIGHT)
        + under_light(surface, reflectance, normal, eye, RIM_AT, RIM_LIGHT)
        + under_sky(surface, reflectance, normal, eye);
}
