// The panes: drawn when something has changed, never in a loop of their own.
const theme = matchMedia("(prefers-color-scheme: light)");
const colour = (token) => MANIFEST.theme[theme.matches ? "light" : "dark"][token];
const rgb = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255);
const narrow = () => innerWidth <= 720;

class View {
  constructor(state, scene) {
    this.state = state;
    this.scene = scene;
    this.canvas = document.getElementById("gl");
    this.ink = document.getElementById("ink");
    this.due = false;
  }

  panes() {
    const s = this.state;
    return narrow() || s.alone ? [s.pane] : MANIFEST.methods.map((_, i) => i);
  }

  boxes() {
    const shown = this.panes(), width = this.canvas.clientWidth, height = this.canvas.clientHeight, gap = 2;
    const each = (width - gap * (shown.length - 1)) / shown.length;
    return shown.map((pane, i) => ({ pane, x: i * (each + gap), width: each, height }));
  }

  camera(box) {
    return widened(this.state.camera, box.width / box.height, this.state.camera.framed || 1);
  }

  ask() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.draw();
    });
  }

  shade() {
    const s = this.state, zero = rgb(colour("zero"));
    if (s.shading === "weights" && s.joint !== null) {
      return { map: "viridis", lines: 4, zero, scalars: (part) => this.scene.weightsOf(part, s.joint) };
    }
    const worst = s.worst === null ? null : MANIFEST.worst[s.worst];
    const heated = worst && worst.clip === s.clip && worst.frame === s.frame && s.heat;
    if (s.shading === "heat" && heated) {
      return { map: "heat", lines: 2, zero: rgb(`#${MANIFEST.maps.heat.slice(0, 6)}`), scalars: (part, method) =>
        Float32Array.from(s.heat.get(`${s.worst}-${MANIFEST.methods[method].id}-${part.number}`), (v) => v / 255) };
    }
    if (s.shading === "difference") return { map: "CET-D1", lines: 4, zero, difference: true };
    return { zero };
  }

  draw() {
    const gl = this.scene.gl, ratio = devicePixelRatio, canvas = this.canvas;
    if (!canvas.clientWidth || !this.scene.bones) return;
    for (const one of [canvas, this.ink]) {
      const [w, h] = [Math.round(one.clientWidth * ratio), Math.round(one.clientHeight * ratio)];
      if (one.width !== w || one.height !== h) Object.assign(one, { width: w, height: h });
    }
    this.scene.frame = this.state.frame;
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...rgb(colour("background0")), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const shade = this.shade(), pen = this.ink.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.ink.clientWidth, this.ink.clientHeight);
    for (const box of this.boxes()) {
      this.pane(box.pane, [box.x * ratio, 0, box.width * ratio, box.height * ratio], this.camera(box), shade);
      pen.save();
      pen.beginPath();
      pen.rect(box.x, 0, box.width, box.height);
      pen.clip();
      pen.translate(box.x, 0);
      if (this.state.bones) this.bones(pen, box);
      this.strokes(pen, box);
      pen.restore();
    }
    this.state.drawn += 1;
  }

  pane(method, [x, y, width, height], camera, shade) {
    const gl = this.scene.gl;
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, y, width, height);
    gl.viewport(x, y, width, height);
    this.scene.backdrop({ top: rgb(colour("viewport_top")), bottom: rgb(colour("viewport_bottom")) });
    this.scene.draw(method, camera, width / height, shade);
  }

  bones(pen, box) {
    const at = projector(this.camera(box), box.width, box.height), bones = this.scene.bones;
    const start = this.state.frame * MANIFEST.joints.length * 6;
    MANIFEST.joints.forEach((_, joint) => {
      const [a, b, c, d, e, f] = bones.subarray(start + 6 * joint, start + 6 * joint + 6);
      const head = at(a, b, c), tail = at(d, e, f), chosen = joint === this.state.joint;
      if (!head || !tail) return;
      pen.strokeStyle = pen.fillStyle = colour(chosen ? "bone_selected" : "bone");
      pen.globalAlpha = chosen ? 1 : 0.75;
      pen.lineWidth = chosen ? 3 : 1;
      pen.beginPath();
      pen.moveTo(...head);
      pen.lineTo(...tail);
      pen.stroke();
      pen.beginPath();
      pen.arc(...head, chosen ? 4.5 : 2, 0, 2 * Math.PI);
      pen.fill();
    });
    pen.globalAlpha = 1;
  }

  strokes(pen, box) {
    const s = this.state;
    const shown = s.notes.all.map((note, i) => [note, i + 1]).concat(s.drawing.length ? [[{ ...s, strokes: s.drawing, text: "" }, null]] : []);
    for (const [note, number] of shown) {
      if (note.clip !== s.clip || note.frame !== s.frame || note.pane !== box.pane || !note.strokes.length) continue;
      const here = JSON.stringify([note.camera.yaw, note.camera.pitch, note.camera.distance, note.camera.target])
        === JSON.stringify([s.camera.yaw, s.camera.pitch, s.camera.distance, s.camera.target]);
      pen.globalAlpha = here ? 1 : 0.4;
      for (const stroke of note.strokes) {
        const points = stroke.map(([x, y]) => [0.5 * box.width + x * box.height, y * box.height]);
        for (const [style, width] of [[colour("background0"), 7], [colour("accent"), 3]]) {
          Object.assign(pen, { strokeStyle: style, lineWidth: width, lineCap: "round", lineJoin: "round" });
          pen.beginPath();
          points.forEach((point, i) => (i ? pen.lineTo(...point) : pen.moveTo(...point)));
          pen.stroke();
        }
        if (number === null) continue;
        const [x, y] = points[0];
        pen.fillStyle = colour("accent");
        pen.beginPath();
        pen.arc(x, y, 9, 0, 2 * Math.PI);
        pen.fill();
        Object.assign(pen, { fillStyle: colour("on_accent"), font: "600 11px Inter, system-ui", textAlign: "center", textBaseline: "middle" });
        pen.fillText(String(number), x, y);
      }
      pen.globalAlpha = 1;
    }
  }
}
