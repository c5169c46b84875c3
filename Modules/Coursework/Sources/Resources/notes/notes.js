// Draws the notes of a file on the pictures of its pages, and takes the place of a new note.
import { button, element, here, icon } from "pinktower/core.js";

/** @typedef {{ url: string, width: number, height: number, alt: string }} Page */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */
/** @typedef {Box & { id: string, page: number, text: string, label: string, by: string }} Note */
/**
 * The pages and notes, and the path of the sheet in which a note is written (none for readers). Places are in
 * ten-thousandths of the page, so they fit the picture at every size.
 * @typedef {{ pages: Page[], notes: Note[], path?: string, words: Record<string, string> }} Properties
 */

const steps = 10_000;
/** The part of a page by which an arrow key moves a new pin. */
const stride = 200;
/** A shorter drag is a point, not a highlight. */
const shortest = 150;

/** @param {number} value */
const bounded = (value) => Math.min(steps, Math.max(0, Math.round(value)));

/** @param {HTMLElement} shape @param {Box} box */
function put(shape, { left, top, width, height }) {
  for (const [side, value] of Object.entries({ left, top, width, height })) {
    shape.style.setProperty(side, value / (steps / 100) + "%");
  }
}

class Notes extends HTMLElement {
  static observedAttributes = ["data-properties"];

  /** @type {Properties | null} */
  shown = null;
  isAdding = false;
  /** @type {{ page: number, box: Box } | null} */
  next = null;

  connectedCallback() {
    this.show();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.show();
  }

  show() {
    const before = this.shown;
    const now = /** @type {Properties} */ (JSON.parse(this.dataset.properties ?? "{}"));
    this.shown = now;
    if (JSON.stringify(before?.pages) !== JSON.stringify(now.pages) || before?.path !== now.path) {
      this.isAdding = false;
      this.next = null;
      this.replaceChildren(...(now.path ? [this.bar(now)] : []), ...now.pages.map((page) => this.page(page)));
    }
    [...this.querySelectorAll(".pt-notes__pins")].forEach((pins, place) => {
      const own = now.notes.flatMap((note, number) => (note.page === place + 1 ? [this.pin(note, number)] : []));
      pins.replaceChildren(...own.flat());
    });
  }

  /** @param {Properties} properties */
  bar({ words }) {
    const add = button(words.add ?? "", "tonal", () => this.toggle());
    add.prepend(icon("edit", "pt-icon--small"));
    add.setAttribute("aria-pressed", "false");
    const tip = element("p", "pt-notes__tip", words.tip ?? "");
    tip.hidden = true;
    return element("div", "pt-notes__bar", add, tip);
  }

  /** @param {Page} page */
  page({ url, width, height, alt }) {
    const image = element("img", "");
    Object.assign(image, { src: url, width, height, alt, loading: "lazy", decoding: "async" });
    const link = element("a", "pt-image pt-image--page", icon("photo", ""), image);
    link.href = url;
    link.dataset.photo = "";
    link.setAttribute("aria-label", alt);
    return element("div", "pt-notes__page", link, element("div", "pt-notes__pins"));
  }

  /**
   * A pin, its highlight, and the text that the pin opens.
   * @param {Note} note @param {number} number @returns {HTMLElement[]}
   */
  pin(note, number) {
    const { words, path } = /** @type {Properties} */ (this.shown);
    const bubble = element("div", "pt-notes__bubble",
      element("p", "pt-notes__by", [note.label, note.by].filter(Boolean).join(" · ")), element("p", "pt-notes__text", note.text));
    bubble.id = "note-" + note.id;
    bubble.setAttribute("popover", "auto");
    if (path) {
      const edit = button(words.edit ?? "", "quiet", () => this.write(`${path}?note=${note.id}`));
      edit.setAttribute("popovertarget", bubble.id);
      edit.setAttribute("popovertargetaction", "hide");
      bubble.append(edit);
    }
    const pin = element("button", "pt-notes__pin", String(number + 1));
    pin.type = "button";
    pin.setAttribute("popovertarget", bubble.id);
    pin.setAttribute("aria-label", note.label + ": " + note.text);
    put(pin, { left: note.left + note.width, top: note.top, width: 0, height: 0 });
    pin.style.removeProperty("width");
    pin.style.removeProperty("height");
    if (!note.width && !note.height) return [pin, bubble];
    const mark = element("span", "pt-notes__mark");
    put(mark, note);
    return [mark, pin, bubble];
  }

