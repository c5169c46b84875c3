// The gradebook as a sheet: students by items, arrows, typing, a column pasted whole, undo. Without it, each item's page
// does the same.
import { element, icon } from "pinktower/core.js";
import { toast } from "pinktower/feedback.js";
import { refresh, visit } from "pinktower/navigate.js";
import { cellOf, face } from "./face.js";
import { Desk } from "./desk.js";

/** @typedef {{ id: string, title: string, detail: string, tint: string | null, maximum: string, path: string, isFixed: boolean, isDue: boolean }} Item */
/** @typedef {{ id: string, name: string, path: string }} Student */
/** @typedef {{ text: string, letter: string, color: string, trend: string }} Total */
/**
 * @typedef {object} Properties
 * @property {string} api path of the course's gradebook among the commands
 * @property {string} course
 * @property {string} point what stands between units and tenths
 * @property {Item[]} items
 * @property {Student[]} students
 * @property {(Total | null)[]} totals by student
 * @property {string[]} marks by student, an item after the other with tabs between
 * @property {number[][]} versions by student and item; handed over as a text for each student
 * @property {number[][]} comments the items with a comment, by student
 * @property {Record<string, string>} words
 */
/** @typedef {{ row: number, column: number }} Place */

/** Rows that Page Up and Page Down pass. */
const page = 10;

/**
 * Which students can be shown, by their marks and by which items are being marked.
 * @type {Record<string, (marks: string[], openItems: boolean[]) => boolean>}
 */
const selections = {
  showAll: () => true,
  showOpen: (marks, openItems) => marks.some((mark, column) => mark === "" && openItems[column]),
  showMissing: (marks) => marks.includes("m"),
};

/** @param {string} text @param {Record<string, string>} values */
const filled = (text, values) => Object.entries(values).reduce((all, [name, value]) => all.replace(`{${name}}`, value), text);

class Gradebook extends HTMLElement {
  static observedAttributes = ["data-properties"];

  /** @type {Properties | null} */
  shown = null;
  /**
   * What can have the focus, by row and column: row 0 are the items' heads, column 0 the students' names.
   * @type {(HTMLElement | null)[][]}
   */
  cells = [];
  /** @type {HTMLElement[]} */
  totals = [];
  /** @type {HTMLTableRowElement[]} */
  rows = [];
  selection = "showAll";
  /** @type {string[][]} */
  marks = [];
  /** @type {Place} */
  place = { row: 1, column: 1 };
  /** @type {HTMLInputElement | null} */
  input = null;
  /** @type {Desk | null} */
  desk = null;
  /**
   * What was typed and refused stays where it was typed.
   * @type {Map<string, string>}
   */
  refused = new Map();
  end = () => {};

  connectedCallback() {
    const ended = new AbortController();
    this.end = () => ended.abort();
    document.addEventListener("pt-outbox", (event) => {
      const { detail } = /** @type {CustomEvent<import("pinktower/outbox.js").News | null>} */ (event);
      if (!detail || detail.state === "pending") return;
      this.desk?.arrived(detail.command);
      void refresh("live");
    }, { signal: ended.signal });
    this.addEventListener("keydown", (event) => this.key(event), { signal: ended.signal });
    this.addEventListener("click", (event) => this.pressed(event), { signal: ended.signal });
    this.addEventListener("dblclick", (event) => cellOf(event) && this.edit(), { signal: ended.signal });
    this.addEventListener("focusin", (event) => this.focused(event), { signal: ended.signal });
    this.addEventListener("paste", (event) => this.paste(event), { signal: ended.signal });
    this.addEventListener("copy", (event) => this.copy(event), { signal: ended.signal });
    this.desk ??= new Desk({
      properties: () => this.properties,
      answered: (place, cell) => this.answered(place, cell),
      refused: (place, text, sentence) => this.refuse(place, text, sentence),
      faults: (sentences) => this.showFaults(sentences),
      said: (text) => this.say(text),
      waits: (place) => this.draw(place),
    });
    this.build();
  }

  disconnectedCallback() {
    this.end();
  }

