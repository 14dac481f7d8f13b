// What stands around the panes: headers, legend, cards, lists and lanes.
const $ = (id) => document.getElementById(id);
const MARKS = { error: "✕", warning: "▲", info: "●", fine: "✓" };

function worstAt(clip, method, frame) {
  const rows = MANIFEST.clips[clip].worst[MANIFEST.methods[method].id] || [];
  let best = null;
  for (const row of rows) if (best === null || Math.abs(row[0] - frame) < Math.abs(best[0] - frame)) best = row;
  return best !== null && Math.abs(best[0] - frame) <= 0.5 ? best : null;
}

function fillHeads(s, show) {
  const shown = s.view && !narrow() ? s.view.panes() : MANIFEST.methods.map((_, i) => i);
  $("heads").replaceChildren(...shown.map((pane) => {
    const worst = worstAt(s.clip, pane, s.frame), method = MANIFEST.methods[pane];
    const named = worst && worst[2] >= 0 && worst[1] >= 0.5;
    const [name, value] = worst === null || worst[2] < 0 ? ["", ""] : named ? [MANIFEST.joints[worst[2]].name, worst[3]] : ["all within limits", ""];
    const head = element("div", { class: pane === s.pane ? "chosen" : null },
      element("button", { "data-pane": pane, "aria-pressed": s.alone && pane === s.pane, title: "Alone, and all again",
        onclick: () => show({ pane, alone: narrow() ? false : !s.alone }) }, method.label));
    if (name) {
      const level = worst[4], marked = level === "fine" ? name : `${MARKS[level]} ${name}`;
      head.append(element("button", { class: `region ${level}`, title: `${name} ${value}`.trim(), onclick: () => named && show({ pane, joint: worst[2] }) },
        element("span", {}, marked), element("span", {}, value)));
    }
    return head;
  }));
}

function ramp(name) {
  const canvas = element("canvas", { width: 256, height: 1, role: "img", "aria-label": "colour scale" }), pen = canvas.getContext("2d");
  for (let i = 0; i < 256; ++i) {
    pen.fillStyle = `#${MANIFEST.maps[name].substr(6 * i, 6)}`;
    pen.fillRect(i, 0, 1, 1);
  }
  return canvas;
}

function fillLegend(s) {
  const said = [], bold = (text) => element("b", {}, text);
  const worst = s.worst === null ? null : MANIFEST.worst[s.worst];
  if (s.shading === "weights") {
    if (s.joint === null) said.push("Choose a joint to see its weights.");
    else said.push("Weight of ", bold(MANIFEST.joints[s.joint].name), ">0", ramp("viridis"), "1 · lines every 0.25");
  } else if (s.shading === "heat") {
    if (worst && worst.clip === s.clip && worst.frame === s.frame) {
      said.push("Heat ", bold(worst.measure), "0", ramp("heat"), `middle: limit ${worst.limit}, end: twice that`);
    } else said.push(MANIFEST.worst.length ? "Heat is measured in the worst poses: choose one below, or press N." : "No pose goes over a limit: there is no heat to show.");
  } else if (s.shading === "difference") {
    const mm = (1000 * MANIFEST.difference).toPrecision(2);
    said.push("Distance to ", bold(MANIFEST.methods[0].label), `−${mm} mm`, ramp("CET-D1"), `+${mm} mm outward`);
  } else said.push("Clay");
  $("legend").replaceChildren(...said, element("span", { class: "hint" }, "drag turns · wheel zooms · right drag moves · N worst · F frame · Space plays"));
}

function fillWorst(s, go) {
  $("worst").replaceChildren(...MANIFEST.worst.map((worst, number) => {
    const name = worst.joint < 0 ? "" : MANIFEST.joints[worst.joint].name;
    const bar = element("i");
    bar.style.width = `${Math.min(100, 50 * worst.severity)}%`;
    return element("button", { "aria-pressed": s.worst === number, onclick: () => go(number),
      "aria-label": `${number + 1} of ${MANIFEST.worst.length}, ${name}, ${worst.measure} ${worst.value}, limit ${worst.limit}, frame ${worst.frame} of ${MANIFEST.clips[worst.clip].name}, ${worst.level}` },
    element("div", { class: "picture" }, element("canvas", { id: `card-${number}`, width: 236, height: 148 }),
      element("span", { class: `rank ${worst.level}` }, `${MARKS[worst.level]} ${number + 1}`), element("span", { class: "at" }, String(worst.frame))),
    element("div", { class: "row main" }, element("span", { title: name }, name), element("span", { class: worst.level }, worst.value)),
    element("div", { class: `bar ${worst.level}` }, bar),
    element("div", { class: "row small" }, element("span", {}, worst.measure), element("span", {}, `limit ${worst.limit}`)),
    element("div", { class: "row small" }, element("span", { title: MANIFEST.clips[worst.clip].name }, MANIFEST.clips[worst.clip].name), element("span", {}, MANIFEST.methods.find((m) => m.id === worst.method).label)));
  }));
}

