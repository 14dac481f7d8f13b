// Notes of the reviewer, as resources/notes-1.schema.json has them: kept in the browser where it lets us, exported as JSON or text.
const KINDS = ["arrow", "line", "box", "pen", "text"];
const NOUNS = { arrow: "arrow", line: "line", box: "box", pen: "free line", text: "text" };

class Notes {
  constructor() {
    this.key = `rigview review of ${MANIFEST.file}`;
    this.kept = true;
    this.unsaved = false;
    this.author = "";
    this.all = [...MANIFEST.review];
    this.given = new Set(this.all.map((note) => note.id));
    try {
      const stored = JSON.parse(localStorage.getItem(this.key) || "[]");
      if (Array.isArray(stored)) this.all.push(...stored.filter((note) => this.sound(note) && !this.given.has(note.id)));
      this.author = localStorage.getItem("rigview author") || "";
    } catch {
      this.kept = false;
    }
  }

  sound(note) {
    const points = (stroke) => Array.isArray(stroke.points) && stroke.points.length && stroke.points.every((p) => Array.isArray(p) && p.every(Number.isFinite));
    return note && typeof note.id === "string" && typeof note.words === "string" && Number.isFinite(note.time) && note.view
      && Array.isArray(note.view.target) && note.view.aspect > 0 && Array.isArray(note.strokes) && note.strokes.every((s) => KINDS.includes(s.kind) && points(s));
  }

  isOwn(note) {
    return !this.given.has(note.id);
  }

  // Where a note is in this page; clip is null where the page does not carry it.
  at(note) {
    const clip = note.clip === undefined || note.clip === null ? (MANIFEST.rest ? 0 : -1) : MANIFEST.clips.findIndex((c) => c.name === note.clip);
    const pane = Math.max(0, MANIFEST.methods.findIndex((m) => m.id === note.method));
    const joint = MANIFEST.joints.findIndex((j) => j.name === note.joint);
    if (clip < 0) return { clip: null, frame: 0, pane, joint: joint < 0 ? null : joint };
    const of = MANIFEST.clips[clip], frame = Math.round((note.time - of.start) * of.rate);
    return { clip, frame: Math.min(Math.max(frame, 0), of.frames - 1), pane, joint: joint < 0 ? null : joint };
  }

  add({ words, clip, frame, pane, joint, view, strokes }) {
    const of = MANIFEST.clips[clip], time = of.start + frame / of.rate;
    const note = { id: [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join(""), words, author: this.author,
      changed: new Date().toISOString().replace(/\.\d+/, ""), ...(MANIFEST.rest ? {} : { clip: of.name }), time, frame: Math.round(100 * time * MANIFEST.rate) / 100,
      method: MANIFEST.methods[pane].id, ...(joint === null ? {} : { joint: MANIFEST.joints[joint].name }), view, strokes };
    this.all.push(note);
    this.keep();
    return note;
  }

  remove(note) {
    this.all = this.all.filter((other) => other !== note);
    this.keep();
  }

  keep() {
    this.unsaved = this.all.some((note) => this.isOwn(note));
    try {
      localStorage.setItem(this.key, JSON.stringify(this.all.filter((note) => this.isOwn(note))));
      localStorage.setItem("rigview author", this.author);
    } catch {
      this.kept = false;
    }
  }

  json() {
    return JSON.stringify({ format: "rigview notes", version: 1, file: MANIFEST.file, notes: this.all }, null, 1);
  }

  where(note) {
    const at = note.clip ? [note.clip, `frame ${note.frame} (${note.time.toFixed(3)} s)`] : ["rest pose"];
    return [...at, note.method, note.joint].filter(Boolean).join(", ");
  }

  // The same for people; the JSON is between the last lines, so that it can be read back.
  mail() {
    const lines = [`Review notes on ${MANIFEST.file}`, ""];
    this.all.forEach((note, i) => {
      lines.push(`${i + 1}. ${this.where(note)}${note.author ? ` (${note.author})` : ""}`);
      lines.push(...note.words.split("\n").filter((line) => line.trim()).map((line) => `   | ${line}`));
      const drawn = KINDS.map((kind) => [note.strokes.filter((s) => s.kind === kind).length, NOUNS[kind]]).filter(([many]) => many);
      if (drawn.length) lines.push(`   drawn: ${drawn.map(([many, noun]) => `${many} ${noun}${many > 1 ? "s" : ""}`).join(", ")}`);
      lines.push("");
    });
    const bytes = new TextEncoder().encode(this.json());
    let text = "";
    for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
    return [...lines, "-----BEGIN RIGVIEW NOTES-----", ...btoa(text).match(/.{1,76}/g), "-----END RIGVIEW NOTES-----", ""].join("\n");
  }
}
