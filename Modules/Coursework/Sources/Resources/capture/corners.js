// Finds a sheet of paper in a photo and straightens it. Corners are fractions of the photo's size, clockwise from the one
// at the upper left.

/** @typedef {[number, number]} Point */
/** @typedef {[Point, Point, Point, Point]} Corners */
/**
 * Pixels as in ImageData: four bytes each.
 * @typedef {{ width: number, height: number, data: Uint8ClampedArray }} Pixels
 */

/** @returns {Corners} */
export const whole = () => [[0, 0], [1, 0], [1, 1], [0, 1]];

/** The share of the photo that a sheet covers at least and at most; outside of it nothing was found. */
const share = { least: 0.12, most: 0.97 };
/** The share of its four corners' area that a sheet fills at least. */
const filled = 0.8;

/**
 * The threshold between dark and bright by Otsu's method.
 * @param {Uint8Array} grays
 */
function threshold(grays) {
  const counts = new Float64Array(256);
  for (const gray of grays) counts[gray] = (counts[gray] ?? 0) + 1;
  const sum = counts.reduce((all, count, gray) => all + count * gray, 0);
  let [best, place, below, sumBelow] = [-1, 127, 0, 0];
  for (let gray = 0; gray < 256; gray += 1) {
    below += counts[gray] ?? 0;
    sumBelow += gray * (counts[gray] ?? 0);
    const above = grays.length - below;
    if (!below || !above) continue;
    const between = below * above * (sumBelow / below - (sum - sumBelow) / above) ** 2;
    if (between > best) [best, place] = [between, gray];
  }
  return place;
}

/**
 * The pixels of the largest connected bright area.
 * @param {Uint8Array} grays @param {number} width @param {number} limit
 */
function brightest(grays, width, limit) {
  const seen = new Uint8Array(grays.length);
  /** @type {number[]} */
  let largest = [];
  for (let start = 0; start < grays.length; start += 1) {
    if (seen[start] || (grays[start] ?? 0) <= limit) continue;
    const area = [start];
    seen[start] = 1;
    for (let next = 0; next < area.length; next += 1) {
      const pixel = area[next] ?? 0;
      const x = pixel % width;
      for (const other of [x > 0 ? pixel - 1 : -1, x < width - 1 ? pixel + 1 : -1, pixel - width, pixel + width]) {
        if (other < 0 || other >= grays.length || seen[other] || (grays[other] ?? 0) <= limit) continue;
        seen[other] = 1;
        area.push(other);
      }
    }
    if (area.length > largest.length) largest = area;
  }
  return largest;
}

/**
 * Twice the area of a polygon.
 * @param {Point[]} points
 */
const area = (points) => Math.abs(points.reduce((sum, [x, y], place) => {
  const [nextX, nextY] = points[(place + 1) % points.length] ?? [0, 0];
  return sum + x * nextY - nextX * y;
}, 0));

/**
 * The corners of a bright sheet on a darker ground; those of the whole photo where none is found.
 * @param {Pixels} photo a small copy of the photo, with 200 to 400 pixels on its longer side @returns {Corners}
 */
export function corners({ width, height, data }) {
  const grays = new Uint8Array(width * height);
  for (let place = 0; place < grays.length; place += 1) {
    grays[place] = ((data[4 * place] ?? 0) * 3 + (data[4 * place + 1] ?? 0) * 6 + (data[4 * place + 2] ?? 0)) / 10;
  }
  const pixels = brightest(grays, width, threshold(grays));
  if (pixels.length < share.least * grays.length || pixels.length > share.most * grays.length) return whole();
  // The corner at the upper left has the smallest x + y, the one at the upper right the largest x - y.
  const directions = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  const found = directions.map(([alongX, alongY]) => {
    let [most, corner] = [-Infinity, 0];
    for (const pixel of pixels) {
      const value = (alongX ?? 0) * (pixel % width) + (alongY ?? 0) * Math.floor(pixel / width);
      if (value > most) [most, corner] = [value, pixel];
    }
    return /** @type {Point} */ ([((corner % width) + 0.5) / width, (Math.floor(corner / width) + 0.5) / height]);
  });
  const covered = (area(found) / 2) * grays.length;
  return covered > 0 && pixels.length >= filled * covered && pixels.length <= covered / filled ? /** @type {Corners} */ (found) : whole();
}

/**
 * The size of a straightened sheet in pixels.
 * @param {Corners} corners @param {number} width @param {number} height of the photo @param {number} most of the longer side
 */
