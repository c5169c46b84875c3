// A drawing as a PNG picture that contains its strokes, so that it can be opened again and continued.

/**
 * A line of the pen: its color and width by their places in the lists of the canvas, and x, y and pressure (0 to 100) of
 * each point one after the other.
 * @typedef {{ color: number, width: number, points: number[] }} Stroke
 */

/** The keyword of the tEXt chunk with the strokes as JSON (PNG specification, 11.3.4.3). */
const keyword = "PinkTower-Strokes";
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The largest picture that is opened, in bytes. */
const largest = 32 << 20;

/**
 * The checksum of a chunk (PNG specification, 5.5).
 * @param {Uint8Array} bytes
 */
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/**
 * Adds the strokes to a picture.
 * @param {ArrayBuffer} png @param {Stroke[]} strokes @returns {Blob}
 */
export function withStrokes(png, strokes) {
  const text = new TextEncoder().encode(keyword + "\0" + JSON.stringify(strokes));
  const chunk = new Uint8Array(text.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, text.length);
  chunk.set(new TextEncoder().encode("tEXt"), 4);
  chunk.set(text, 8);
  view.setUint32(text.length + 8, checksum(chunk.subarray(4, text.length + 8)));
  // The last chunk, IEND, has 12 bytes.
  const end = png.byteLength - 12;
  return new Blob([png.slice(0, end), chunk, png.slice(end)], { type: "image/png" });
}

/**
 * Reads the strokes of a picture; `null` if it has none that this canvas can draw.
 * @param {Blob} file @param {number} colors @param {number} widths the lengths of the canvas's lists
 * @returns {Promise<Stroke[] | null>}
 */
export async function strokesOf(file, colors, widths) {
  if (file.size > largest) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (signature.some((byte, place) => bytes[place] !== byte)) return null;
  const view = new DataView(bytes.buffer);
  for (let place = 8; place + 12 <= bytes.length; ) {
    const length = view.getUint32(place);
    const type = String.fromCharCode(...bytes.subarray(place + 4, place + 8));
    if (type === "tEXt" && place + 12 + length <= bytes.length) {
      const text = new TextDecoder().decode(bytes.subarray(place + 8, place + 8 + length));
      if (text.startsWith(keyword + "\0")) return checked(text.slice(keyword.length + 1), colors, widths);
    }
    place += length + 12;
  }
  return null;
}

/** @param {string} text @param {number} colors @param {number} widths @returns {Stroke[] | null} */
export function checked(text, colors, widths) {
  /** @type {any} */
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  /** @param {any} one @param {number} count */
  const place = (one, count) => Number.isInteger(one) && one >= 0 && one < count;
  const isRight = Array.isArray(read) && read.every((one) =>
    place(one?.color, colors) && place(one.width, widths) && Array.isArray(one.points) && one.points.length % 3 === 0 &&
    one.points.every(Number.isFinite));
  return isRight ? read : null;
}
