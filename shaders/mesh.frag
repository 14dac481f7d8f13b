// A skinned mesh on screen. SHADING is TEXTURED, CLAY, SCALAR (a number through a colour map), EDGES (in one
// colour) or TINT (a colour per vertex), ALPHA what glTF calls the mode of a material, and MAPS which maps it has
// beside that of its colour.

in vec3 v_position;
in vec3 v_normal;
in vec2 v_uv;
in vec4 v_colour;
centroid in float v_scalar;
#if DIFFERENCE == OUTWARD
centroid in float v_apart;
#endif

uniform float u_opacity;

out vec4 o_colour;

// Lights fixed to the camera, so that form reads from every side: key, fill and sky, in view space.
const vec3 KEY = normalize(vec3(-0.55, 0.70, 0.50));
const vec3 FILL = normalize(vec3(0.75, -0.05, 0.55));

const vec3 LINE = vec3(0.05);

float lambert(vec3 normal) {
    float key = 0.72 * max(dot(normal, KEY), 0.0);
    float fill = 0.14 * max(dot(normal, FILL), 0.0);
    float sky = 0.10 + 0.07 * normal.y;
    return key + fill + sky;
}

vec3 srgb(vec3 linear) {
    vec3 low = 12.92 * linear;
    vec3 high = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThan(linear, vec3(0.0031308)));
}

// Colours carry the value, so shading only hints at form.
float hint() {
    vec3 normal = normalize(gl_FrontFacing ? v_normal : -v_normal);
    return min(0.62 + 0.55 * lambert(normal), 1.0);
}

#if SHADING == TEXTURED
#include "lib/surface.glsl"

// Where and how a texture of the material lies: which of the part's texture coordinates it reads, and the
// channel of a number.
struct Place {
    int uv_set;
    mat3 transform;
    vec4 channel;
};

in vec4 v_further_uv;

uniform sampler2D u_base_texture;
uniform Place u_base;
uniform vec4 u_base_colour;
uniform float u_alpha_cutoff;
uniform bool u_parallel; // no perspective
uniform float u_metallic;
uniform float u_roughness;
uniform vec3 u_emissive;
#if MAPS & METALLIC_MAP
uniform sampler2D u_metallic_texture;
uniform Place u_metallic_map;
#endif
#if MAPS & ROUGHNESS_MAP
uniform sampler2D u_roughness_texture;
uniform Place u_roughness_map;
#endif
#if MAPS & NORMAL_MAP
uniform sampler2D u_normal_texture;
uniform Place u_normal_map;
uniform float u_normal_scale;
#endif
#if MAPS & OCCLUSION_MAP
uniform sampler2D u_occlusion_texture;
uniform Place u_occlusion_map;
uniform float u_occlusion_strength;
#endif
#if MAPS & EMISSIVE_MAP
uniform sampler2D u_emissive_texture;
uniform Place u_emissive_map;
#endif

vec3 linear_of(vec3 encoded) {
    vec3 low = encoded / 12.92;
    vec3 high = pow((encoded + 0.055) / 1.055, vec3(2.4));
    return mix(high, low, lessThanEqual(encoded, vec3(0.04045)));
}

vec2 uv_at(Place place) {
    vec2 own = place.uv_set == 0 ? v_uv : place.uv_set == 1 ? v_further_uv.xy : v_further_uv.zw;
    return (place.transform * vec3(own, 1.0)).xy;
}

#if MAPS & NORMAL_MAP
// The mapped normal. Its tangent is the direction in which the texture's first coordinate grows, taken from
// the neighbouring pixels, so that it is right in every pose; the map's green points up the picture, where the
// second falls. `normal` faces the eye: seen from behind, the whole mapped normal is turned over.
vec3 mapped(vec3 normal) {
    vec2 uv = uv_at(u_normal_map);
    vec3 along_x = dFdx(v_position), along_y = dFdy(v_position);
    vec2 uv_x = dFdx(uv), uv_y = dFdy(uv);
    float turn = uv_x.x * uv_y.y < uv_y.x * uv_x.y ? -1.0 : 1.0;
    vec3 tangent = turn * (uv_y.y * along_x - uv_x.y * along_y);
    vec3 up = turn * (uv_y.x * along_x - uv_x.x * along_y);
    tangent -= dot(tangent, normal) * normal;
    float size = length(tangent);
    if (size <= 0.0) {
        return normal;
    }
    tangent /= size;
    vec3 across = cross(normal, tangent);
    across *= dot(across, up) < 0.0 ? -1.0 : 1.0;
    vec3 slope = 2.0 * texture(u_normal_texture, uv).xyz - 1.0;
    slope.xy *= u_normal_scale * (gl_FrontFacing ? 1.0 : -1.0);
    return normalize(slope.x * tangent + slope.y * across + slope.z * normal);
}
#endif

