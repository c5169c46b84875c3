// Photos of sheets of paper become the pages of one document: each is straightened between its corners, which a person can
// move, and its paper is made white.
import { button, element, icon } from "pinktower/core.js";
import { toast } from "pinktower/feedback.js";
import { corners, sheetSize, straighten, whiten, whole } from "./corners.js";
import { pdf } from "./pdf.js";

/** @typedef {import("./capture.js").Properties} Properties */
/** @typedef {import("./corners.js").Corners} Corners */
/**
 * `turns` counts quarters of a turn to the right.
 * @typedef {{ photo: ImageBitmap, corners: Corners, turns: number, item: HTMLElement }} Sheet
 */

/** The longer side in pixels: of the photo in which a sheet is looked for, of a stored photo, a page and a preview. */
const sides = { search: 320, photo: 2600, page: 2000, preview: 360 };
const mostPages = 30;

/**
 * The pixels of a photo, scaled so that no side exceeds `most`.
 * @param {ImageBitmap} photo @param {number} most
 */
function pixels(photo, most) {
  const scale = Math.min(1, most / Math.max(photo.width, photo.height));
  const canvas = element("canvas", "");
  canvas.width = Math.max(2, Math.round(photo.width * scale));
  canvas.height = Math.max(2, Math.round(photo.height * scale));
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("no canvas");
  pen.drawImage(photo, 0, 0, canvas.width, canvas.height);
  return { canvas, data: pen.getImageData(0, 0, canvas.width, canvas.height) };
}

export class Scan {
  /** @type {Sheet[]} */
  sheets = [];

  /** @param {HTMLElement} host @param {Properties} properties @param {(file: File) => void} deliver takes the document */
  constructor(host, { words, target }, deliver) {
    this.words = words;
    this.deliver = deliver;
    this.list = element("ol", "pt-scan__pages");
    this.status = element("p", "pt-scan__note");
    this.status.setAttribute("role", "status");
    this.white = element("input", "pt-scan__check");
    this.white.type = "checkbox";
    this.white.checked = true;
    this.white.addEventListener("change", () => void this.redraw());
    this.done = element("button", "pt-button pt-button--primary", icon(target ? "plus" : "download", ""), element("span", "", (target ? words.add : words.save) ?? ""));
    this.done.type = "button";
    this.done.addEventListener("click", () => void this.save());
    host.replaceChildren(
      element("div", "pt-scan__acts", this.chooser("camera", words.camera ?? "", true), this.chooser("photo", words.photos ?? "", false)),
      this.status, this.list,
      element("div", "pt-scan__acts", element("label", "pt-scan__option", this.white, element("span", "", words.white ?? "")), this.done));
    this.update();
  }

  /**
   * A button that takes a photo or chooses pictures.
   * @param {string} glyph @param {string} title @param {boolean} isCamera
   */
  chooser(glyph, title, isCamera) {
    const field = element("input", "pt-scan__file");
    field.type = "file";
    field.accept = "image/*";
    field.multiple = !isCamera;
    if (isCamera) field.setAttribute("capture", "environment");
    field.addEventListener("change", async () => {
      const files = [...(field.files ?? [])];
      field.value = "";
      await this.add(files);
    });
    return element("label", `pt-button pt-button--${isCamera ? "tonal" : "neutral"}`, icon(glyph, ""), element("span", "", title), field);
  }

  /** @param {File[]} files */
  async add(files) {
    for (const file of files) {
      if (this.sheets.length >= mostPages) return toast(this.words.full ?? "", "failure");
      this.status.textContent = this.words.working ?? "";
      try {
        const photo = await createImageBitmap(file);
        const large = await createImageBitmap(pixels(photo, sides.photo).canvas);
        photo.close();
        const sheet = { photo: large, corners: corners(pixels(large, sides.search).data), turns: 0, item: element("li", "pt-scan__page") };
        this.sheets.push(sheet);
        this.list.append(sheet.item);
        this.show(sheet);
      } catch {
        toast(`${file.name}: ${this.words.unreadable ?? ""}`, "failure");
      }
    }
    this.status.textContent = "";
    this.update();
  }

