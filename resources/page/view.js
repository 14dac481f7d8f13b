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
    this.scene.goTo(this.state.frame);
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

  // Whether a pane is seen as a note saw it.
  seesAs(view, box) {
    const now = this.camera(box), then = widened(view, box.width / box.height, view.aspect), near = (a, b, size) => Math.abs(a - b) < 1e-6 * size;
    return near(now.yaw, then.yaw, 1) && near(now.pitch, then.pitch, 1) && near(now.distance, then.distance, then.distance)
      && now.target.every((value, i) => near(value, then.target[i], then.distance));
  }

  strokes(pen, box) {
    const s = this.state;
    const shown = s.notes.all.map((note, i) => [note, s.notes.at(note), i + 1]);
    if (s.drawing) shown.push([s.drawing, s.drawing, null]);
    for (const [note, at, number] of shown) {
      if (at.clip !== s.clip || at.frame !== s.frame || at.pane !== box.pane || !note.view || !note.strokes.length) continue;
      pen.globalAlpha = this.seesAs(note.view, box) ? 1 : 0.4;
      const each = note.strokes.map((stroke) => stroke.points.map((point) => placed(point, note.view.aspect, box)));
      note.strokes.forEach((stroke, i) => drawStroke(pen, stroke, each[i]));
      if (number !== null) drawNumber(pen, number, note.strokes[0].kind === "text" ? [each[0][0][0] - 12, each[0][0][1]] : each[0][0]);
      pen.globalAlpha = 1;
    }
  }
}