  attributeChangedCallback() {
    if (!this.desk) return;
    const before = this.shown;
    this.shown = null;
    const same = before && this.shape(before) === this.shape(this.properties);
    if (same) this.patch();
    else this.build();
  }

  /** @returns {Properties} */
  get properties() {
    if (!this.shown) {
      const handed = JSON.parse(this.dataset.properties ?? "{}");
      this.shown = {
        ...handed,
        versions: handed.versions.map((/** @type {string} */ row) => row.split(" ").map(Number)),
      };
    }
    return /** @type {Properties} */ (this.shown);
  }

  get words() {
    return this.properties.words;
  }

  /** @param {Properties} properties */
  shape({ items, students, comments }) {
    return JSON.stringify([items, students, comments]);
  }

  // --- Drawing

  build() {
    const { items, students, words, marks } = this.properties;
    const active = this.contains(document.activeElement);
    this.marks = marks.map((row) => row.split("\t"));
    this.choices = element("div", "pt-chips");
    this.choices.setAttribute("role", "group");
    this.choices.setAttribute("aria-label", words.show ?? "");
    this.bar = element("div", "pt-gb__bar");
    this.bar.setAttribute("role", "toolbar");
    this.bar.setAttribute("aria-label", words.bar ?? "");
    this.where = element("p", "pt-gb__where");
    this.acts = element("div", "pt-gb__acts");
    this.bar.append(this.where, this.acts);
    this.faults = element("div", "pt-gb__faults");
    this.status = element("p", "pt-hidden");
    this.status.setAttribute("role", "status");

    const corner = element("th", "", element("b", "", words.student ?? ""));
    const total = element("th", "pt-gb__total", element("b", "", words.total ?? ""), words.totalTip ?? "");
    const head = element("tr", "", corner, total);
    this.cells = [[null]];
    this.totals = [];
    this.rows = [];
    for (const item of items) {
      const link = element("a", "pt-gb__head", element("b", "", item.title), element("span", "pt-gb__detail", element("i", `pt-swatch pt-swatch--${item.tint ?? "sand"}`), item.detail));
      link.href = item.path;
      link.tabIndex = -1;
      head.append(element("th", "num", link));
      this.cells[0].push(link);
    }
    for (const cell of head.children) cell.setAttribute("scope", "col");
    const body = element("tbody", "");
    students.forEach((student, index) => {
      const link = element("a", "pt-table__link", student.name);
      link.href = student.path;
      link.tabIndex = -1;
      const name = element("th", "", link, element("span", "pt-gb__inline"));
      name.setAttribute("scope", "row");
      name.dir = "auto";
      const sum = element("td", "pt-gb__total");
      this.totals.push(sum);
      const row = element("tr", "", name, sum);
      /** @type {(HTMLElement | null)[]} */
      const cells = [link];
      items.forEach((_, column) => {
        const cell = element("td", "num");
        cell.tabIndex = -1;
        cells.push(cell);
        row.append(cell);
        this.draw({ row: index + 1, column: column + 1 }, cell);
      });
      this.cells.push(cells);
      this.rows.push(row);
      body.append(row);
      this.drawTotal(index);
    });
    const table = element("table", "pt-table pt-gb__table", element("thead", "", head), body);
    table.setAttribute("role", "grid");
    table.setAttribute("aria-label", words.label ?? "");
    const box = element("div", "pt-table-box", table);
    this.replaceChildren(this.choices, this.bar, this.faults, box, this.status);
    const { row, column } = this.place;
    this.place = { row: Math.min(row, students.length), column: Math.min(column, items.length) };
    this.hideOthers();
    const cell = this.at(this.place);
    if (cell) cell.tabIndex = 0;
    if (active) this.go(this.place);
    this.drawBar();
  }

