// State, what changes it, and the page's beginning.
const state = { clip: 0, frame: 0, pane: 0, alone: false, joint: null, shading: "clay", bones: true, tab: MANIFEST.review.length ? "notes" : MANIFEST.findings.length ? "findings" : "joints",
  worst: null, finding: null, note: null, notes: new Notes(), drawing: null, tool: null, words: "", search: "", playing: false, drawn: 0, heat: null,
  camera: { ...MANIFEST.camera }, view: null };
const opened = new Map();

function warn(text) {
  const strip = $("strip");
  strip.textContent = strip.textContent ? `${strip.textContent} ${text}` : text;
  strip.hidden = false;
}

async function show(change) {
  const before = { ...state };
  Object.assign(state, change);
  if (change.clip !== undefined && change.clip !== before.clip) await load(state.clip);
  const clip = MANIFEST.clips[state.clip];
  state.frame = Math.min(Math.max(state.frame, 0), clip.frames - 1);
  if (state.shading === "heat" && state.heat === null && MANIFEST.worst.length) state.heat = await unpacked("heat");
  if (change.joint !== undefined && change.joint !== null && change.worst === undefined && state.shading === "clay") state.shading = "weights";
  refresh(change);
}

function refresh(change) {
  const clip = MANIFEST.clips[state.clip];
  const only = (name) => Object.keys(change).length === 1 && change[name] !== undefined;
  fillHeads(state, show);
  fillLegend(state);
  $("frame").max = clip.frames - 1;
  $("frame").value = state.frame;
  $("frame").setAttribute("aria-valuetext", `frame ${state.frame} of ${clip.frames - 1}`);
  $("when").textContent = `${(clip.start + state.frame / clip.rate).toFixed(3)} s · frame ${state.frame} of ${clip.frames - 1}`;
  $("clip").value = state.clip;
  $("play").textContent = state.playing ? "⏸" : "▶";
  $("play").setAttribute("aria-label", state.playing ? "Pause" : "Play");
  $("bones").setAttribute("aria-pressed", state.bones);
  $("save").disabled = !state.notes.all.length;
  $("save").className = state.notes.unsaved ? "primary" : "";
  for (const button of $("shadings").children) button.setAttribute("aria-pressed", button.dataset.shading === state.shading);
  if (!only("frame") && !only("camera")) {
    fillTabs(state, show, acts);
    fillTools(state, show, acts);
    [...$("worst").children].forEach((card, i) => card.setAttribute("aria-pressed", i === state.worst));
  } else if ($("note")) $("note").placeholder = `Write on frame ${state.frame}, ${MANIFEST.methods[state.pane].label}…`;
  drawLanes(state);
  $("gl").setAttribute("aria-label", `${MANIFEST.file}, ${clip.name}, frame ${state.frame}, ${MANIFEST.methods.map((m) => m.label).join(", ")}`);
  if (state.view) state.view.ask();
}

async function load(number) {
  if (!state.view) return;
  if (!opened.has(number)) opened.set(number, await unpacked(`clip-${number}`));
  if (number === state.clip) state.view.scene.play(MANIFEST.clips[number], opened.get(number));
}

const goWorst = (number) => {
  const worst = MANIFEST.worst[number], pane = MANIFEST.methods.findIndex((m) => m.id === worst.method);
  return show({ worst: number, clip: worst.clip, frame: worst.frame, joint: worst.joint < 0 ? null : worst.joint, pane: Math.max(0, pane),
    shading: "heat", bones: false, camera: { ...worst.camera, framed: 1 }, playing: false });
};
const nextWorst = (step = 1) => {
  const many = MANIFEST.worst.length;
  if (many) goWorst(state.worst === null ? 0 : (state.worst + step + many) % many);
};

function play() {
  state.playing = !state.playing;
  let last = null;
  const tick = (now) => {
    if (!state.playing) return;
    const clip = MANIFEST.clips[state.clip];
    if (last === null) last = now;
    const due = Math.floor(((now - last) / 1000) * clip.rate);
    if (due > 0) {
      last += (1000 * due) / clip.rate;
      show({ frame: (state.frame + due) % clip.frames });
    }
    requestAnimationFrame(tick);
  };
  if (state.playing) requestAnimationFrame(tick);
  refresh({});
}

