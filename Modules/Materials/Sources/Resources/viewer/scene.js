// Draws a model with WebGL: a camera that turns around it, a floor with squares, and a ruler.
import { joined, sum } from "./glb.js";

/** @typedef {import("./glb.js").Model} Model */
/** @typedef {import("./glb.js").Vector} Vector */
/** @typedef {{ least: Vector, greatest: Vector }} Box */

const vertexShader = `
attribute vec3 point, normal;
uniform mat4 view;
uniform vec3 place;
uniform float scale;
varying vec3 out_;
void main() { out_ = normal; gl_Position = view * vec4((point + place) * scale, 1.0); }`;
// The light comes with the camera, so that no side is dark. A fade of 1 draws the plain color.
const fragmentShader = `
precision mediump float;
varying vec3 out_;
uniform vec3 light, color, ground;
uniform float fade;
void main() {
  vec3 n = normalize(out_);
  vec3 lit = pow(color * (0.55 + 0.6 * max(dot(n, light), 0.0) + 0.1 * n.y), vec3(0.4545));
  gl_FragColor = vec4(fade == 1.0 ? color : mix(lit, ground, fade), 1.0);
}`;

/** The camera at the beginning; it looks down on flat materials. */
const start = { tall: { turn: 0.5, tilt: 0.42, zoom: 1 }, flat: { turn: 0.3, tilt: 0.85, zoom: 1 } };
/** Half of the angle that the camera sees. */
const half = 0.28;
/** The time in which a material is taken apart, and the camera turns by itself, in milliseconds. */
const pace = 700;
const limits = { tilt: [-0.1, 1.5], zoom: [0.35, 3] };

/** @param {number} value @param {number[]} range */
const within = (value, [least = 0, greatest = 0]) => Math.min(greatest, Math.max(least, value));
/** @param {Vector} a @param {Vector} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vector} vector @param {number} factor @returns {Vector} */
const times = (vector, factor) => [vector[0] * factor, vector[1] * factor, vector[2] * factor];
/** @param {Vector} a @param {Vector} b @param {number} share @returns {Vector} */
const between = (a, b, share) => joined(a, b, (one, other) => one + (other - one) * share);

export class Scene {
  camera = { ...start.tall };
  /** The size of the material as a share of the real one. */
  scale = 1;
  /** How far the material is taken apart, and how far it shall be, from 0 to 1. */
  share = 0;
  target = 0;
  /** The angle by which the camera still turns by itself. */
  rest = 0;
  /** The place of the chosen part in the model; -1 for none. */
  chosen = -1;
  frame = 0;
  time = 0;
  /**
   * The matrix from places in metres to the canvas, column by column.
   * @type {number[]}
   */
  view = [];
  /** Half of the material's diagonal in metres. */
  radius = 0;
  /** @type {(() => void) | undefined} */
  onDraw;
  /**
   * Where the ruler is on the canvas, in CSS pixels.
   * @type {{ x: number, y: number } | null}
   */
  ruler = null;