  /** New marks into the same table; what is being typed stays. */
  patch() {
    const { marks } = this.properties;
    marks.forEach((text, index) => {
      const row = text.split("\t");
      row.forEach((mark, column) => {
        const place = { row: index + 1, column: column + 1 };
        if (this.desk?.isWaiting(place)) return;
        const isSettled = !this.refused.has(key(place)) && !this.at(place)?.hasAttribute("data-waits");
        if (this.marks[index][column] === mark && isSettled) return;
        this.marks[index][column] = mark;
        if (!(this.input && same(place, this.place))) this.draw(place);
      });
      this.drawTotal(index);
    });
    this.drawBar();
  }

  /** @param {Place} place */
  at({ row, column }) {
    return this.cells[row]?.[column] ?? null;
  }

  /** @param {Place} place @param {HTMLElement | null} [cell] */
  draw(place, cell = this.at(place)) {
    if (!cell || !place.row || !place.column) return;
    const { words, point, comments } = this.properties;
    const text = this.refused.get(key(place)) ?? this.mark(place);
    cell.replaceChildren(...face(text, words, point));
    if (comments[place.row - 1]?.includes(place.column - 1)) {
      cell.append(element("i", "pt-gb__note"), element("span", "pt-hidden", words.commented ?? ""));
    }
    if (this.refused.has(key(place))) cell.setAttribute("aria-invalid", "true");
    else cell.removeAttribute("aria-invalid");
    cell.toggleAttribute("data-waits", this.desk?.isQueued(place) ?? false);
    if (this.properties.items[place.column - 1]?.isFixed) cell.setAttribute("aria-readonly", "true");
  }

  /** @param {number} index */
  drawTotal(index) {
    const { totals, words } = this.properties;
    const total = totals[index];
    const name = this.cells[index + 1]?.[0]?.nextElementSibling;
    if (!total) {
      this.totals[index].replaceChildren(element("span", "pt-gb__none", "–"));
      name?.replaceChildren();
      return;
    }
    const letter = element("span", "pt-gb__letter", total.letter);
    letter.dataset.color = total.color;
    const shown = [element("b", "", total.text), letter];
    if (total.trend) {
      const arrow = { rising: "↗", falling: "↘", steady: "→" }[total.trend] ?? "";
      const sign = element("span", "pt-gb__trend", arrow);
      sign.dataset.trend = total.trend;
      sign.setAttribute("aria-hidden", "true");
      shown.push(sign, element("span", "pt-hidden", words[total.trend] ?? ""));
    }
    this.totals[index].replaceChildren(...shown);
    name?.replaceChildren(element("b", "", total.text), " " + total.letter);
  }

  /** Which items are being marked: their day has come, or somebody has a mark in them. */
  get openItems() {
    return this.properties.items.map(({ isDue }, column) => isDue || this.marks.some((row) => row[column] !== ""));
  }

  /** Whom one may choose to see, and how many they are. */
  drawChoices() {
    const { words, openItems } = this;
    for (const [name, belongs] of Object.entries(selections)) {
      let chip = this.choices?.querySelector(`[data-show="${name}"]`);
      if (!chip) {
        const made = element("button", "pt-chip");
        made.type = "button";
        made.dataset.show = name;
        this.choices?.append(made);
        chip = made;
      }
      const count = this.marks.filter((row) => belongs(row, openItems)).length;
      const isChosen = name === this.selection;
      chip.replaceChildren(...(isChosen ? [icon("check", "pt-icon--tiny")] : []), filled(words[name] ?? "", { count: String(count) }));
      chip.setAttribute("aria-pressed", String(isChosen));
      chip.toggleAttribute("disabled", !count && !isChosen);
    }
  }

  /**
   * Rows stay while one works in them, whatever becomes of their marks.
   * @param {string} name
   */
  show(name) {
    this.selection = name;
    this.hideOthers();
    this.drawBar();
  }

  hideOthers() {
    const { openItems } = this;
    this.rows.forEach((row, index) => {
      row.hidden = !selections[this.selection]?.(this.marks[index], openItems);
    });
    const former = this.at(this.place);
    const first = this.shownRows()[1];
    if (!first || !this.rows[this.place.row - 1]?.hidden) return;
    if (former) former.tabIndex = -1;
    this.place = { row: first, column: this.place.column };
    const next = this.at(this.place);
    if (next) next.tabIndex = 0;
  }