// The stroke under way; it is part of state.drawing, which becomes a note.
let stroking = null;

// A note has one view: what is drawn after the camera has moved goes back to it.
function beginStroke([x, y], box) {
  const aspect = box.width / box.height;
  if (state.drawing && (state.drawing.pane !== box.pane || state.drawing.clip !== state.clip || state.drawing.frame !== state.frame || !state.view.seesAs(state.drawing.view, box))) {
    const { clip, frame, pane, view } = state.drawing;
    show({ clip, frame, pane, camera: { ...state.camera, ...view, framed: view.aspect }, playing: false });
    return;
  }
  const drawing = state.drawing || { clip: state.clip, frame: state.frame, pane: box.pane, view: viewNow(box), strokes: [] };
  const point = shareOf([x - box.x, y], drawing.view.aspect, box);
  if (state.tool === "text") {
    askWords(drawing, point, [x, y]);
    return;
  }
  stroking = { kind: state.tool, points: [point] };
  Object.assign(state, { drawing: { ...drawing, strokes: [...drawing.strokes, stroking] }, playing: false, pane: drawing.pane });
  state.view.ask();
}

function goOn([x, y], box) {
  const point = shareOf([x - box.x, y], state.drawing.view.aspect, box);
  if (stroking.kind === "pen" || stroking.points.length === 1) stroking.points.push(point);
  else stroking.points[1] = point;
  state.view.ask();
}

function takeBack() {
  stroking = null;
  const strokes = state.drawing ? state.drawing.strokes.slice(0, -1) : [];
  show({ drawing: strokes.length ? { ...state.drawing, strokes } : null });
}

// A click without a way draws nothing but a dot of the free hand.
function endStroke() {
  const [first, last] = [stroking.points[0], stroking.points[stroking.points.length - 1]];
  const short = stroking.kind !== "pen" && (stroking.points.length < 2 || (first[0] === last[0] && first[1] === last[1]));
  stroking = null;
  if (short) takeBack();
  else show({ drawing: state.drawing, tab: "notes" });
}

function askWords(drawing, point, [x, y]) {
  const field = element("input", { class: "words", "aria-label": "Text on the picture", maxlength: 200 });
  Object.assign(field.style, { left: `${x}px`, top: `${y - 13}px` });
  const done = (keep) => {
    if (!field.isConnected) return;
    const words = field.value.trim();
    field.onblur = null;
    field.remove();
    if (keep && words) show({ drawing: { ...drawing, strokes: [...drawing.strokes, { kind: "text", points: [point], words }] }, tab: "notes" });
  };
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" || event.key === "Escape") done(event.key === "Enter");
  });
  field.onblur = () => done(true);
  $("view").append(field);
  setTimeout(() => field.focus());
}

function viewNow(box) {
  const { target, distance, yaw, pitch } = state.view.camera(box);
  return { target: [...target], distance, yaw, pitch, aspect: box.width / box.height, orthographic: false };
}

const acts = {
  add() {
    const words = state.words.trim(), drawing = state.drawing;
    if (!words && !drawing) return;
    if (!drawing && !state.view) return;
    const boxes = drawing ? [] : state.view.boxes(), box = boxes.find((one) => one.pane === state.pane) || boxes[0];
    const place = drawing || { clip: state.clip, frame: state.frame, pane: box.pane, view: viewNow(box), strokes: [] };
    const note = state.notes.add({ words, joint: state.joint, ...place });
    show({ note, drawing: null, tool: null, words: "" });
  },
  undo: () => state.drawing && takeBack(),
  async copy() {
    const text = state.notes.mail();
    try {
      await navigator.clipboard.writeText(text);
      $("saved").textContent = "Copied: paste it into a mail";
    } catch {
      const field = element("textarea", { class: "mail", readonly: true, rows: 8, "aria-label": "Notes as text" });
      field.value = text;
      $("copy").replaceWith(field);
      field.select();
    }
    state.notes.unsaved = false;
  },
};