  // --- Pages

  /**
   * The straightened page of a sheet.
   * @param {Sheet} sheet @param {number} most of the longer side
   */
  page({ photo, corners: at, turns }, most) {
    const { data } = pixels(photo, Math.max(most, sides.preview) * 1.3);
    const size = sheetSize(at, data.width, data.height, most);
    const page = new ImageData(size.width, size.height);
    straighten(data, at, page);
    if (this.white.checked) whiten(page);
    const flat = element("canvas", "");
    [flat.width, flat.height] = [size.width, size.height];
    flat.getContext("2d")?.putImageData(page, 0, 0);
    if (turns === 0) return flat;
    const turned = element("canvas", "");
    [turned.width, turned.height] = turns % 2 ? [size.height, size.width] : [size.width, size.height];
    const pen = turned.getContext("2d");
    pen?.translate(turned.width / 2, turned.height / 2);
    pen?.rotate((turns * Math.PI) / 2);
    pen?.drawImage(flat, -size.width / 2, -size.height / 2);
    return turned;
  }

  /**
   * Shows a page with its buttons.
   * @param {Sheet} sheet
   */
  show(sheet) {
    const { words } = this;
    const preview = this.page(sheet, sides.preview);
    preview.className = "pt-scan__preview";
    const edit = element("button", "pt-scan__edit", preview);
    edit.type = "button";
    edit.addEventListener("click", () => this.edit(sheet));
    /** @param {string} glyph @param {string} key @param {() => void} act */
    const act = (glyph, key, act) => {
      const one = element("button", "pt-icon-button pt-icon-button--plain", icon(glyph, ""));
      one.type = "button";
      one.dataset.act = key;
      one.addEventListener("click", act);
      return one;
    };
    sheet.item.replaceChildren(edit, element("div", "pt-scan__tools",
      act("arrow-up", "up", () => this.move(sheet, -1)), act("arrow-down", "down", () => this.move(sheet, 1)),
      act("retry", "turn", () => {
        sheet.turns = (sheet.turns + 1) % 4;
        this.show(sheet);
        this.update();
        this.focus(sheet, "turn");
      }), act("trash", "remove", () => this.remove(sheet))));
    edit.dataset.title = words.edit ?? "";
  }

  /** @param {Sheet} sheet @param {string} act */
  focus(sheet, act) {
    const one = sheet.item.querySelector(`[data-act=${act}]:not(:disabled)`) ?? sheet.item.querySelector("button");
    if (one instanceof HTMLElement) one.focus();
  }

  /** @param {Sheet} sheet @param {number} by */
  move(sheet, by) {
    const place = this.sheets.indexOf(sheet);
    this.sheets.splice(place, 1);
    this.sheets.splice(place + by, 0, sheet);
    this.list.append(...this.sheets.map(({ item }) => item));
    this.update();
    this.focus(sheet, by < 0 ? "up" : "down");
  }

  /** @param {Sheet} sheet */
  remove(sheet) {
    const place = this.sheets.indexOf(sheet);
    this.sheets.splice(place, 1);
    sheet.item.remove();
    sheet.photo.close();
    this.update();
    const next = this.sheets[place] ?? this.sheets[place - 1];
    if (next) this.focus(next, "remove");
    else this.list.parentElement?.querySelector("input")?.focus();
  }

  /** Names the pages by their places and offers what is possible. */
  update() {
    const { words, sheets } = this;
    sheets.forEach(({ item }, place) => {
      const page = (words.page ?? "").replace("{n}", String(place + 1));
      for (const one of item.querySelectorAll("button")) {
        const act = one.dataset.act ?? "";
        one.setAttribute("aria-label", `${page}: ${one.dataset.title ?? words[act] ?? ""}`);
        one.disabled = (act === "up" && place === 0) || (act === "down" && place === sheets.length - 1);
      }
    });
    this.done.disabled = sheets.length === 0;
  }

