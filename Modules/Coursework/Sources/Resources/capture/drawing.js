// A canvas to draw on by pen, finger, mouse and keyboard. Its picture contains the strokes, so that it can be continued.
import { button, element, icon } from "pinktower/core.js";
import { ask, toast } from "pinktower/feedback.js";
import { checked, strokesOf, withStrokes } from "./picture.js";

/** @typedef {import("./picture.js").Stroke} Stroke */
/** @typedef {import("./capture.js").Properties} Properties */

/** The size of the picture in points. */
const size = { width: 1600, height: 1200 };
/** White is the eraser's color: it covers what lies below. */
const colors = ["black", "firebrick", "royalblue", "seagreen", "darkorange", "rebeccapurple", "white"];
const widths = [5, 12, 28];
const eraser = colors.length - 1;
/** The steps of the arrow keys in points. */
const step = 16;
const name = () => "pt-drawing:" + (document.body.dataset.account ?? "");

export class Drawing {
  /** @type {Stroke[]} */
  strokes = [];
  /** @type {Stroke[]} */
  undone = [];
  color = 0;
  width = 0;
  /**
   * The strokes that are being drawn, by pointer; -1 is the keyboard.
   * @type {Map<number, Stroke>}
   */
  open = new Map();
  /** Whether a pen has drawn; then a finger or palm does not draw. */
  hasPen = false;
  cursor = { x: size.width / 2, y: size.height / 2 };

  /** @param {HTMLElement} host @param {Properties} properties @param {(file: File) => void} deliver takes the picture */
  constructor(host, properties, deliver) {
    const { words, target } = properties;
    this.words = words;
    this.deliver = deliver;
    this.canvas = element("canvas", "pt-drawing__canvas");
    this.canvas.width = size.width;
    this.canvas.height = size.height;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", words.canvas ?? "");
    this.mark = element("span", "pt-drawing__cursor");
    this.mark.hidden = true;
    const help = element("p", "pt-drawing__note", words.keys ?? "");
    help.id = "pt-drawing-keys";
    this.canvas.setAttribute("aria-describedby", help.id);
    const opener = element("input", "pt-hidden");
    opener.type = "file";
    opener.accept = "image/png";
    opener.addEventListener("change", () => void this.continued(opener));
    this.back = button(words.undo ?? "", "neutral", () => this.undo());
    this.forth = button(words.redo ?? "", "neutral", () => this.redo());
    this.empty = button(words.clear ?? "", "quiet", () => void this.clear());
    this.done = element("button", "pt-button pt-button--primary", icon(target ? "plus" : "download", ""), element("span", "", (target ? words.add : words.save) ?? ""));
    this.done.type = "button";
    this.done.addEventListener("click", () => void this.save());
    host.replaceChildren(
      element("div", "pt-drawing__acts", this.choices("color"), this.choices("width")),
      element("div", "pt-drawing__sheet", this.canvas, this.mark),
      help,
      element("div", "pt-drawing__acts", this.back, this.forth, this.empty, element("label", "pt-button pt-button--neutral", words.open ?? "", opener), this.done));
    for (const [event, act] of /** @type {[string, (event: any) => void][]} */ ([
      ["pointerdown", (event) => this.begin(event)], ["pointermove", (event) => this.go(event)], ["pointerup", (event) => this.end(event.pointerId)],
      ["pointercancel", (event) => this.end(event.pointerId)], ["keydown", (event) => this.key(event)], ["blur", () => this.end(-1)],
    ])) this.canvas.addEventListener(event, act);
    this.strokes = checked(sessionStorage.getItem(name()) ?? "[]", colors.length, widths.length) ?? [];
    this.draw();
  }

  // --- Colors and widths

  /** @param {"color" | "width"} kind */
  choices(kind) {
    const { words } = this;
    const group = element("fieldset", "pt-drawing__choices", element("legend", "pt-hidden", words[kind] ?? ""));
    (kind === "color" ? colors : widths).forEach((value, place) => {
      const input = element("input", "");
      input.type = "radio";
      input.name = "pt-drawing-" + kind;
      input.checked = place === 0;
      input.setAttribute("aria-label", words[kind + place] ?? "");
      input.addEventListener("change", () => (this[kind] = place));
      const dot = element("span", "pt-drawing__dot");
      if (kind === "color") dot.style.setProperty("--ink", String(value));
      else dot.style.setProperty("--dot", Number(value) / 2 + "px");
      if (kind === "color" && place === eraser) dot.append(icon("x", "pt-icon--small"));
      group.append(element("label", "pt-drawing__choice", input, dot));
    });
    return group;
  }

  // --- Pointers

  /** @param {PointerEvent} event @returns {number[]} */
  point(event) {
    const box = this.canvas.getBoundingClientRect();
    // Only a pen reports its pressure; others report a constant.
    const pressure = event.pointerType === "pen" ? event.pressure : 0.5;
    return [
      Math.round(((event.clientX - box.x) / box.width) * size.width), Math.round(((event.clientY - box.y) / box.height) * size.height),
      Math.round(pressure * 100),
    ];
  }

  /** @param {PointerEvent} event */
  begin(event) {
    if (event.pointerType === "pen") this.hasPen = true;
    if (event.button !== 0 || (this.hasPen && event.pointerType === "touch")) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.start(event.pointerId, this.point(event));
  }

