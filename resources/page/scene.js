// The rig on the graphics card. Palettes of all frames of a clip lie in one texture; a frame is a place in it.
const ROW = 1 << Number(MANIFEST.constants.TEXEL_ROW_BITS);
const LOCATIONS = { position: 0, normal: 1, joints: 2, weights: 3, amplitude: 4, further: 8, shares: 9, statics: 10, centre: 11 };
const WIDTHS = { position: 3, normal: 3, joints: 4, weights: 4, amplitude: 1, further: 2, shares: 4, statics: 4, centre: 3 };
const SCALAR = 7, REFERENCE = 14;
const IN_MESH = new Set(MANIFEST.blocks.mesh.map((row) => row.name));
const UNITS = { u_palette: 0, u_further: 1, u_limbs: 2, u_moments: 3, u_colour_map: 4 };

class Scene {
  constructor(gl) {
    this.gl = gl;
    this.programs = new Programs(gl);
    this.empty = gl.createVertexArray();
    this.palette = this.texels(new Float32Array(4));
    this.limbs = this.texels(new Float32Array(4));
    this.maps = new Map(Object.keys(MANIFEST.maps).map((name) => [name, this.map(name)]));
    this.parts = [];
    this.clip = MANIFEST.clips[0];
    this.frame = 0;
  }

  // Before the mesh is unpacked.
  beginPrograms(methods) {
    this.programs.begin("backdrop.vert", "backdrop.frag", {});
    for (const method of methods) {
      MANIFEST.parts.forEach((row, number) => row.hidden || this.programs.begin("mesh.vert", "mesh.frag", this.defines(number, method)));
    }
  }

  fill(mesh) {
    this.parts = MANIFEST.parts.map((row, number) => this.part(row, number, mesh));
  }

  texture() {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    return texture;
  }