  toggle() {
    this.isAdding = !this.isAdding;
    const { words } = /** @type {Properties} */ (this.shown);
    const [add, tip] = this.querySelectorAll(".pt-notes__bar > *");
    add?.setAttribute("aria-pressed", String(this.isAdding));
    if (add) add.lastChild?.replaceWith((this.isAdding ? words.done : words.add) ?? "");
    if (tip instanceof HTMLElement) tip.hidden = !this.isAdding;
    for (const board of this.querySelectorAll(".pt-notes__board")) board.remove();
    if (!this.isAdding) return;
    const boards = [...this.querySelectorAll(".pt-notes__page")].map((page, place) => {
      const board = this.board(place + 1);
      page.append(board);
      return board;
    });
    // The first page that can be seen takes the keys.
    (boards.find((one) => one.getBoundingClientRect().bottom > 0) ?? boards[0])?.focus({ preventScroll: true });
  }

  /** @param {number} page */
  board(page) {
    const { words } = /** @type {Properties} */ (this.shown);
    const ghost = element("span", "pt-notes__ghost");
    ghost.hidden = true;
    const board = element("div", "pt-notes__board", ghost);
    board.tabIndex = 0;
    board.setAttribute("role", "application");
    board.setAttribute("aria-label", (words.board ?? "").replace("{page}", String(page)));
    /** @param {Box} box */
    const move = (box) => {
      this.next = { page, box };
      ghost.hidden = false;
      ghost.classList.toggle("pt-notes__ghost--box", box.width > 0 && box.height > 0);
      put(ghost, box);
    };
    /** @param {PointerEvent} event */
    const at = (event) => {
      const frame = board.getBoundingClientRect();
      return {
        left: bounded(((event.clientX - frame.left) / frame.width) * steps),
        top: bounded(((event.clientY - frame.top) / frame.height) * steps),
      };
    };
    board.addEventListener("pointerdown", (down) => {
      if (down.button !== 0) return;
      down.preventDefault();
      board.focus({ preventScroll: true });
      board.setPointerCapture(down.pointerId);
      const from = at(down);
      move({ ...from, width: 0, height: 0 });
      const life = new AbortController();
      const { signal } = life;
      board.addEventListener("pointermove", (event) => {
        const to = at(event);
        const [width, height] = [Math.abs(to.left - from.left), Math.abs(to.top - from.top)];
        const isBox = width >= shortest && height >= shortest;
        move(isBox
          ? { left: Math.min(to.left, from.left), top: Math.min(to.top, from.top), width, height }
          : { ...from, width: 0, height: 0 });
      }, { signal });
      board.addEventListener("pointerup", () => {
        life.abort();
        this.place();
      }, { signal });
      board.addEventListener("pointercancel", () => {
        life.abort();
        ghost.hidden = true;
      }, { signal });
    });
    board.addEventListener("focus", () => {
      if (ghost.hidden && board.matches(":focus-visible")) move({ left: steps / 2, top: steps / 2, width: 0, height: 0 });
    });
    board.addEventListener("keydown", (event) => {
      const ways = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
      const way = ways[event.key];
      const box = this.next?.page === page ? this.next.box : { left: steps / 2, top: steps / 2, width: 0, height: 0 };
      if (way) {
        const [across, down] = way.map((one) => one * stride);
        move(event.shiftKey
          ? { ...box, width: Math.min(steps - box.left, bounded(box.width + (across ?? 0))), height: Math.min(steps - box.top, bounded(box.height + (down ?? 0))) }
          : { ...box, left: Math.min(steps - box.width, bounded(box.left + (across ?? 0))), top: Math.min(steps - box.height, bounded(box.top + (down ?? 0))) });
      } else if (event.key === "Enter" || event.key === " ") {
        move(box);
        this.place();
      } else if (event.key === "Escape") {
        this.toggle();
        this.querySelector("button")?.focus();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
    return board;
  }

  /** Opens the sheet for a note at the chosen place. */
  place() {
    const path = this.shown?.path;
    if (!path || !this.next) return;
    const { page, box } = this.next;
    const isBox = box.width > 0 && box.height > 0;
    const query = new URLSearchParams(Object.entries({
      page, left: box.left, top: box.top, width: isBox ? box.width : 0, height: isBox ? box.height : 0,
    }).map(([name, value]) => [name, String(value)]));
    this.toggle();
    this.write(`${path}?${query}`);
  }

  /** @param {string} path the path of the sheet */
  write(path) {
    const link = element("a", "");
    const address = new URL(here(), location.href);
    address.searchParams.set("sheet", path);
    link.href = address.pathname + address.search;
    link.dataset.sheet = path;
    link.hidden = true;
    this.append(link);
    link.click();
    link.remove();
  }
}

customElements.define("pt-notes", Notes);
