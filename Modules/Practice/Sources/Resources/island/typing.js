// The typing tutor: lessons by rows of the keyboard in use. Accuracy opens the next lesson; speed is told second.
import { element, icon } from "pinktower/core.js";
import { finger, fitting, layouts, lessons, needed, open, passage, percent, presses, right, start, typed, typedAll } from "./keys.js";
import { vocabulary } from "./vocabulary.js";

/** @typedef {import("./keys.js").Layout} Layout */

/** The longest pause between two keys that counts as typing, in milliseconds. */
const longestPause = 5000;
const all = /** @type {Layout[]} */ (Object.keys(layouts));

export class TypingTutor {
  /** @param {import("./bench.js").Bench} bench */
  constructor(bench) {
    this.bench = bench;
    const { layout } = bench.memory;
    this.layout = all.includes(/** @type {Layout} */ (layout)) ? /** @type {Layout} */ (layout) : this.likely();
    // A key that the chosen layout does not have at its place shows that another one is in use.
    document.addEventListener("keydown", (event) => this.notice(event), { signal: bench.lifetime.signal });
    void this.read();
    this.renew();
  }

  /** @type {Layout} */
  layout = "qwerty";
  /**
   * The layout that the keyboard seems to have, if it is not the chosen one.
   * @type {Layout | null}
   */
  suggestion = null;
  /** @type {import("./keys.js").Typing} */
  typing = start("");
  lesson = 1;
  spent = 0;
  last = 0;

  stop() {}

  /** The usual layout of the reader's region. */
  likely() {
    const region = navigator.language.toLowerCase();
    if (region.startsWith("de")) return "qwertz";
    return region.startsWith("fr") && !region.endsWith("-ca") ? "azerty" : "qwerty";
  }

  /** Asks browsers that know the layout of the keyboard. */
  async read() {
    const { keyboard } = /** @type {{ keyboard?: { getLayoutMap(): Promise<Map<string, string>> } }} */ (/** @type {unknown} */ (navigator));
    const map = await keyboard?.getLayoutMap().catch(() => null);
    for (const code of ["KeyQ", "KeyY"]) this.weigh(fitting(code, map?.get(code) ?? ""));
  }

