// One triangle that covers the pane.

out float v_height;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    v_height = 0.5 * corner.y + 0.5;
    gl_Position = vec4(corner, 0.999999, 1.0);
}