export function sheetSize([a, b, c, d], width, height, most) {
  /** @param {Point} from @param {Point} to */
  const length = (from, to) => Math.hypot((from[0] - to[0]) * width, (from[1] - to[1]) * height);
  const [wide, high] = [Math.max(length(a, b), length(d, c)), Math.max(length(a, d), length(b, c))];
  const scale = Math.min(1, most / Math.max(wide, high, 1));
  return { width: Math.max(1, Math.round(wide * scale)), height: Math.max(1, Math.round(high * scale)) };
}

/**
 * The photo between the corners as a rectangle: each of its pixels is looked up in the photo by a projective map
 * (Heckbert, Fundamentals of Texture Mapping, 1989, section 2.2.3) and mixed from the four around it.
 * @param {Pixels} photo @param {Corners} corners @param {Pixels} sheet is filled
 */
export function straighten(photo, corners, sheet) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] =
    /** @type {Corners} */ (corners.map(([x, y]) => [x * photo.width - 0.5, y * photo.height - 0.5]));
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const whole = dx1 * dy2 - dx2 * dy1 || 1;
  const [g, h] = [(sx * dy2 - dx2 * sy) / whole, (dx1 * sy - sx * dy1) / whole];
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
  const { data, width, height } = photo;
  let place = 0;
  for (let row = 0; row < sheet.height; row += 1) {
    const v = (row + 0.5) / sheet.height;
    for (let column = 0; column < sheet.width; column += 1, place += 4) {
      const u = (column + 0.5) / sheet.width;
      const depth = g * u + h * v + 1;
      const x = Math.min(width - 1.001, Math.max(0, (a * u + b * v + x0) / depth));
      const y = Math.min(height - 1.001, Math.max(0, (d * u + e * v + y0) / depth));
      const [left, top] = [x | 0, y | 0];
      const [right, below] = [x - left, y - top];
      const at = 4 * (top * width + left);
      for (let part = 0; part < 3; part += 1) {
        const upper = (data[at + part] ?? 0) * (1 - right) + (data[at + 4 + part] ?? 0) * right;
        const lower = (data[at + 4 * width + part] ?? 0) * (1 - right) + (data[at + 4 * width + 4 + part] ?? 0) * right;
        sheet.data[place + part] = upper * (1 - below) + lower * below;
      }
      sheet.data[place + 3] = 255;
    }
  }
}

/** The size of the fields whose brightest part is the paper, in pixels. */
const field = 48;

/**
 * Makes the paper of a sheet white, also in a shadow. Each part of it is compared with the paper around it.
 * @param {Pixels} sheet is changed
 */
export function whiten({ width, height, data }) {
  const [wide, high] = [Math.ceil(width / field), Math.ceil(height / field)];
  const papers = new Float32Array(wide * high);
  for (let y = 0; y < high; y += 1) {
    for (let x = 0; x < wide; x += 1) {
      // The brightness that only a tenth of the field's pixels exceed.
      const counts = new Uint32Array(256);
      let all = 0;
      for (let row = y * field; row < Math.min(height, (y + 1) * field); row += 2) {
        for (let column = x * field; column < Math.min(width, (x + 1) * field); column += 2, all += 1) {
          const at = 4 * (row * width + column);
          const gray = ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3;
          counts[gray | 0] = (counts[gray | 0] ?? 0) + 1;
        }
      }
      let [gray, above] = [255, counts[255] ?? 0];
      while (gray > 0 && above < all / 10) above += counts[(gray -= 1)] ?? 0;
      papers[y * wide + x] = Math.max(gray, 40);
    }
  }
  for (let row = 0; row < height; row += 1) {
    const y = Math.min(high - 1, Math.max(0, row / field - 0.5));
    for (let column = 0; column < width; column += 1) {
      const x = Math.min(wide - 1, Math.max(0, column / field - 0.5));
      const [left, top] = [x | 0, y | 0];
      const [next, below] = [Math.min(left + 1, wide - 1), Math.min(top + 1, high - 1)];
      const upper = (papers[top * wide + left] ?? 0) * (1 - x + left) + (papers[top * wide + next] ?? 0) * (x - left);
      const lower = (papers[below * wide + left] ?? 0) * (1 - x + left) + (papers[below * wide + next] ?? 0) * (x - left);
      const gain = 255 / (upper * (1 - y + top) + lower * (y - top));
      const at = 4 * (row * width + column);
      for (let part = 0; part < 3; part += 1) data[at + part] = (data[at + part] ?? 0) * gain;
    }
  }
}