function pointers(canvas) {
  const down = new Map();
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const boxAt = (x) => state.view.boxes().find((box) => x >= box.x && x <= box.x + box.width) || state.view.boxes()[0];
  const paneNow = () => state.view.boxes().find((box) => box.pane === state.pane) || state.view.boxes()[0];
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    const at = place(event), box = boxAt(at[0]);
    down.set(event.pointerId, at);
    if (state.tool !== null && down.size === 1 && event.button === 0) beginStroke(at, box);
    else if (state.tool !== null && down.size === 2) takeBack();
    else if (box.pane !== state.pane) show({ pane: box.pane });
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!down.has(event.pointerId)) return;
    const [x, y] = place(event), [px, py] = down.get(event.pointerId), height = canvas.clientHeight;
    if (stroking !== null) goOn([x, y], paneNow());
    else if (down.size === 2) {
      const other = [...down].find(([id]) => id !== event.pointerId)[1];
      const far = Math.hypot(px - other[0], py - other[1]) || 1, now = Math.hypot(x - other[0], y - other[1]) || 1;
      show({ camera: panned(zoomed(state.camera, far / now), (x - px) / 2, (y - py) / 2, height) });
    } else if (event.buttons & 2 || event.shiftKey) show({ camera: panned(state.camera, x - px, y - py, height) });
    else show({ camera: turned(state.camera, -0.008 * (x - px), 0.008 * (y - py)) });
    down.set(event.pointerId, [x, y]);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => {
    down.delete(event.pointerId);
    if (stroking !== null) endStroke();
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    show({ camera: zoomed(state.camera, Math.exp(0.0015 * Math.min(Math.max(event.deltaY, -200), 200))) });
  }, { passive: false });
}

const whole = () => show({ camera: { ...MANIFEST.camera, yaw: state.camera.yaw, pitch: state.camera.pitch } });
const looking = (yaw, pitch) => show({ camera: { ...state.camera, yaw: MANIFEST.camera.yaw + yaw, pitch } });

function frameJoint() {
  if (state.joint === null || !state.view) return whole();
  const start = (state.frame * MANIFEST.joints.length + state.joint) * 6, ends = state.view.scene.bones.subarray(start, start + 6);
  const size = Math.hypot(ends[3] - ends[0], ends[4] - ends[1], ends[5] - ends[2]);
  const target = [0, 1, 2].map((i) => 0.5 * (ends[i] + ends[3 + i]));
  return show({ camera: { ...state.camera, target, distance: Math.max(6 * size, 0.2 * MANIFEST.size), framed: 1 } });
}

const THREE_QUARTER = (35 * Math.PI) / 180;
const KEYS = new Map(Object.entries({
  " ": play, n: () => nextWorst(1), N: () => nextWorst(-1), f: frameJoint, a: whole, b: () => show({ bones: !state.bones }),
  w: () => show({ shading: "weights" }), h: () => show({ shading: "heat" }), d: () => show({ shading: "difference" }), c: () => show({ shading: "clay" }),
  Home: () => show({ frame: 0 }), End: () => show({ frame: 1e9 }), 1: () => looking(-THREE_QUARTER, 0), 3: () => looking(Math.PI / 2 - THREE_QUARTER, 0),
  7: () => looking(-THREE_QUARTER, POLE), Escape: () => show({ alone: false, tool: null }),
}));

function keys(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !/^(TEXTAREA|INPUT)$/.test(event.target.tagName)) acts.undo();
  if (event.ctrlKey || event.metaKey || event.altKey || /^(TEXTAREA|SELECT)$/.test(event.target.tagName) || (event.target.tagName === "INPUT" && event.target.type !== "range")) return;
  if (event.key === "A" && event.shiftKey) {
    event.preventDefault();
    show({ tab: "notes" }).then(() => $("note").focus());
    return;
  }
  if (event.key === " " && event.target.tagName === "BUTTON") return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const action = step ? () => show({ frame: state.frame + step * (event.shiftKey ? 10 : 1) }) : KEYS.get(event.key);
  if (!action) return;
  event.preventDefault();
  action();
}