  /** The heads' row and those of the students who are shown. */
  shownRows() {
    return this.cells.map((_, row) => row).filter((row) => !row || !this.rows[row - 1].hidden);
  }

  /**
   * The row that stands some rows on, among those that are shown.
   * @param {number} row @param {number} steps @param {number} [least] 0 where the heads' row counts
   */
  beside(row, steps, least = 1) {
    const shown = this.shownRows();
    return shown[Math.max(Math.min(least, shown.length - 1), Math.min(shown.length - 1, shown.indexOf(row) + steps))] ?? 0;
  }

  drawBar() {
    this.drawChoices();
    const { items, students, words } = this.properties;
    const { row, column } = this.place;
    const item = items[column - 1];
    const student = students[row - 1];
    if (!this.where || !this.acts) return;
    this.where.replaceChildren(...(item && student
      ? [element("b", "", student.name), element("span", "", item.title), element("span", "pt-gb__of", filled(words.outOf ?? "", { maximum: item.maximum }))]
      : [words.tip ?? ""]));
    const isOpen = Boolean(item && student && !item.isFixed);
    if (this.acts.children.length) {
      for (const button of this.acts.children) {
        const isUndo = button.getAttribute("data-act") === "undo";
        button.toggleAttribute("disabled", isUndo ? !this.desk?.canUndo : !isOpen);
      }
      return;
    }
    for (const name of ["late", "excused", "missing", "comment", "undo"]) {
      const made = element("button", "pt-chip", ...(name === "undo" ? [icon("retry", "pt-icon--small")] : []), words[name] ?? "");
      made.type = "button";
      made.dataset.act = name;
      made.disabled = name === "undo" ? !this.desk?.canUndo : !isOpen;
      // The place in the table is not left for it.
      made.addEventListener("pointerdown", (event) => event.preventDefault());
      this.acts.append(made);
    }
  }

  /** @param {string[]} sentences */
  showFaults(sentences) {
    if (!this.faults) return;
    if (!sentences.length) return this.faults.replaceChildren();
    const close = element("button", "pt-icon-button", icon("x", "pt-icon--small"));
    close.type = "button";
    close.setAttribute("aria-label", this.words.close ?? "");
    close.addEventListener("click", () => {
      this.showFaults([]);
      this.go(this.place);
    });
    const list = element("ul", "", ...sentences.map((sentence) => element("li", "", sentence)));
    const box = element("div", "pt-gb__faultbox", element("div", "", element("b", "", this.words.notPasted ?? ""), list), close);
    box.setAttribute("role", "alert");
    this.faults.replaceChildren(box);
  }

  /** @param {string} text */
  say(text) {
    if (this.status) this.status.textContent = text;
  }

  // --- Where one is

  /** @param {Place} place */
  mark({ row, column }) {
    return this.marks[row - 1]?.[column - 1] ?? "";
  }