function findingsList(s, show) {
  if (MANIFEST.checked === null) return element("p", { class: "none" }, "This page was written without a check.");
  if (!MANIFEST.findings.length) return element("p", { class: "none" }, `✓ No findings (profile ${MANIFEST.checked}).`);
  return element("ul", {}, ...MANIFEST.findings.map((finding, number) => {
    const place = finding.clip === null ? finding.rule : `${MANIFEST.clips[finding.clip].name}${finding.frame === null ? "" : ` ${finding.frame}`}`;
    return element("li", {}, element("button", { "aria-pressed": s.finding === number, "data-finding": number, onclick: () => show({ finding: number,
      ...(finding.joint === null ? {} : { joint: finding.joint }), ...(finding.clip === null ? {} : { clip: finding.clip, frame: finding.frame || 0 }) }) },
    element("div", { class: "title" }, element("span", { class: finding.severity, "aria-label": finding.severity }, MARKS[finding.severity] || "●"), element("span", {}, finding.title), element("span", {}, place)),
    element("div", { class: "said" }, finding.message)));
  }));
}

function jointsList(s, show) {
  const search = element("input", { class: "search", type: "search", placeholder: "Search joints", "aria-label": "Search joints", value: s.search });
  const list = element("ul", { class: "joints" });
  const fill = () => {
    const order = MANIFEST.joints.map((joint, i) => [joint, i]).sort((a, b) => a[0].order - b[0].order);
    list.replaceChildren(...order.filter(([joint]) => joint.name.toLowerCase().includes(s.search.toLowerCase())).map(([joint, i]) => {
      const button = element("button", { "aria-pressed": s.joint === i, "data-joint": i, onclick: () => show({ joint: s.joint === i ? null : i }) }, joint.name);
      button.style.paddingLeft = `${12 + 10 * joint.depth}px`;
      return element("li", {}, button);
    }));
  };
  search.addEventListener("input", () => {
    s.search = search.value;
    fill();
  });
  fill();
  const box = element("div");
  box.append(search, list);
  return box;
}

function noteRow(s, show, note, i) {
  const at = s.notes.at(note), clip = at.clip === null ? note.clip || "rest pose" : MANIFEST.clips[at.clip].name;
  const go = () => show({ note, pane: at.pane, joint: at.joint, ...(at.clip === null ? {} : { clip: at.clip, frame: at.frame }),
    ...(note.view ? { camera: { ...s.camera, ...note.view, framed: note.view.aspect } } : {}), playing: false, ...(s.alone ? { alone: true } : {}) });
  const place = at.clip === null ? `${clip} · not in this page` : `${clip} ${at.frame} · ${MANIFEST.methods[at.pane].label}`;
  return element("li", {}, element("button", { "aria-pressed": s.note === note, "data-note": i, onclick: go },
    element("div", { class: "title" }, element("span", { class: "number" }, String(i + 1)), element("span", {}, note.author || "Note"), element("span", {}, place)),
    element("div", { class: "said" }, note.words)));
}

