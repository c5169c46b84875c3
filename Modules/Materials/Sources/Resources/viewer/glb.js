// Reads a binary glTF 2.0 file as this server writes it: one buffer with interleaved points and normals, then the
// triangles.

/** @typedef {[number, number, number]} Vector in metres */
/**
 * A surface in one color (linear light): the offsets of its points and triangles in the file's two parts, and the number
 * of its corners.
 * @typedef {{ color: Vector, points: number, triangles: number, count: number }} Surface
 */
/** @typedef {{ offset: Vector, surfaces: Surface[] }} Piece */
/** @typedef {{ name: string, place: Vector, apart: Vector, least: Vector, greatest: Vector, pieces: Piece[] }} Part */
/** @typedef {{ points: Uint8Array, triangles: Uint8Array, parts: Part[] }} Model */

/** The numbers with which a binary glTF file and its two chunks begin. */
const signature = { file: 0x46546c67, json: 0x4e4f534a, binary: 0x004e4942 };

/** @param {Vector} a @param {Vector} b @param {(a: number, b: number) => number} join @returns {Vector} */
export const joined = (a, b, join) => [join(a[0], b[0]), join(a[1], b[1]), join(a[2], b[2])];
/** @param {number} a @param {number} b */
export const sum = (a, b) => a + b;

/** @param {ArrayBuffer} file @returns {Model} */
export function read(file) {
  const view = new DataView(file);
  const length = view.getUint32(12, true);
  if (view.getUint32(0, true) !== signature.file || view.getUint32(16, true) !== signature.json) throw new Error("not a binary glTF file");
  if (view.getUint32(24 + length, true) !== signature.binary) throw new Error("a binary glTF file without content");
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 20, length)));
  const parts = json.nodes[0].children.map((/** @type {number} */ place) => part(json, json.nodes[place]));
  const [points, triangles] = json.bufferViews.map((/** @type {any} */ one) => new Uint8Array(file, 28 + length + one.byteOffset, one.byteLength));
  return { points, triangles, parts };
}

/** @param {any} json @param {any} node @returns {Part} */
function part(json, node) {
  const nodes = node.mesh === undefined ? node.children.map((/** @type {number} */ place) => json.nodes[place]) : [{ mesh: node.mesh }];
  /** @type {Vector} */
  let least = [Infinity, Infinity, Infinity];
  /** @type {Vector} */
  let greatest = [-Infinity, -Infinity, -Infinity];
  const pieces = nodes.map((/** @type {any} */ { mesh, translation }) => {
    /** @type {Vector} */
    const offset = translation ?? [0, 0, 0];
    const surfaces = json.meshes[mesh].primitives.map((/** @type {any} */ one) => {
      const points = json.accessors[one.attributes.POSITION];
      const triangles = json.accessors[one.indices];
      least = joined(least, joined(points.min, offset, sum), Math.min);
      greatest = joined(greatest, joined(points.max, offset, sum), Math.max);
      const color = json.materials[one.material].pbrMetallicRoughness.baseColorFactor.slice(0, 3);
      return { color, points: points.byteOffset, triangles: triangles.byteOffset, count: triangles.count };
    });
    return { offset, surfaces };
  });
  const place = node.translation ?? [0, 0, 0];
  return { name: node.name, place, apart: node.extras?.apart ?? place, least, greatest, pieces };
}
