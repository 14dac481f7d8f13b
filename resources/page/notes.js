// Notes of the reviewer: kept in the browser where it lets us, exported as JSON.
class Notes {
  constructor() {
    this.key = `rigview notes of ${MANIFEST.file}`;
    this.kept = true;
    this.unsaved = false;
    this.all = [];
    try {
      const stored = JSON.parse(localStorage.getItem(this.key) || "[]");
      if (Array.isArray(stored)) this.all = stored.filter((note) => this.sound(note));
    } catch {
      this.kept = false;
    }
  }

  sound(note) {
    const clips = MANIFEST.clips.length;
    return note && typeof note.text === "string" && Number.isInteger(note.clip) && note.clip >= 0 && note.clip < clips
      && Number.isInteger(note.frame) && note.frame >= 0 && note.frame < MANIFEST.clips[note.clip].frames
      && Array.isArray(note.strokes) && note.camera && Array.isArray(note.camera.target) && Number.isInteger(note.pane);
  }

  add(note) {
    this.all.push(note);
    this.keep();
  }

  remove(note) {
    this.all = this.all.filter((other) => other !== note);
    this.keep();
  }

  keep() {
    this.unsaved = this.all.length > 0;
    try {
      localStorage.setItem(this.key, JSON.stringify(this.all));
    } catch {
      this.kept = false;
    }
  }

  json() {
    const notes = this.all.map((note) => ({
      text: note.text, clip: MANIFEST.clips[note.clip].name, frame: note.frame,
      time: MANIFEST.clips[note.clip].start + note.frame / MANIFEST.clips[note.clip].rate,
      method: MANIFEST.methods[note.pane] ? MANIFEST.methods[note.pane].id : null,
      joint: note.joint === null ? null : MANIFEST.joints[note.joint].name, camera: note.camera, strokes: note.strokes,
    }));
    return JSON.stringify({ version: 1, file: MANIFEST.file, notes }, null, 1);
  }
}