function saveNotes() {
  const link = element("a", { href: URL.createObjectURL(new Blob([state.notes.json()], { type: "application/json" })), download: `${MANIFEST.file.replace(/\.[^.]*$/, "")}.notes.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  state.notes.unsaved = false;
  refresh({});
}

function paintTheme() {
  for (const [token, value] of Object.entries(MANIFEST.theme[theme.matches ? "light" : "dark"])) document.documentElement.style.setProperty(`--${token}`, value);
}

// When the browser has shown what is drawn; a second later at most, for a page in the background shows nothing.
const shown = () => new Promise((done) => {
  requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, 1000);
});

// The cards are drawn by the same shaders, one after the other.
async function pictures() {
  const view = state.view, kept = { ...state };
  for (const [number, worst] of MANIFEST.worst.entries()) {
    if (!opened.has(worst.clip)) opened.set(worst.clip, await unpacked(`clip-${worst.clip}`));
    await new Promise((done) => setTimeout(done));
    if (state.heat === null) state.heat = await unpacked("heat");
    const scene = view.scene, was = state.clip, card = $(`card-${number}`);
    if (!card || scene.gl.isContextLost()) return;
    scene.play(MANIFEST.clips[worst.clip], opened.get(worst.clip));
    scene.goTo(worst.frame);
    const method = MANIFEST.methods.findIndex((m) => m.id === worst.method);
    const scalars = (part, m) => Float32Array.from(state.heat.get(`${number}-${MANIFEST.methods[m].id}-${part.number}`), (v) => v / 255);
    const [width, height] = [Math.min(card.width, view.canvas.width), Math.min(card.height, view.canvas.height)];
    scene.gl.clear(scene.gl.DEPTH_BUFFER_BIT);
    view.pane(method, [0, 0, width, height], worst.camera, { map: "heat", lines: 2, zero: [0.5, 0.5, 0.5], scalars });
    card.getContext("2d").drawImage(view.canvas, 0, view.canvas.height - height, width, height, 0, 0, card.width, card.height);
    scene.play(MANIFEST.clips[was], opened.get(was));
    view.draw();
  }
  return kept;
}

async function begin() {
  paintTheme();
  $("file").textContent = MANIFEST.file;
  $("date").textContent = MANIFEST.date ? `Review of ${MANIFEST.date}` : "";
  const names = [["clay", "Clay"], ["weights", "Weights"], ...(MANIFEST.worst.length ? [["heat", "Heat"]] : []), ...(MANIFEST.methods.length > 1 ? [["difference", "Difference"]] : [])];
  $("shadings").replaceChildren(...names.map(([id, label]) => element("button", { "data-shading": id, onclick: () => show({ shading: id }) }, label)));
  $("clip").replaceChildren(...MANIFEST.clips.map((clip, i) => element("option", { value: i }, clip.name)));
  $("next").hidden = !MANIFEST.worst.length;
  const clicks = { bones: () => show({ bones: !state.bones }), save: saveNotes, first: () => show({ frame: 0 }), last: () => show({ frame: 1e9 }), play, next: () => nextWorst(1) };
  for (const [id, act] of Object.entries(clicks)) $(id).addEventListener("click", act);
  $("clip").addEventListener("change", () => show({ clip: Number($("clip").value), frame: 0 }));
  $("frame").addEventListener("input", () => show({ frame: Number($("frame").value) }));
  addEventListener("keydown", keys);
  addEventListener("resize", () => refresh({}));
  addEventListener("beforeunload", (event) => state.notes.unsaved && !state.notes.kept && event.preventDefault());
  theme.addEventListener("change", () => {
    paintTheme();
    refresh({});
  });
  if (MANIFEST.clips.some((clip) => !clip.full_rate)) warn("Long clips are shown at a lower rate.");
  if (!state.notes.kept) $("saved").textContent = "Notes live in this tab only: save them before closing.";
  fillWorst(state, goWorst);
  refresh({});
  const gl = $("gl").getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) {
    warn("This browser has no WebGL 2: the panes stay empty, the lists can be read.");
    return;
  }
  $("gl").addEventListener("webglcontextlost", () => warn("The graphics context was lost: open the page again."));
  gl.depthFunc(gl.LEQUAL);
  MANIFEST.shaders = await shaders();
  const scene = new Scene(gl);
  const view = new View(state, scene);
  scene.beginPrograms(view.panes());
  scene.fill(await unpacked("mesh"));
  state.view = view;
  await load(0);
  pointers($("gl"));
  refresh({});
  state.view.draw();
  await shown();
  await pictures();
  refresh({});
}

const ready = begin().catch((error) => {
  warn(`The panes could not be drawn: ${error.message}`);
  throw error;
});