  /** @param {HTMLCanvasElement} canvas @param {Model} model */
  constructor(canvas, model) {
    this.canvas = canvas;
    this.model = model;
    this.boxes = [this.box(0), this.box(1)];
    this.camera = { ...this.start };
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.prepare());
    this.prepare();
  }

  /** The size of the material as it is built, in metres. */
  get size() {
    const [box] = this.boxes;
    return box ? joined(box.greatest, box.least, (a, b) => a - b) : /** @type {Vector} */ ([0, 0, 0]);
  }

  get start() {
    const [width, height, depth] = this.size;
    return height < 0.3 * Math.max(width, depth) ? start.flat : start.tall;
  }

  /** Whether this browser can draw in three dimensions. */
  get isReady() {
    return Boolean(this.gl);
  }

  /**
   * The bounds of the material.
   * @param {number} share how far it is taken apart @returns {Box}
   */
  box(share) {
    const all = this.model.parts.map(({ place, apart, least, greatest }) => {
      const at = between(place, apart, share);
      return { least: joined(least, at, sum), greatest: joined(greatest, at, sum) };
    });
    return all.reduce((one, other) => ({ least: joined(one.least, other.least, Math.min), greatest: joined(one.greatest, other.greatest, Math.max) }));
  }

  /** Gives the browser the shaders and the model, at the beginning and after it has lost them. */
  prepare() {
    const gl = this.canvas.getContext("webgl", { antialias: hasCard() });
    if (!gl) return;
    const program = gl.createProgram();
    for (const [kind, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]])) {
      const shader = gl.createShader(kind);
      if (!program || !shader) return;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    if (!program) return;
    gl.bindAttribLocation(program, 0, "point");
    gl.bindAttribLocation(program, 1, "normal");
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.enableVertexAttribArray(0);
    this.points = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.points);
    gl.bufferData(gl.ARRAY_BUFFER, this.model.points, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.model.triangles, gl.STATIC_DRAW);
    this.lines = gl.createBuffer();
    /** @type {Record<string, WebGLUniformLocation | null>} */
    this.at = Object.fromEntries(["view", "place", "scale", "light", "color", "ground", "fade"].map((name) => [name, gl.getUniformLocation(program, name)]));
    this.gl = gl;
    this.request();
  }

  /** Frees the memory of the graphics card. */
  end() {
    cancelAnimationFrame(this.frame);
    this.gl?.getExtension("WEBGL_lose_context")?.loseContext();
  }

  // --- The camera

  /** @param {number} turn @param {number} tilt both in radians */
  turn(turn, tilt) {
    this.camera.turn += turn;
    this.camera.tilt = within(this.camera.tilt + tilt, limits.tilt);
    this.request();
  }

  /** @param {number} factor @returns {boolean} whether the camera could move */
  zoom(factor) {
    const before = this.camera.zoom;
    this.camera.zoom = within(before * factor, limits.zoom);
    this.request();
    return this.camera.zoom !== before;
  }

  reset() {
    this.camera = { ...this.start };
    this.rest = 0;
    this.request();
  }

  /**
   * Turns by an angle, slowly unless the person wants less motion.
   * @param {number} angle
   */
  turnBy(angle) {
    if (calm.matches) return this.turn(angle, 0);
    this.rest += angle;
    this.request();
  }

  /** @param {boolean} isApart */
  take(isApart) {
    this.target = isApart ? 1 : 0;
    if (calm.matches) this.share = this.target;
    this.request();
  }

  /**
   * The bounds at this moment, at the chosen size.
   * @returns {Box}
   */
  now() {
    const [built, apart] = this.boxes;
    if (!built || !apart) return { least: [0, 0, 0], greatest: [0, 0, 0] };
    const share = ease(this.share);
    return {
      least: times(between(built.least, apart.least, share), this.scale),
      greatest: times(between(built.greatest, apart.greatest, share), this.scale),
    };
  }

  // --- Drawing

  request() {
    this.frame ||= requestAnimationFrame((time) => {
      this.frame = 0;
      this.move(time);
      this.draw();
    });
  }

  /** @param {number} time */
  move(time) {
    // After a pause the first step is that of one frame.
    const step = Math.min(time - this.time, 50) / pace;
    this.time = time;
    const way = this.target - this.share;
    this.share += Math.sign(way) * Math.min(Math.abs(way), step);
    const turn = Math.sign(this.rest) * Math.min(Math.abs(this.rest), step);
    this.camera.turn += turn;
    this.rest -= turn;
    if (this.share !== this.target || this.rest) this.request();
  }

  /** Sets the canvas to its size on the screen. */
  fit() {
    // More points than two for each pixel cost time and are not seen.
    const ratio = Math.min(devicePixelRatio, 2);
    const { clientWidth, clientHeight } = this.canvas;
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) [this.canvas.width, this.canvas.height] = [width, height];
  }

  draw() {
    const { gl, at } = this;
    if (!gl || !at || gl.isContextLost()) return;
    this.fit();
    const style = getComputedStyle(this.canvas);
    const ground = components(style.backgroundColor);
    const line = components(style.color);
    this.look();
    gl.clearColor(...ground, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniform3fv(at.ground ?? null, ground);
    this.floor(between(ground, line, 0.3));
    this.parts((place) => (this.chosen < 0 || this.chosen === place ? 0 : 0.72));
    this.measure(line);
    this.onDraw?.();
  }

  /** Moves the camera to its place and gives the shaders what follows from it. */
  look() {
    const { gl, at, canvas, camera } = this;
    if (!gl || !at) return;
    const box = this.now();
    const middle = between(box.least, box.greatest, 0.5);
    const size = joined(box.greatest, box.least, (a, b) => a - b);
    const radius = Math.hypot(...size) / 2;
    const [sine, cosine] = [Math.sin(camera.turn), Math.cos(camera.turn)];
    const [up, flat] = [Math.sin(camera.tilt), Math.cos(camera.tilt)];
    /** @type {Vector} */
    const back = [sine * flat, up, cosine * flat];
    /** @type {Vector} */
    const right = [cosine, 0, -sine];
    /** @type {Vector} */
    const top = [-sine * up, flat, -cosine * up];
    const aspect = canvas.width / canvas.height;
    // The sphere around the material fits into the narrower direction.
    const distance = (radius * 1.04) / Math.sin(Math.atan(Math.tan(half) * Math.min(1, aspect))) * camera.zoom;
    const eye = joined(middle, times(back, distance), sum);
    const [near, far] = [Math.max(distance - 4 * radius, distance / 40), distance + 12 * radius];
    const lens = 1 / Math.tan(half);
    const [a, b] = [(far + near) / (near - far), (2 * far * near) / (near - far)];
    const rows = [times(right, lens / aspect), times(top, lens), times(back, a), times(back, -1)];
    /** @type {number[]} */
    const view = [];
    for (let column = 0; column < 3; column += 1) for (const row of rows) view.push(row[column] ?? 0);
    for (const [place, row] of rows.entries()) view.push(-dot(row, eye) + (place === 2 ? b : 0));
    this.view = view;
    this.radius = radius;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.uniformMatrix4fv(at.view ?? null, false, view);
    const light = joined(joined(times(right, -0.35), times(top, 0.65), sum), times(back, 0.67), sum);
    gl.uniform3fv(at.light ?? null, light);
  }

  /**
   * Draws all parts.
   * @param {(place: number) => number} fade @param {(place: number) => Vector} [paint] plain colors
   */
  parts(fade, paint) {
    const { gl, at } = this;
    if (!gl || !at) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.points ?? null);
    gl.enableVertexAttribArray(1);
    gl.uniform1f(at.scale ?? null, this.scale);
    const share = ease(this.share);
    this.model.parts.forEach((part, place) => {
      const position = between(part.place, part.apart, share);
      gl.uniform1f(at.fade ?? null, fade(place));
      for (const { offset, surfaces } of part.pieces) {
        gl.uniform3fv(at.place ?? null, joined(position, offset, sum));
        for (const surface of surfaces) {
          gl.uniform3fv(at.color ?? null, paint?.(place) ?? surface.color);
          gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 24, surface.points);
          gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 24, surface.points + 12);
          gl.drawElements(gl.TRIANGLES, surface.count, gl.UNSIGNED_SHORT, surface.triangles);
        }
      }
    });
  }

  /**
   * Draws lines in a plain color.
   * @param {number[]} points two for each line @param {Vector} color
   */
  strokes(points, color) {
    const { gl, at } = this;
    if (!gl || !at) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.lines ?? null);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points), gl.STREAM_DRAW);
    gl.disableVertexAttribArray(1);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.uniform1f(at.scale ?? null, 1);
    gl.uniform1f(at.fade ?? null, 1);
    gl.uniform3f(at.place ?? null, 0, 0, 0);
    gl.uniform3fv(at.color ?? null, color);
    gl.drawArrays(gl.LINES, 0, points.length / 3);
  }

  /** The edge of the floor's squares in metres: a decimetre, or a centimetre for small materials. */
  get square() {
    return Math.max(...this.size) < 0.2 ? 0.01 : 0.1;
  }

  /** @param {Vector} color */
  floor(color) {
    const { least, greatest } = this.now();
    const edge = this.square;
    // Below the material, so that its underside is not crossed by lines.
    const y = -edge / 50;
    const reach = [0, 2].map((axis) => Math.min(12, Math.ceil(Math.max(greatest[axis] ?? 0, -(least[axis] ?? 0)) / edge) + 2));
    const [wide = 1, deep = 1] = reach;
    const points = [];
    for (let x = -wide; x <= wide; x += 1) points.push(x * edge, y, -deep * edge, x * edge, y, deep * edge);
    for (let z = -deep; z <= deep; z += 1) points.push(-wide * edge, y, z * edge, wide * edge, y, z * edge);
    this.strokes(points, color);
  }

  /** The direction that the ruler measures: the height of an upright material, else its width. */
  get axis() {
    const [width, height, depth] = this.size;
    return height > Math.max(width, depth) ? 1 : 0;
  }

  /** The length that the ruler shows at the chosen size, in metres. */
  get length() {
    return (this.size[this.axis] ?? 0) * this.scale;
  }

  /**
   * Draws the ruler beside the material as it is built.
   * @param {Vector} color
   */
  measure(color) {
    this.ruler = null;
    if (this.share > 0) return;
    const { least, greatest } = this.now();
    const gap = this.radius * 0.12;
    const tick = gap / 3;
    const isUpright = this.axis === 1;
    // Beside an upright material on the side that is right for the viewer, or in front of a lying one.
    /** @type {Vector} */
    const side = [Math.cos(this.camera.turn), 0, -Math.sin(this.camera.turn)];
    const reach = Math.hypot(greatest[0] - least[0], greatest[2] - least[2]) / 2 + gap;
    /** @type {Vector} */
    const from = isUpright ? times(side, reach) : [least[0], 0, greatest[2] + gap];
    /** @type {Vector} */
    const to = isUpright ? [from[0], greatest[1], from[2]] : [greatest[0], 0, greatest[2] + gap];
    /** @type {Vector} */
    const across = isUpright ? times(side, tick) : [0, 0, tick];
    const ends = [from, to].flatMap((end) => [...joined(end, times(across, -1), sum), ...joined(end, across, sum)]);
    this.strokes([...from, ...to, ...ends], color);
    this.ruler = this.seen(joined(between(from, to, isUpright ? 0.5 : 0.6), times(across, 2), sum));
  }

  /**
   * The place of a point on the canvas in CSS pixels.
   * @param {Vector} point
   */
  seen(point) {
    const { view } = this;
    /** @param {number} row */
    const at = (row) => [0, 1, 2].reduce((total, column) => total + (view[column * 4 + row] ?? 0) * (point[column] ?? 0), view[12 + row] ?? 0);
    const depth = at(3);
    return { x: ((at(0) / depth + 1) / 2) * this.canvas.clientWidth, y: ((1 - at(1) / depth) / 2) * this.canvas.clientHeight };
  }

  /**
   * The part at a place of the canvas; -1 for none.
   * @param {number} x @param {number} y in CSS pixels
   */
  pick(x, y) {
    const { gl, canvas } = this;
    if (!gl || gl.isContextLost()) return -1;
    // Each part is drawn in a color that is its number. The page never shows this picture.
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.parts(() => 1, (place) => [(place + 1) / 255, 0, 0]);
    const pixel = new Uint8Array(4);
    const ratio = canvas.width / canvas.clientWidth;
    gl.readPixels(Math.round(x * ratio), Math.round(canvas.height - y * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    this.draw();
    return (pixel[0] ?? 0) - 1;
  }
}

/** Whether a graphics card draws. Without one, smooth edges take half of the time. */
function hasCard() {
  const gl = document.createElement("canvas").getContext("webgl");
  const name = gl?.getParameter(gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return !/swiftshader|llvmpipe|software|basic render/i.test(String(name));
}

/** Whether the person wants less motion. */
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** @param {number} share */
const ease = (share) => share * share * (3 - 2 * share);
/**
 * The parts of a computed color, from 0 to 1.
 * @param {string} color @returns {Vector}
 */
function components(color) {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => Number(part) / 255);
  return [red, green, blue];
}