  /** @param {Place} place */
  go(place) {
    if (this.rows[place.row - 1]?.hidden) this.show("showAll");
    const next = this.at(place);
    if (!next) return;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const target = event.target;
    if (!(target instanceof HTMLElement) || target === this.input) return;
    const row = this.cells.findIndex((cells) => cells.includes(target));
    if (row < 0) return;
    const former = this.at(this.place);
    if (former) former.tabIndex = -1;
    this.place = { row, column: this.cells[row].indexOf(target) };
    target.tabIndex = 0;
    this.drawBar();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.input) return this.typing(event);
    const target = event.target;
    if (!(target instanceof HTMLElement) || this.at(this.place) !== target) return;
    const { row, column } = this.place;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === "z") {
      event.preventDefault();
      return this.undo();
    }
    const lastColumn = this.cells[0].length - 1;
    /** @type {Record<string, Place>} */
    const steps = {
      ArrowLeft: { row, column: column - 1 }, ArrowRight: { row, column: column + 1 },
      ArrowUp: { row: this.beside(row, -1, 0), column }, ArrowDown: { row: this.beside(row, 1), column },
      Home: isCommand ? { row: this.beside(row, -Infinity), column: 1 } : { row, column: 1 },
      End: isCommand ? { row: this.beside(row, Infinity), column: lastColumn } : { row, column: lastColumn },
      PageUp: { row: this.beside(row, -page), column }, PageDown: { row: this.beside(row, page), column },
    };
    const step = steps[event.key];
    if (step && !event.altKey && (!isCommand || event.key === "Home" || event.key === "End")) {
      event.preventDefault();
      return this.go(step);
    }
    if (!row || !column || isCommand || event.altKey) return;
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      this.edit();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.keep("");
    } else if (event.key === "Escape" && this.refused.delete(key(this.place))) {
      this.draw(this.place);
    } else if (event.key.length === 1 && event.key !== " ") {
      event.preventDefault();
      this.edit(event.key);
    }
  }

  /** @param {MouseEvent} event */
  pressed(event) {
    const button = event.target instanceof Element ? event.target.closest("[data-act], [data-show]") : null;
    if (button instanceof HTMLButtonElement) {
      return button.dataset.show ? this.show(button.dataset.show) : this.act(button.dataset.act ?? "");
    }
    const cell = cellOf(event);
    if (!cell || cell.contains(this.input)) return;
    cell.focus({ preventScroll: true });
    // A finger has no second click: the first one types.
    if (matchMedia("(pointer: coarse)").matches) this.edit();
  }

  /** @param {string} name */
  act(name) {
    const item = this.properties.items[this.place.column - 1];
    const student = this.properties.students[this.place.row - 1];
    if (name === "undo") return this.undo();
    if (!item || !student) return;
    if (name === "late") this.toLate();
    else if (name === "excused") this.keep("ex");
    else if (name === "missing") this.keep("m");
    else if (name === "comment") void visit(`${item.path}/${student.id}`);
  }

  // --- Typing

  /** @param {string} [first] what was typed into the cell; its mark otherwise */
  edit(first) {
    const { row, column } = this.place;
    const item = this.properties.items[column - 1];
    const cell = this.at(this.place);
    if (!row || !item || !cell || this.input) return;
    if (item.isFixed) {
      toast(this.words.fixed ?? "");
      return;
    }
    const input = element("input", "pt-gb__input");
    input.inputMode = "decimal";
    input.autocomplete = "off";
    input.maxLength = 20;
    input.value = first ?? this.refused.get(key(this.place)) ?? this.mark(this.place).replace(".", this.properties.point);
    input.setAttribute("aria-label", `${this.properties.students[row - 1].name}, ${item.title}`);
    this.input = input;
    cell.replaceChildren(input);
    input.focus();
    if (first === undefined) input.select();
    input.addEventListener("blur", () => this.input === input && this.commit());
  }

  /** @param {KeyboardEvent} event */
  typing(event) {
    const { row, column } = this.place;
    const lastColumn = this.cells[0].length - 1;
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
      this.refused.delete(key(this.place));
      this.draw(this.place);
      return this.go(this.place);
    }
    /** @type {Place | null} */
    let next = null;
    if (event.key === "Enter") next = { row: this.beside(row, event.shiftKey ? -1 : 1), column };
    else if (event.key === "ArrowDown") next = { row: this.beside(row, 1), column };
    else if (event.key === "ArrowUp") next = { row: this.beside(row, -1), column };
    else if (event.key === "Tab") {
      const wanted = column + (event.shiftKey ? -1 : 1);
      const [above, below] = [this.beside(row, -1), this.beside(row, 1)];
      next = wanted > lastColumn
        ? { row: below, column: below === row ? column : 1 }
        : wanted < 1 ? { row: above, column: above === row ? 1 : lastColumn } : { row, column: wanted };
    }
    if (!next) return;
    event.preventDefault();
    this.commit();
    this.go(next);
  }

  close() {
    const input = this.input;
    this.input = null;
    return input?.value.trim() ?? "";
  }

  commit() {
    if (!this.input) return;
    const place = this.place;
    const text = this.close();
    // A field that was opened and left says nothing.
    if (text.replace(",", ".") === this.mark(place) && !this.refused.has(key(place))) return this.draw(place);
    this.keep(text, place);
  }

  /** @param {string} text @param {Place} [place] */
  keep(text, place = this.place) {
    const wasTyping = Boolean(this.input);
    if (wasTyping) this.close();
    if (!place.row || !place.column || this.properties.items[place.column - 1]?.isFixed) return;
    const before = this.mark(place);
    this.refused.delete(key(place));
    this.marks[place.row - 1][place.column - 1] = text.replace(",", ".");
    this.desk?.set(place, text, before);
    this.draw(place);
    this.drawBar();
    if (wasTyping) this.go(place);
  }

  toLate() {
    const text = (this.input ? this.input.value : this.mark(this.place)).trim();
    if (!/\d/.test(text)) return toast(this.words.lateNeedsMark ?? "");
    this.keep(text.endsWith("l") ? text.slice(0, -1).trim() : text + " l");
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const lines = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
    const { row, column } = this.place;
    if (!row || !column || (this.input && !lines.includes("\n"))) return;
    const item = this.properties.items[column - 1];
    event.preventDefault();
    this.close();
    this.draw(this.place);
    if (item.isFixed) return toast(this.words.fixed ?? "");
    if (lines.includes("\t")) return toast(this.words.oneColumn ?? "", "failure");
    if (!lines.includes("\n")) return this.keep(lines.trim());
    if (this.selection !== "showAll") return toast(this.words.pasteNeedsAll ?? "", "failure");
    const count = lines.split("\n").length;
    const before = this.marks.slice(row - 1, row - 1 + count).map((marks) => marks[column - 1]);
    this.go(this.place);
    this.desk?.paste(this.place, lines, before);
  }

  /** @param {ClipboardEvent} event */
  copy(event) {
    if (this.input || !this.place.row || !this.place.column || String(getSelection() ?? "")) return;
    event.clipboardData?.setData("text/plain", this.mark(this.place));
    event.preventDefault();
  }

  undo() {
    const undone = this.desk?.undo();
    if (!undone) return;
    if (undone.texts.length === 1) {
      this.marks[undone.place.row - 1][undone.place.column - 1] = undone.texts[0];
      this.refused.delete(key(undone.place));
      this.draw(undone.place);
    }
    this.go(undone.place);
    this.drawBar();
  }

  // --- What the server says

  /** @param {Place} place @param {import("./desk.js").Cell} cell */
  answered(place, cell) {
    const { versions, totals, words, students, items } = this.properties;
    const [row, column] = [place.row - 1, place.column - 1];
    versions[row][column] = cell.version;
    if (!this.desk?.isWaiting(place)) this.marks[row][column] = cell.text;
    totals[row] = cell.shown && cell.letter
      ? { text: cell.shown.replace(".", this.properties.point), letter: cell.letter, color: cell.color ?? "", trend: cell.trend ?? "" } : null;
    this.drawTotal(row);
    if (!(this.input && same(place, this.place))) this.draw(place);
    this.drawBar();
    const total = totals[row];
    this.say(filled(words.saved ?? "", { student: students[row].name, item: items[column].title, total: total ? `${total.text} %, ${total.letter}` : "–" }));
  }

  /** @param {Place} place @param {string} text @param {string} sentence */
  refuse(place, text, sentence) {
    const { students, items, marks } = this.properties;
    this.marks[place.row - 1][place.column - 1] = marks[place.row - 1].split("\t")[place.column - 1];
    this.refused.set(key(place), text);
    if (!(this.input && same(place, this.place))) this.draw(place);
    toast(`${students[place.row - 1].name}, ${items[place.column - 1].title}: ${sentence}`, "failure");
    this.drawBar();
  }
}

/** @param {Place} place */
const key = ({ row, column }) => row + " " + column;
/** @param {Place} one @param {Place} other */
const same = (one, other) => one.row === other.row && one.column === other.column;

if (!customElements.get("pt-gradebook")) customElements.define("pt-gradebook", Gradebook);
