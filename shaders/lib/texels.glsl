// Texels of four floats by number. OpenGL ES has no texture buffer: there they lie in the rows of a picture.

#ifdef GL_ES
#define TEXELS sampler2D
#define TEXEL(texels, number) texelFetch(texels, ivec2((number) & ((1 << TEXEL_ROW_BITS) - 1), (number) >> TEXEL_ROW_BITS), 0)
#else
#define TEXELS samplerBuffer
#define TEXEL(texels, number) texelFetch(texels, number)
#endif
