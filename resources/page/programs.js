// Programs of our shaders, each made when it is first asked for.
class Programs {
  constructor(gl) {
    this.gl = gl;
    this.made = new Map();
  }

  shader(kind, name, defines) {
    const gl = this.gl, shader = gl.createShader(kind);
    const constants = Object.entries({ ...MANIFEST.constants, ...defines }).map(([key, value]) => `#define ${key} ${value}\n`);
    const text = name === null ? "void main() {}\n" : MANIFEST.shaders[name];
    gl.shaderSource(shader, `${MANIFEST.head}${constants.join("")}${text}\n`);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(`${name}: ${gl.getShaderInfoLog(shader)}`);
    return shader;
  }

  of(vertex, fragment, defines, captured = null) {
    const key = JSON.stringify([vertex, fragment, defines]);
    if (!this.made.has(key)) {
      const gl = this.gl, program = gl.createProgram();
      gl.attachShader(program, this.shader(gl.VERTEX_SHADER, vertex, defines));
      gl.attachShader(program, this.shader(gl.FRAGMENT_SHADER, fragment, defines));
      if (captured) gl.transformFeedbackVaryings(program, captured, gl.INTERLEAVED_ATTRIBS);
      gl.linkProgram(program);
      if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
      this.made.set(key, { id: program, locations: new Map() });
    }
    const found = this.made.get(key);
    this.gl.useProgram(found.id);
    return (name) => {
      if (!found.locations.has(name)) found.locations.set(name, this.gl.getUniformLocation(found.id, name));
      return found.locations.get(name);
    };
  }
}
