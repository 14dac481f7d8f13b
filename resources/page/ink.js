// Strokes over the picture. Their points are shares of the pane that they were drawn in.
const HEAD = 15, SPREAD = 0.5;

// Where a point is in another pane: the pane that it was drawn in lies in the middle, as large as fits.
function placed([x, y], aspect, box) {
  const shown = Math.min(box.height, box.width / aspect);
  return [0.5 * box.width + (x - 0.5) * aspect * shown, 0.5 * box.height + (y - 0.5) * shown];
}

function shareOf([x, y], aspect, box) {
  const shown = Math.min(box.height, box.width / aspect);
  return [0.5 + (x - 0.5 * box.width) / (aspect * shown), 0.5 + (y - 0.5 * box.height) / shown].map((v) => Math.round(1e4 * v) / 1e4);
}

function outline(kind, points) {
  const [first, last] = [points[0], points[points.length - 1]];
  if (kind === "box") return [[first, [last[0], first[1]], last, [first[0], last[1]], first]];
  if (kind !== "arrow") return [points];
  const angle = Math.atan2(last[1] - first[1], last[0] - first[0]), long = Math.min(HEAD, Math.hypot(last[0] - first[0], last[1] - first[1]));
  const barb = (turn) => [last[0] - long * Math.cos(angle + turn), last[1] - long * Math.sin(angle + turn)];
  return [points, [barb(SPREAD), last, barb(-SPREAD)]];
}

function drawStroke(pen, stroke, points) {
  if (stroke.kind === "text") return drawWords(pen, stroke.words, points[0]);
  for (const [style, width] of [[colour("background0"), 7], [colour("accent"), 3]]) {
    Object.assign(pen, { strokeStyle: style, lineWidth: width, lineCap: "round", lineJoin: "round" });
    for (const line of outline(stroke.kind, points)) {
      pen.beginPath();
      line.forEach((point, i) => (i ? pen.lineTo(...point) : pen.moveTo(...point)));
      if (line.length === 1) pen.lineTo(...line[0]);
      pen.stroke();
    }
  }
}

function drawWords(pen, words, [x, y]) {
  Object.assign(pen, { font: "600 12px Inter, system-ui", textAlign: "left", textBaseline: "middle" });
  const width = pen.measureText(words).width + 16;
  pen.beginPath();
  pen.roundRect(x, y - 12, width, 24, 4);
  Object.assign(pen, { fillStyle: colour("accent"), strokeStyle: colour("background0"), lineWidth: 2 });
  pen.stroke();
  pen.fill();
  pen.fillStyle = colour("on_accent");
  pen.fillText(words, x + 8, y + 0.5);
}

function drawNumber(pen, number, [x, y]) {
  pen.beginPath();
  pen.arc(x, y, 9, 0, 2 * Math.PI);
  Object.assign(pen, { fillStyle: colour("accent"), strokeStyle: colour("background0"), lineWidth: 3 });
  pen.stroke();
  pen.fill();
  Object.assign(pen, { fillStyle: colour("on_accent"), font: "600 11px Inter, system-ui", textAlign: "center", textBaseline: "middle" });
  pen.fillText(String(number), x, y + 0.5);
}