void main() {
    vec4 texel = texture(u_base_texture, uv_at(u_base));
    vec4 base = u_base_colour * v_colour * vec4(linear_of(texel.rgb), texel.a);
#if ALPHA == MASK
    if (base.a < u_alpha_cutoff) {
        discard;
    }
#endif
#if ALPHA != BLEND
    base.a = 1.0;
#endif
#if UNLIT
    vec3 lit = base.rgb;
#else
    vec3 normal = normalize(gl_FrontFacing ? v_normal : -v_normal);
#if MAPS & NORMAL_MAP
    normal = mapped(normal);
#endif
    Surface surface = Surface(base.rgb, u_metallic, u_roughness, 1.0);
#if MAPS & METALLIC_MAP
    surface.metallic *= dot(texture(u_metallic_texture, uv_at(u_metallic_map)), u_metallic_map.channel);
#endif
#if MAPS & ROUGHNESS_MAP
    surface.roughness *= dot(texture(u_roughness_texture, uv_at(u_roughness_map)), u_roughness_map.channel);
#endif
#if MAPS & OCCLUSION_MAP
    float open = dot(texture(u_occlusion_texture, uv_at(u_occlusion_map)), u_occlusion_map.channel);
    surface.occlusion = 1.0 + u_occlusion_strength * (open - 1.0);
#endif
    vec3 emitted = u_emissive;
#if MAPS & EMISSIVE_MAP
    emitted *= linear_of(texture(u_emissive_texture, uv_at(u_emissive_map)).rgb);
#endif
    vec3 eye = u_parallel ? vec3(0.0, 0.0, 1.0) : normalize(-v_position);
    vec3 lit = lit_surface(surface, normal, eye) + emitted;
#endif
    o_colour = vec4(srgb(min(lit, 1.0)), base.a * u_opacity);
}

#elif SHADING == CLAY

const vec3 CLAY_COLOUR = vec3(0.50, 0.482, 0.455);
// A warm key that wraps a little around, a cool fill from the other side, and a rim from behind; what faces
// neither takes the sky above and the ground below.
const vec3 KEY_LIGHT = vec3(0.90, 0.86, 0.79), FILL_LIGHT = vec3(0.085, 0.095, 0.11);
const vec3 RIM_LIGHT = vec3(0.62, 0.66, 0.72);
const vec3 RIM = normalize(vec3(0.60, 0.35, -0.72));
const vec3 SKY = vec3(0.155, 0.160, 0.168), GROUND = vec3(0.060, 0.056, 0.052);
const float WRAP = 0.04;
// Of the light that shines: how much, and how sharply.
const float GLOSS = 0.05, SHARPNESS = 18.0;

void main() {
    vec3 normal = normalize(gl_FrontFacing ? v_normal : -v_normal);
    vec3 towards_eye = normalize(-v_position);
    float key = max((dot(normal, KEY) + WRAP) / (1.0 + WRAP), 0.0);
    float fill = max(dot(normal, FILL), 0.0);
    float facing = dot(normal, towards_eye);
    float away = 1.0 - max(facing, 0.0);
    // Of smooth normals that point away from the eye the light fades: it would shine where the edge is not.
    float rim = away * away * max(dot(normal, RIM), 0.0) * mix(0.3, 1.0, smoothstep(-0.5, 0.0, facing));
    vec3 around = mix(GROUND, SKY, 0.5 + 0.5 * normal.y);
    vec3 light = key * KEY_LIGHT + fill * FILL_LIGHT + rim * RIM_LIGHT + around;
    float gloss = GLOSS * pow(max(dot(normal, normalize(KEY + towards_eye)), 0.0), SHARPNESS);
    o_colour = vec4(srgb(CLAY_COLOUR * light + gloss), u_opacity);
}

#elif SHADING == EDGES

void main() {
    o_colour = vec4(LINE, u_opacity);
}

#elif SHADING == TINT

uniform vec3 u_zero_colour;

void main() {
    vec3 colour = v_colour.rgb + (1.0 - v_colour.a) * u_zero_colour;
    o_colour = vec4(clamp(colour, 0.0, 1.0) * hint(), u_opacity);
}

#elif SHADING == SCALAR

uniform sampler2D u_colour_map; // 256 × 1
uniform vec3 u_zero_colour;
uniform float u_lines; // per unit of the scalar; 0 draws none

// What float32 leaves of nothing.
const float NOTHING_SEEN = 2e-3;

void main() {
    float size = clamp(abs(v_scalar), 0.0, 1.0);
#if DIFFERENCE == OUTWARD
    float value = 0.5 + 0.5 * sign(v_scalar) * size;
    // Where outward turns inward the scalar is 0 as well.
    bool nothing = v_apart < NOTHING_SEEN;
#else
    float value = clamp(v_scalar, 0.0, 1.0);
    bool nothing = v_scalar <= 0.0;
#endif
    // The centres of the first and last texel are the ends of the map.
    vec3 colour = texture(u_colour_map, vec2((value * 255.0 + 0.5) / 256.0, 0.5)).rgb;
    if (u_lines > 0.0) {
        float width = fwidth(v_scalar);
        float lines = abs(fract(v_scalar * u_lines - 0.5) - 0.5) / max(u_lines * width, 1e-6);
        float line = (1.0 - smoothstep(0.6, 1.4, lines)) * step(0.05, size) * step(size, 0.97);
        colour = mix(colour, LINE, 0.55 * line);
    }
    colour = nothing ? u_zero_colour : colour;
    o_colour = vec4(colour * hint(), u_opacity);
}

#endif