function notesList(s, show, acts) {
  const box = element("div"), text = element("textarea", { id: "note", rows: 3, "aria-label": "Note", placeholder: `Write on frame ${s.frame}, ${MANIFEST.methods[s.pane].label}…`,
    oninput: () => { s.words = text.value; }, onkeydown: (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && acts.add() });
  text.value = s.words;
  const name = element("input", { id: "author", placeholder: "Your name", "aria-label": "Your name", value: s.notes.author, maxlength: 80,
    oninput: () => { s.notes.author = name.value.trim(); } });
  const buttons = element("div", {}, name, element("span", { class: "spring" }));
  if (s.note && s.notes.isOwn(s.note)) buttons.append(element("button", { onclick: () => { s.notes.remove(s.note); show({ note: null }); } }, "Delete"));
  if (s.drawing) buttons.append(element("button", { id: "cancel", onclick: () => show({ drawing: null, tool: null }) }, "Cancel"));
  buttons.append(element("button", { class: "primary", id: "add", onclick: acts.add }, "Add note"));
  const keeps = s.drawing ? `${s.drawing.strokes.length} drawn on frame ${s.drawing.frame}; keeps this view` : "keeps this view";
  box.append(s.notes.all.length ? element("ul", {}, ...s.notes.all.map((note, i) => noteRow(s, show, note, i))) : element("p", { class: "none" }, "No notes yet. Draw on the picture or press Shift+A."),
    element("div", { class: "write" }, text, element("span", { class: "keeps" }, keeps), buttons));
  if (s.notes.all.length) box.append(element("div", { class: "send" }, element("button", { id: "copy", onclick: acts.copy }, "Copy as text for an e-mail")));
  return box;
}

const TOOLS = [["arrow", "↗", "Arrow"], ["line", "╱", "Line"], ["box", "▭", "Box"], ["pen", "✎", "Free hand"], ["text", "T", "Text"]];

function fillTools(s, show, acts) {
  const tools = $("tools");
  tools.className = s.tool === null ? "" : "inking";
  tools.replaceChildren(element("button", { id: "draw", "aria-pressed": s.tool !== null, "aria-label": "Draw on the picture", onclick: () => show({ tool: s.tool === null ? "arrow" : null }) }, "✎"),
    ...TOOLS.map(([kind, sign, label]) => element("button", { class: "tool", "data-tool": kind, "aria-pressed": s.tool === kind, "aria-label": label, title: label,
      onclick: () => show({ tool: s.tool === kind ? null : kind }) }, sign)),
    element("button", { class: "tool", id: "undo", "aria-label": "Take the last stroke back", title: "Take the last stroke back (Ctrl+Z)", disabled: !s.drawing, onclick: acts.undo }, "↶"));
}

function fillTabs(s, show, acts) {
  const tabs = [["notes", "Notes", s.notes.all.length], ["findings", "Findings", MANIFEST.findings.length], ["joints", "Joints", MANIFEST.joints.length]];
  $("tabs").replaceChildren(...tabs.map(([id, label, many]) => element("button", { role: "tab", "aria-selected": s.tab === id, id: `tab-${id}`, onclick: () => show({ tab: id }) }, label, element("small", {}, String(many)))));
  const made = { notes: notesList, findings: findingsList, joints: jointsList }[s.tab](s, show, acts);
  const top = $("lists").scrollTop;
  $("lists").replaceChildren(made);
  $("lists").scrollTop = top;
}

function drawLanes(s) {
  const canvas = $("lanes"), ratio = devicePixelRatio, width = canvas.clientWidth, height = canvas.clientHeight, clip = MANIFEST.clips[s.clip];
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const pen = canvas.getContext("2d"), left = 8, last = Math.max(1, clip.frames - 1), x = (frame) => left + ((width - 2 * left) * frame) / last;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = colour("background0");
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = colour("text3");
  for (const key of clip.keys) pen.fillRect(x(key) - 0.5, 3, 1, 6);
  for (const finding of MANIFEST.findings) {
    if (finding.clip !== s.clip || finding.frame === null) continue;
    pen.fillStyle = colour(`${finding.severity === "info" ? "info" : `${finding.severity}_fill`}`);
    pen.fillRect(x(finding.frame) - 2, 12, 4, 8);
  }
  const rows = clip.worst[MANIFEST.methods[s.pane].id] || [], y = (severity) => height - 2 - ((height - 28) * Math.min(severity, 3)) / 3;
  if (rows.length) {
    for (const [token, top, bottom] of [["text3", y(1), height], [rows.some((r) => r[4] === "error") ? "error_fill" : "warning_fill", 0, y(1)]]) {
      pen.save();
      pen.beginPath();
      pen.rect(0, top, width, bottom - top);
      pen.clip();
      pen.beginPath();
      pen.moveTo(x(rows[0][0]), height);
      for (const row of rows) pen.lineTo(x(row[0]), y(row[1]));
      pen.lineTo(x(rows[rows.length - 1][0]), height);
      pen.fillStyle = pen.strokeStyle = colour(token);
      pen.globalAlpha = 0.3;
      pen.fill();
      pen.globalAlpha = 1;
      pen.stroke();
      pen.restore();
    }
    pen.strokeStyle = colour("warning_fill");
    pen.setLineDash([4, 3]);
    pen.beginPath();
    pen.moveTo(left, y(1));
    pen.lineTo(width - left, y(1));
    pen.stroke();
    pen.setLineDash([]);
  }
  pen.fillStyle = colour("accent");
  pen.fillRect(x(s.frame) - 1, 0, 2, height);
  s.notes.all.forEach((note, i) => {
    const at = s.notes.at(note);
    if (at.clip !== s.clip) return;
    pen.fillStyle = colour("accent");
    pen.fillRect(x(at.frame) - 7, 11, 14, 12);
    Object.assign(pen, { fillStyle: colour("on_accent"), font: "600 9px Inter, system-ui", textAlign: "center", textBaseline: "middle" });
    pen.fillText(String(i + 1), x(at.frame), 17.5);
  });
}
