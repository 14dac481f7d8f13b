// The camera as rigview/render/camera.py has it: values in, values out.
const FOV = Math.PI / 6, POLE = (89.9 * Math.PI) / 180;

function axes(camera) {
  const cy = Math.cos(camera.yaw), sy = Math.sin(camera.yaw), cp = Math.cos(camera.pitch), sp = Math.sin(camera.pitch);
  return [[cy, 0, -sy], [-sy * sp, cp, -cy * sp], [sy * cp, sp, cy * cp]];
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function viewOf(camera) {
  const rows = axes(camera), eye = camera.target.map((t, i) => t + camera.distance * rows[2][i]);
  const shift = rows.map((row) => -dot(row, eye));
  return [...[0, 1, 2].flatMap((k) => [rows[0][k], rows[1][k], rows[2][k], 0]), ...shift, 1];
}

function projectionOf(camera, aspect) {
  const far = camera.distance + 4 * camera.reach, near = Math.max(camera.distance - 4 * camera.reach, 1e-3 * far);
  const focal = 1 / Math.tan(FOV / 2);
  return [focal / aspect, 0, 0, 0, 0, focal, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

// Where points of model space are in a pane, in its pixels; null behind the eye.
function projector(camera, width, height) {
  const view = viewOf(camera), focal = 1 / Math.tan(FOV / 2);
  return (x, y, z) => {
    const seen = [0, 1, 2].map((i) => view[i] * x + view[4 + i] * y + view[8 + i] * z + view[12 + i]);
    if (seen[2] >= -1e-6) return null;
    const scale = (0.5 * height * focal) / -seen[2];
    return [0.5 * width + seen[0] * scale, 0.5 * height - seen[1] * scale];
  };
}

function turned(camera, turn, tilt) {
  return { ...camera, yaw: camera.yaw + turn, pitch: Math.min(Math.max(camera.pitch + tilt, -POLE), POLE) };
}

function panned(camera, dx, dy, height) {
  const metres = (2 * camera.distance * Math.tan(FOV / 2)) / height, rows = axes(camera);
  return { ...camera, target: camera.target.map((t, i) => t + metres * (-dx * rows[0][i] + dy * rows[1][i])) };
}

function zoomed(camera, factor) {
  const distance = Math.min(Math.max(camera.distance * factor, 1e-4 * camera.reach), 1e3 * camera.reach);
  return { ...camera, distance };
}

// Step back where a pane is narrower than what the camera was framed for.
const widened = (camera, aspect, framed) => ({ ...camera, distance: camera.distance * Math.max(1, framed / aspect) });
