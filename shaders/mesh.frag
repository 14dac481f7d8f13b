// A skinned mesh on screen. SHADING is TEXTURED, CLAY, SCALAR (a number through a colour map), EDGES (in one
// colour) or TINT (a colour per vertex), and ALPHA what glTF calls the mode of a material.

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
uniform sampler2D u_base_texture;
uniform mat3 u_uv_transform;
uniform vec4 u_base_colour;
uniform float u_alpha_cutoff;

vec3 linear_of(vec3 encoded) {
    vec3 low = encoded / 12.92;
    vec3 high = pow((encoded + 0.055) / 1.055, vec3(2.4));
    return mix(high, low, lessThanEqual(encoded, vec3(0.04045)));
}

void main() {
    vec4 texel = texture(u_base_texture, (u_uv_transform * vec3(v_uv, 1.0)).xy);
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
    vec3 lit = base.rgb * 1.25 * lambert(normal);
#endif
    o_colour = vec4(srgb(lit), base.a * u_opacity);
}

#elif SHADING == CLAY

const vec3 CLAY_COLOUR = vec3(0.50, 0.482, 0.455);

void main() {
    vec3 normal = normalize(gl_FrontFacing ? v_normal : -v_normal);
    vec3 towards_eye = normalize(-v_position);
    float rim = pow(1.0 - max(dot(normal, towards_eye), 0.0), 4.0);
    vec3 lit = CLAY_COLOUR * (1.10 * lambert(normal) + 0.10 * rim);
    o_colour = vec4(srgb(lit), u_opacity);
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
