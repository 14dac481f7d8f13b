// Programs of our shaders, each made when it is first asked for, or begun before: the browser's graphics process
// then works on it while the script goes on. Asking whether it has come out well waits for it.
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
    return { name, shader };
  }

  begin(vertex, fragment, defines, captured = null) {
    const key = JSON.stringify([vertex, fragment, defines]);
    if (!this.made.has(key)) {
      const gl = this.gl, program = gl.createProgram();
      const stages = [this.shader(gl.VERTEX_SHADER, vertex, defines), this.shader(gl.FRAGMENT_SHADER, fragment, defines)];
      for (const { shader } of stages) gl.attachShader(program, shader);
      if (captured) gl.transformFeedbackVaryings(program, captured, gl.INTERLEAVED_ATTRIBS);
      gl.linkProgram(program);
      this.made.set(key, { id: program, stages, locations: new Map() });
    }
    return this.made.get(key);
  }

  finish(found) {
    const gl = this.gl;
    if (!gl.getProgramParameter(found.id, gl.LINK_STATUS)) {
      const wrong = found.stages.find(({ shader }) => !gl.getShaderParameter(shader, gl.COMPILE_STATUS));
      throw new Error(wrong ? `${wrong.name}: ${gl.getShaderInfoLog(wrong.shader)}` : gl.getProgramInfoLog(found.id));
    }
    found.stages = null;
  }

  of(...asked) {
    const found = this.begin(...asked);
    if (found.stages) this.finish(found);
    this.gl.useProgram(found.id);
    return (name) => {
      if (!found.locations.has(name)) found.locations.set(name, this.gl.getUniformLocation(found.id, name));
      return found.locations.get(name);
    };
  }
}