  texels(values) {
    const gl = this.gl, texture = this.texture(), height = Math.max(1, Math.ceil(values.length / 4 / ROW));
    const padded = new Float32Array(4 * ROW * height);
    padded.set(values);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, ROW, height, 0, gl.RGBA, gl.FLOAT, padded);
    return texture;
  }

  map(name) {
    const gl = this.gl, texture = this.texture(), text = MANIFEST.maps[name], bytes = new Uint8Array(1024).fill(255);
    for (let i = 0; i < 256; ++i) for (let k = 0; k < 3; ++k) bytes[4 * i + k] = parseInt(text.substr(6 * i + 2 * k, 2), 16);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    return texture;
  }

  part(row, number, mesh) {
    const gl = this.gl, array = gl.createVertexArray(), of = (name) => mesh.get(`${name}-${number}`);
    gl.bindVertexArray(array);
    const buffers = {};
    for (const [name, location] of Object.entries(LOCATIONS)) {
      const values = of(name);
      if (!values) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name] = gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(location);
      if (values instanceof Float32Array) gl.vertexAttribPointer(location, WIDTHS[name], gl.FLOAT, false, 0, 0);
      else gl.vertexAttribIPointer(location, WIDTHS[name], values instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT, 0, 0);
    }
    const scalar = gl.createBuffer(), reference = gl.createBuffer(), triangles = of("triangles"), index = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, scalar);
    gl.bufferData(gl.ARRAY_BUFFER, 4 * row.vertices, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(SCALAR);
    gl.vertexAttribPointer(SCALAR, 1, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, reference);
    gl.bufferData(gl.ARRAY_BUFFER, 24 * row.vertices, gl.DYNAMIC_COPY);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, index);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    const made = { row, number, array, scalar, reference, buffers, normals: of("normal"), morphed: of("morphed"), targetPositions: of("target_positions"),
      targetNormals: of("target_normals"), count: triangles.length, positions: of("position"),
      joints: of("joints"), weights: of("weights"), further: of("further"), furtherValues: of("further_texels"),
      wide: triangles instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT };
    if (made.further) made.furtherTexture = this.texels(made.furtherValues);
    const moments = of("moments");
    if (moments) {
      made.momentTexture = this.texels(moments);
      made.momentCount = (moments.length / 4 / row.vertices - 1) / 3;
    }
    return made;
  }

  play(clip, arrays) {
    this.gl.deleteTexture(this.palette);
    this.gl.deleteTexture(this.limbs);
    this.clip = clip;
    this.palette = this.texels(arrays.get("palette"));
    this.limbs = this.texels(arrays.get("limbs") || new Float32Array(4));
    this.bones = arrays.get("bones");
    for (const part of this.parts) part.shares = arrays.get(`morph-${part.number}`);
  }

  goTo(frame) {
    this.frame = frame;
    for (const part of this.parts) if (part.morphed) this.morph(part);
  }

  // Morph targets that clips move, added as rigview/core/morphing.py adds them.
  morph(part) {
    const gl = this.gl, count = part.shares.length / this.clip.frames, shares = part.shares.subarray(this.frame * count, (this.frame + 1) * count);
    if (part.shown && shares.every((share, i) => share === part.shown[i])) return;
    part.shown = shares.slice();
    const add = (name, base, targets, unit) => {
      const shape = base.slice(), sum = [0, 0, 0];
      part.morphed.forEach((vertex, i) => {
        for (let k = 0; k < 3; ++k) {
          sum[k] = base[3 * vertex + k];
          for (let t = 0; t < count; ++t) if (shares[t]) sum[k] += shares[t] * targets[3 * (t * part.morphed.length + i) + k];
        }
        const size = unit ? Math.hypot(...sum) || 1 : 1;
        for (let k = 0; k < 3; ++k) shape[3 * vertex + k] = sum[k] / size;
      });
      gl.bindBuffer(gl.ARRAY_BUFFER, part.buffers[name]);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, shape);
    };
    add("position", part.positions, part.targetPositions, false);
    if (part.targetNormals) add("normal", part.normals, part.targetNormals, true);
  }

  defines(number, method) {
    const own = MANIFEST.methods[method].parts[number].defines;
    return { ...own, STRETCH: this.clip.rigid[number] ? 0 : own.STRETCH, DUAL_AS_MATRIX: 0, CROWD: 0,
      FURTHER_INFLUENCES: IN_MESH.has(`further-${number}`) ? 1 : 0, DIFFERENCE: 0, SHADING: MANIFEST.constants.CLAY, ALPHA: MANIFEST.constants.OPAQUE, UNLIT: 0 };
  }

  bind(at, part, method) {
    const gl = this.gl, row = MANIFEST.methods[method];
    const give = (name, texture) => {
      if (!texture) return;
      gl.activeTexture(gl.TEXTURE0 + UNITS[name]);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform1i(at(name), UNITS[name]);
    };
    give("u_palette", this.palette);
    give("u_limbs", this.limbs);
    give("u_further", part.furtherTexture);
    give("u_moments", part.momentTexture);
    gl.uniform1i(at("u_palette_base"), this.frame * MANIFEST.entries + part.row.base);
    gl.uniform1i(at("u_moment_count"), part.momentCount || 0);
    gl.uniform1f(at("u_strength"), row.strength);
    gl.uniform1f(at("u_blend"), row.blend);
    return give;
  }

  // Positions and normals of a part under a method into its reference buffer.
  record(part, method) {
    const gl = this.gl, at = this.programs.of("skin.vert", null, this.defines(part.number, method), ["o_position", "o_normal"]);
    this.bind(at, part, method);
    gl.bindVertexArray(part.array);
    // What is recorded into may be bound nowhere else, also not to an attribute that is off.
    gl.bindBuffer(gl.ARRAY_BUFFER, part.scalar);
    for (const i of [0, 1]) {
      gl.disableVertexAttribArray(REFERENCE + i);
      gl.vertexAttribPointer(REFERENCE + i, 1, gl.FLOAT, false, 0, 0);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, part.reference);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, part.row.vertices);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
  }

  positions(number, method) {
    const gl = this.gl, part = this.parts[number], values = new Float32Array(6 * part.row.vertices);
    this.record(part, method);
    gl.bindBuffer(gl.ARRAY_BUFFER, part.reference);
    gl.getBufferSubData(gl.ARRAY_BUFFER, 0, values);
    return values;
  }

  scalars(part, values) {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, part.scalar);
    this.gl.bufferSubData(this.gl.ARRAY_BUFFER, 0, values);
  }

  weightsOf(part, joint) {
    const result = new Float32Array(part.row.vertices), joints = part.row.joints;
    for (let i = 0; i < result.length; ++i) {
      for (let k = 0; k < 4; ++k) if (joints[part.joints[4 * i + k]] === joint) result[i] += part.weights[4 * i + k];
      if (!part.further) continue;
      const start = part.further[2 * i];
      for (let k = start; k < start + part.further[2 * i + 1]; ++k) {
        if (joints[part.furtherValues[4 * k]] === joint) result[i] += part.furtherValues[4 * k + 1];
      }
    }
    return result;
  }

  backdrop(colours) {
    const gl = this.gl, at = this.programs.of("backdrop.vert", "backdrop.frag", {});
    gl.uniform3fv(at("u_top"), colours.top);
    gl.uniform3fv(at("u_bottom"), colours.bottom);
    gl.bindVertexArray(this.empty);
    gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
  }

  // Draw all parts; `shade` says shading, colour map, zero colour, lines, scalars by part.
  draw(method, camera, aspect, shade) {
    const gl = this.gl, view = viewOf(camera), projection = projectionOf(camera, aspect);
    for (const part of this.parts) {
      if (part.row.hidden || !part.count) continue;
      const differs = shade.difference && method !== 0;
      if (differs) this.record(part, 0);
      const scalar = shade.map ? MANIFEST.constants.SCALAR : MANIFEST.constants.CLAY;
      const defines = { ...this.defines(part.number, method), SHADING: differs || !shade.difference ? scalar : MANIFEST.constants.CLAY,
        DIFFERENCE: differs ? MANIFEST.constants.OUTWARD : 0 };
      if (shade.scalars) this.scalars(part, shade.scalars(part, method));
      const at = this.programs.of("mesh.vert", "mesh.frag", defines), give = this.bind(at, part, method);
      gl.bindVertexArray(part.array);
      if (differs) {
        gl.bindBuffer(gl.ARRAY_BUFFER, part.reference);
        for (const i of [0, 1]) {
          gl.enableVertexAttribArray(REFERENCE + i);
          gl.vertexAttribPointer(REFERENCE + i, 3, gl.FLOAT, false, 24, 12 * i);
        }
        gl.uniform1f(at("u_unit"), MANIFEST.difference);
      }
      if (shade.map) give("u_colour_map", this.maps.get(shade.map));
      gl.uniform3fv(at("u_zero_colour"), shade.zero);
      gl.uniform1f(at("u_lines"), shade.lines || 0);
      gl.uniform1f(at("u_opacity"), 1);
      gl.uniformMatrix4fv(at("u_view"), false, view);
      gl.uniformMatrix4fv(at("u_projection"), false, projection);
      gl.drawElements(gl.TRIANGLES, part.count, part.wide, 0);
    }
    gl.bindVertexArray(null);
  }
}