  /** @param {number} pointer @param {number[]} point */
  start(pointer, point) {
    const stroke = { color: this.color, width: this.width, points: point };
    this.open.set(pointer, stroke);
    this.strokes.push(stroke);
    this.undone = [];
    this.line(stroke, 0);
    this.update();
  }

  /** @param {PointerEvent} event */
  go(event) {
    const stroke = this.open.get(event.pointerId);
    if (!stroke) return;
    const from = stroke.points.length - 3;
    // Between two frames a pen reports several places.
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) stroke.points.push(...this.point(one));
    this.line(stroke, from);
  }

  /** @param {number} pointer */
  end(pointer) {
    if (!this.open.delete(pointer)) return;
    this.keep();
  }

  // --- Keyboard

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey) {
      const act = { z: event.shiftKey ? this.redo : this.undo, y: this.redo }[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      return act.call(this);
    }
    const length = event.shiftKey ? 4 * step : step;
    const move = { ArrowLeft: [-length, 0], ArrowRight: [length, 0], ArrowUp: [0, -length], ArrowDown: [0, length] }[event.key];
    if (!move && event.key !== " ") return;
    event.preventDefault();
    if (move) {
      this.cursor.x = Math.min(size.width, Math.max(0, this.cursor.x + (move[0] ?? 0)));
      this.cursor.y = Math.min(size.height, Math.max(0, this.cursor.y + (move[1] ?? 0)));
    } else if (this.open.has(-1)) this.end(-1);
    else this.start(-1, [this.cursor.x, this.cursor.y, 50]);
    const stroke = this.open.get(-1);
    if (stroke && move) {
      stroke.points.push(this.cursor.x, this.cursor.y, 50);
      this.line(stroke, stroke.points.length - 6);
    }
    this.mark.hidden = false;
    this.mark.style.left = (this.cursor.x / size.width) * 100 + "%";
    this.mark.style.top = (this.cursor.y / size.height) * 100 + "%";
    this.mark.toggleAttribute("data-down", Boolean(stroke));
  }

  // --- Drawing

  /**
   * Draws the points of a stroke from a place in its list on.
   * @param {Stroke} stroke @param {number} from
   */
  line({ color, width, points }, from) {
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.strokeStyle = pen.fillStyle = colors[color] ?? "";
    pen.lineCap = pen.lineJoin = "round";
    const wide = (color === eraser ? 3 : 1) * (widths[width] ?? 1);
    /** @param {number} place */
    const at = (place) => /** @type {[number, number, number]} */ (points.slice(place, place + 3));
    let [x, y, pressure] = at(from);
    if (from === 0) {
      pen.beginPath();
      pen.arc(x, y, (wide * (0.4 + (pressure / 100) * 1.2)) / 2, 0, 7);
      pen.fill();
    }
    for (let place = from + 3; place < points.length; place += 3) {
      const [nextX, nextY, nextPressure] = at(place);
      pen.lineWidth = wide * (0.4 + ((pressure + nextPressure) / 200) * 1.2);
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(nextX, nextY);
      pen.stroke();
      [x, y, pressure] = [nextX, nextY, nextPressure];
    }
  }

  /** Draws everything again. */
  draw() {
    const pen = this.canvas.getContext("2d");
    if (pen) {
      pen.fillStyle = "white";
      pen.fillRect(0, 0, size.width, size.height);
    }
    for (const stroke of this.strokes) this.line(stroke, 0);
    this.update();
  }

  update() {
    const isEmpty = this.strokes.length === 0;
    for (const one of [this.back, this.empty, this.done]) one.disabled = isEmpty;
    this.forth.disabled = this.undone.length === 0;
  }

  /** Stores the drawing for when this page is loaded again by the same account. */
  keep() {
    try {
      sessionStorage.setItem(name(), JSON.stringify(this.strokes));
    } catch {
      // A drawing that is too large for the browser's storage can still be saved as a picture.
    }
  }

  undo() {
    const last = this.strokes.pop();
    if (last) this.undone.push(last);
    this.draw();
    this.keep();
  }

  redo() {
    const next = this.undone.pop();
    if (next) this.strokes.push(next);
    this.draw();
    this.keep();
  }

  async clear() {
    if (!(await ask({ title: this.words.clearTitle ?? "", yes: this.words.clear ?? "", isDestructive: true }, this.empty))) return;
    [this.strokes, this.undone] = [[], []];
    this.draw();
    this.keep();
    this.canvas.focus();
  }

  /** @param {HTMLInputElement} opener */
  async continued(opener) {
    const file = opener.files?.[0];
    opener.value = "";
    const read = file && (await strokesOf(file, colors.length, widths.length));
    if (!read) return toast(this.words.notOurs ?? "", "failure");
    [this.strokes, this.undone] = [read, []];
    this.draw();
    this.keep();
  }

  async save() {
    const png = await new Promise((done) => this.canvas.toBlob(done, "image/png"));
    if (!(png instanceof Blob)) return;
    const picture = withStrokes(await png.arrayBuffer(), this.strokes);
    this.deliver(new File([picture], this.words.file + ".png", { type: "image/png" }));
  }
}
