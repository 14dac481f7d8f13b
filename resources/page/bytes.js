// Blocks of the page back into arrays: the reverse of rigview/render/page/blocks.py.
const MANIFEST = JSON.parse(document.getElementById("manifest").textContent);
const TYPES = { float32: Float32Array, uint32: Uint32Array, uint16: Uint16Array, uint8: Uint8Array };

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

function plain(bytes, row) {
  const Type = TYPES[row.type], size = Type.BYTES_PER_ELEMENT;
  const count = row.shape.reduce((a, b) => a * b, 1), result = new Uint8Array(count * size);
  for (let plane = 0; plane < size; ++plane) {
    const start = row.start + plane * count;
    for (let i = 0; i < count; ++i) result[i * size + plane] = bytes[start + i];
  }
  if (row.filter === "frames" && count) {
    const words = new Uint32Array(result.buffer), stride = count / row.shape[0];
    for (let i = stride; i < count; ++i) words[i] = words[i] + words[i - stride];
  }
  return new Type(result.buffer);
}

async function inflated(name) {
  const text = atob(document.getElementById(`block-${name}`).textContent);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function shaders() {
  return JSON.parse(new TextDecoder().decode(await inflated("shaders")));
}

async function unpacked(name) {
  const bytes = await inflated(name);
  return new Map(MANIFEST.blocks[name].map((row) => [row.name, plain(bytes, row)]));
}