  async redraw() {
    for (const sheet of this.sheets) this.show(sheet);
    this.update();
  }

  // --- Corners

  /**
   * Shows a photo with its corners, which move by pointer and by the arrow keys.
   * @param {Sheet} sheet
   */
  edit(sheet) {
    const { words } = this;
    let moved = /** @type {Corners} */ (sheet.corners.map(([x, y]) => [x, y]));
    const { canvas } = pixels(sheet.photo, 1000);
    canvas.className = "pt-scan__photo";
    const space = "http://www.w3.org/2000/svg";
    const frame = document.createElementNS(space, "svg");
    const outline = document.createElementNS(space, "polygon");
    frame.setAttribute("viewBox", "0 0 100 100");
    frame.setAttribute("preserveAspectRatio", "none");
    frame.setAttribute("class", "pt-scan__frame");
    frame.setAttribute("aria-hidden", "true");
    frame.append(outline);
    const board = element("div", "pt-scan__board", canvas);
    board.append(frame);
    const handles = moved.map((_, place) => {
      const handle = element("button", "pt-scan__corner");
      handle.type = "button";
      handle.setAttribute("aria-label", words["corner" + place] ?? "");
      handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
      handle.addEventListener("pointermove", (event) => {
        if (!handle.hasPointerCapture(event.pointerId)) return;
        const box = canvas.getBoundingClientRect();
        go(place, (event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height);
      });
      handle.addEventListener("keydown", (event) => {
        const step = event.shiftKey ? 0.05 : 0.01;
        const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
        const at = moved[place];
        if (!by || !at) return;
        event.preventDefault();
        go(place, at[0] + (by[0] ?? 0), at[1] + (by[1] ?? 0));
      });
      board.append(handle);
      return handle;
    });
    /** @param {number} place @param {number} x @param {number} y */
    const go = (place, x, y) => {
      moved[place] = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
      draw();
    };
    const draw = () => {
      outline.setAttribute("points", moved.map(([x, y]) => `${100 * x},${100 * y}`).join(" "));
      handles.forEach((handle, place) => {
        handle.style.left = 100 * (moved[place]?.[0] ?? 0) + "%";
        handle.style.top = 100 * (moved[place]?.[1] ?? 0) + "%";
      });
    };
    const title = element("h2", "t-title3", words.edit ?? "");
    title.id = "pt-scan-title";
    /** @type {HTMLDialogElement} */
    const dialog = element("dialog", "pt-ask pt-scan__dialog", title, board, element("div", "pt-ask__buttons",
      button(words.whole ?? "", "neutral", () => {
        moved = whole();
        draw();
      }),
      button(words.done ?? "", "primary", () => dialog.close("done"))));
    dialog.setAttribute("aria-labelledby", title.id);
    dialog.dataset.keep = "";
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (dialog.returnValue === "done") sheet.corners = moved;
      this.show(sheet);
      this.update();
      this.focus(sheet, "none");
    });
    document.body.append(dialog);
    draw();
    dialog.showModal();
    handles[0]?.focus();
  }

  // --- The document

  async save() {
    this.done.disabled = true;
    this.status.textContent = this.words.working ?? "";
    const pages = [];
    for (const sheet of this.sheets) {
      const canvas = this.page(sheet, sides.page);
      const jpeg = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
      if (jpeg instanceof Blob) pages.push({ jpeg: new Uint8Array(await jpeg.arrayBuffer()), width: canvas.width, height: canvas.height });
    }
    this.status.textContent = "";
    this.done.disabled = false;
    this.deliver(new File([pdf(pages)], this.words.file + ".pdf", { type: "application/pdf" }));
  }
}