  /** @param {KeyboardEvent} event */
  notice(event) {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) this.weigh(fitting(event.code, event.key));
  }

  /** @param {Layout[]} fits */
  weigh(fits) {
    if (!fits.length || fits.includes(this.layout) || (this.suggestion && fits.includes(this.suggestion))) return;
    this.suggestion = fits[0];
    if (!this.bench.isBusy) this.renew();
    else this.bench.box.querySelector(".pt-pr__suggest")?.replaceChildren(this.banner());
  }

  banner() {
    const { bench } = this;
    const { suggestion } = this;
    if (!suggestion) return document.createTextNode("");
    return element("div", "pt-banner pt-banner--info", icon("info", ""), element("p", "", bench.say("looksLike", { layout: suggestion.toUpperCase() })),
      bench.quiet(bench.say("useIt", { layout: suggestion.toUpperCase() }), () => this.use(suggestion)));
  }

  /** @param {Layout} layout */
  use(layout) {
    this.layout = layout;
    this.suggestion = null;
    this.bench.remember((memory) => (memory.layout = layout));
    this.renew();
  }

  get known() {
    return vocabulary[this.bench.properties.language === "fr" ? "fr" : "en"];
  }

  get all() {
    return lessons(this.layout, this.bench.properties.language);
  }

  /** Shows the layouts and the lessons. */
  renew() {
    const { bench } = this;
    bench.isBusy = false;
    bench.sent = "";
    const choices = all.map((layout) => {
      const chip = element("button", "pt-chip", layout.toUpperCase());
      chip.type = "button";
      chip.setAttribute("aria-pressed", String(layout === this.layout));
      chip.addEventListener("click", () => {
        this.use(layout);
        const next = bench.box.querySelector(".pt-chip[aria-pressed=true]");
        if (next instanceof HTMLElement) next.focus();
      });
      return chip;
    });
    const group = element("div", "pt-pr__layouts", ...choices);
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", bench.say("layout"));
    const best = bench.memory.best[this.layout] ?? {};
    const last = open(this.all.length, best);
    const items = this.all.map((lesson, place) => {
      const at = place + 1;
      const reached = best[at];
      const name = lesson.isWords ? [...new Set(lesson.new)].slice(0, 10).join(" ") + ([...lesson.new].length > 10 ? " …" : "") : bench.say("sentences");
      const detail = reached === undefined ? bench.say(at <= last ? "isOpen" : "isClosed", { percent: this.share(needed) }) : this.share(reached);
      return bench.tile(at > last ? icon("lock", "") : reached >= needed ? icon("check", "") : String(at), bench.say("lesson", { lesson: at }), name + " · " + detail,
        at > last ? null : () => this.start(at));
    });
    const isTouch = matchMedia("(pointer: coarse)").matches && !matchMedia("(any-pointer: fine)").matches;
    const note = isTouch ? [element("p", "pt-pr__note t-muted", bench.say("noKeyboard"))] : [];
    bench.show(element("h2", "pt-hidden", bench.say("lessons")), element("div", "pt-pr__suggest", this.banner()), group, ...note, bench.tiles(items, bench.say("lessons")));
  }

  /** @param {number} percent */
  share(percent) {
    return percent + "\u00A0%";
  }

  /** @param {number} lesson */
  start(lesson) {
    const { bench } = this;
    this.lesson = lesson;
    this.typing = start(passage(this.all[lesson - 1], this.known, Math.random));
    this.spent = 0;
    this.last = 0;
    bench.isBusy = true;
    bench.sent = "";
    this.build();
  }

  build() {
    const { bench } = this;
    const { text } = this.typing;
    const words = text.split(" ");
    const letters = [...text].map((letter) => element("span", "", letter === " " ? "\u00A0" : letter));
    this.letters = letters;
    // A word stays on one line.
    let from = 0;
    const lines = words.map((word, place) => {
      const count = [...word].length + (place < words.length - 1 ? 1 : 0);
      return element("span", "pt-pr__word", ...letters.slice(from, (from += count)));
    });
    const shown = element("p", "pt-pr__passage", ...lines);
    shown.id = "pt-pr-passage";
    shown.setAttribute("aria-hidden", "true");
    const field = bench.field(bench.say("typeHere"), () => {}, () => bench.tell(bench.say("noPaste")));
    field.className = "pt-pr__typed";
    field.removeAttribute("maxlength");
    field.setAttribute("aria-description", text);
    field.addEventListener("input", (event) => this.input(field, /** @type {InputEvent} */ (event)));
    field.addEventListener("compositionend", () => this.take(field, field.value));
    this.picture = element("div", "pt-pr__board");
    this.picture.setAttribute("aria-hidden", "true");
    this.help = element("p", "pt-pr__finger t-muted");
    const board = element("label", "pt-pr__sheet", shown, field);
    bench.show(bench.top(0, text.length, () => this.renew()), element("div", "pt-pr__suggest", this.banner()),
      element("section", "pt-card pt-card--roomy pt-pr__card pt-pr__card--wide", element("h2", "pt-hidden", bench.say("lesson", { lesson: this.lesson })), board, this.help, this.picture));
    this.mark();
    bench.tell(this.nextWord());
  }

  /** The word at the present place. */
  nextWord() {
    const { text, at } = this.typing;
    const before = text.lastIndexOf(" ", at - 1) + 1;
    return text.slice(before).split(" ")[0];
  }

  /** @param {HTMLInputElement} field @param {InputEvent} event */
  input(field, event) {
    // A dead key or an input method has not decided yet.
    if (event.isComposing) return;
    this.take(field, field.value);
  }

  /** @param {HTMLInputElement} field @param {string} text */
  take(field, text) {
    field.value = "";
    if (!text) return;
    const now = performance.now();
    if (this.last) this.spent += Math.min(now - this.last, longestPause);
    this.last = now;
    const before = this.typing;
    this.typing = [...text].length === 1 ? typed(before, text.normalize("NFC")) : typedAll(before, text);
    if (this.typing.at >= this.typing.text.length) return this.end();
    if (this.typing.at > before.at && this.typing.text[this.typing.at - 1] === " ") this.bench.tell(this.nextWord());
    else if (this.typing.at === before.at) this.bench.tell(this.bench.say("press", { key: this.named(this.typing.text[this.typing.at]) }));
    this.mark();
  }

  /** @param {string} character */
  named(character) {
    return character === " " ? this.bench.say("space") : character;
  }

  /** Shows the present place, and the key and the finger for it. */
  mark() {
    const { at, slips, text } = this.typing;
    this.letters?.forEach((letter, place) => {
      const state = place < at ? (slips.includes(place) ? "slip" : "done") : place === at ? (slips.includes(place) ? "wrong" : "now") : "";
      if ((letter.dataset.state ?? "") !== state) letter.dataset.state = state;
    });
    const bar = this.bench.box.querySelector("progress");
    if (bar) bar.value = at;
    const keys = presses(this.layout, text[at]);
    this.picture?.replaceChildren(...this.rows(keys));
    if (!this.help) return;
    const fingers = keys.map((press) => this.bench.say("finger." + finger(press)) + (press.shift ? " " + this.bench.say("withShift") : ""));
    this.help.textContent = this.named(text[at]) + (fingers.length ? " · " + fingers.join(", ") : "");
  }

  /** @param {import("./keys.js").Press[]} keys */
  rows(keys) {
    const rows = layouts[this.layout].map(([plain], row) => element("div", "pt-pr__row", ...[...plain].map((character, column) => {
      const key = element("span", "pt-pr__cap", /\p{L}/u.test(character) ? character.toUpperCase() : character);
      key.dataset.finger = String(finger({ row, column, shift: false }));
      if (keys.some((press) => press.row === row && press.column === column)) key.dataset.next = "";
      // The bumps that the index fingers feel.
      if (row === 2 && (column === 3 || column === 6)) key.dataset.bump = "";
      return key;
    })));
    const shift = element("span", "pt-pr__cap pt-pr__cap--wide", "⇧");
    const space = element("span", "pt-pr__cap pt-pr__cap--space", "");
    if (keys.some((press) => press.shift)) shift.dataset.next = "";
    if (keys.some((press) => press.row === 4)) space.dataset.next = "";
    return [...rows, element("div", "pt-pr__row", shift, space)];
  }

  end() {
    const { bench, typing, layout, lesson } = this;
    const count = typing.text.length;
    const correct = right(typing);
    const share = percent(correct, count);
    const seconds = Math.max(1, Math.round(this.spent / 1000));
    bench.remember((memory) => {
      const best = (memory.best[layout] ??= {});
      best[lesson] = Math.max(best[lesson] ?? 0, share);
    });
    const missed = [...new Set(typing.slips.map((place) => typing.text[place]).filter((one) => one !== " "))];
    const isLast = lesson >= this.all.length;
    const next = share >= needed ? (isLast ? "" : bench.say("opened", { lesson: lesson + 1 })) : bench.say("toOpen", { percent: this.share(needed) });
    const speed = element("p", "t-muted", bench.count("speed", Math.round((count * 60) / seconds)));
    bench.finish({ kind: layout, level: lesson, asked: count, correct, seconds, missed },
      [bench.say("accuracy", { percent: this.share(share) }), speed, ...(missed.length ? [bench.say("slipped", { keys: missed.join(" ") })] : []), ...(next ? [next] : [])],
      () => this.start(lesson), () => this.renew());
    if (share >= needed && !isLast) {
      const go = bench.quiet(bench.say("nextLesson"), () => this.start(lesson + 1), "arrow-right");
      bench.box.querySelector(".pt-pr__acts")?.append(go);
    }
  }
}
