// The gradebook as a sheet of students by items, with keyboard navigation, typing, pasting of columns, and undo.
// Without this script, the pages of the items offer the same.
import { element, icon } from "pinktower/core.js";
import { toast } from "pinktower/feedback.js";
import { refresh, visit } from "pinktower/navigate.js";
import { entries } from "pinktower/outbox.js";
import { filled } from "pinktower/texts.js";
import { conflictBox } from "./conflicts.js";
import { cellOf, scoreContent } from "./cell.js";
import { ChangeQueue, key } from "./changes.js";

/** @typedef {{ id: string, title: string, detail: string, tint: string | null, maximum: string, path: string, isFixed: boolean, isDue: boolean }} Item */
/** @typedef {{ id: string, name: string, path: string }} Student */
/** @typedef {{ text: string, letter: string, color: string, trend: string }} Total */
/**
 * @typedef {object} Properties
 * @property {string} api the path of the course's gradebook in the API
 * @property {string} course
 * @property {string} point the decimal separator
 * @property {Item[]} items
 * @property {Student[]} students
 * @property {(Total | null)[]} totals by student
 * @property {string[]} marks by student; the scores of the items, separated by tabs
 * @property {number[][]} versions by student and item; received as one text for each student
 * @property {number[][]} comments by student; the items with a comment
 * @property {Record<string, string>} words
 */
/** @typedef {{ row: number, column: number }} Place */
/** @typedef {import("./changes.js").Spot} Spot */

/** The rows by which Page Up and Page Down move. */
const page = 10;

/**
 * The selections of students, by their scores and by which items are open.
 * @type {Record<string, (marks: string[], openItems: boolean[]) => boolean>}
 */
const selections = {
  showAll: () => true,
  showOpen: (marks, openItems) => marks.some((mark, column) => mark === "" && openItems[column]),
  showMissing: (marks) => marks.includes("m"),
};

class Gradebook extends HTMLElement {
  static observedAttributes = ["data-properties"];

  /** @type {Properties | null} */
  shown = null;
  /**
   * The elements that can have the focus, by row and column. Row 0 has the items' headers, column 0 the students' names.
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
  /**
   * The ids of the current cell, which may move when the table is drawn again.
   * @type {Spot | null}
   */
  held = null;
  /** @type {HTMLElement | null} */
  clashes = null;
  /** @type {HTMLInputElement | null} */
  input = null;
  /** @type {ChangeQueue | null} */
  queue = null;
  /** The version of the score that was shown when typing began. A later one is another person's. */
  seen = 0;
  /**
   * Typed scores that were refused, with the stored version that the person was shown.
   * @type {Map<string, { text: string, version: number }>}
   */
  refused = new Map();
  end = () => {};

  connectedCallback() {
    const ended = new AbortController();
    this.end = () => ended.abort();
    document.addEventListener("pt-outbox", (event) => {
      const { detail } = /** @type {CustomEvent<import("pinktower/outbox.js").Progress | null>} */ (event);
      if (!detail || detail.state === "pending") return;
      this.queue?.arrived(detail.key, detail.state === "synced" ? detail.result : null);
      void refresh("live");
      if (detail.state === "failed") void this.recover(detail.key);
    }, { signal: ended.signal });
    this.addEventListener("keydown", (event) => this.key(event), { signal: ended.signal });
    this.addEventListener("click", (event) => this.pressed(event), { signal: ended.signal });
    this.addEventListener("dblclick", (event) => cellOf(event) && this.edit(), { signal: ended.signal });
    this.addEventListener("focusin", (event) => this.focused(event), { signal: ended.signal });
    this.addEventListener("paste", (event) => this.paste(event), { signal: ended.signal });
    this.addEventListener("copy", (event) => this.copy(event), { signal: ended.signal });
    this.queue ??= new ChangeQueue({
      properties: () => this.properties,
      answered: (spot, cell) => this.answered(spot, cell),
      refused: (spot, text, version, sentence) => this.refuse(spot, text, version, sentence),
      faults: (sentences) => this.showFaults(sentences),
      clash: (clashes, decided) => this.askAbout(clashes, decided),
      said: (text) => this.say(text),
      waits: (spot) => this.waits(spot),
      stored: (scores) => this.stored(scores),
    });
    this.build();
    void this.recover();
  }

  disconnectedCallback() {
    this.end();
  }

  attributeChangedCallback() {
    if (!this.queue) return;
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

  /**
   * The ids of a cell, whose position changes when a student joins.
   * @param {Place} place @returns {Spot | null}
   */
  spot({ row, column }) {
    const student = this.properties.students[row - 1];
    const item = this.properties.items[column - 1];
    return student && item ? { student: student.id, item: item.id } : null;
  }

  /** @param {Spot} spot @returns {Place | null} its present position; `null` after the student has left */
  placeOf({ student, item }) {
    const row = this.properties.students.findIndex(({ id }) => id === student);
    const column = this.properties.items.findIndex(({ id }) => id === item);
    return row < 0 || column < 0 ? null : { row: row + 1, column: column + 1 };
  }

  /** @param {Place} place */
  isRefused(place) {
    const spot = this.spot(place);
    return Boolean(spot && this.refused.has(key(spot)));
  }

  /**
   * The version of the score that the person has seen.
   * @param {Place} place
   */
  version(place) {
    const spot = this.spot(place);
    return (spot && this.refused.get(key(spot))?.version) ?? this.properties.versions[place.row - 1]?.[place.column - 1] ?? 0;
  }

  /** @param {Properties} properties */
  shape({ items, students, comments }) {
    return JSON.stringify([items, students, comments]);
  }

  // --- Drawing

  build() {
    const { items, students, words, marks } = this.properties;
    const active = this.contains(document.activeElement);
    const typed = this.held && this.input ? { spot: this.held, text: this.input.value, seen: this.seen } : null;
    const chosen = this.held && this.placeOf(this.held);
    if (chosen) this.place = chosen;
    this.input = null;
    this.marks = marks.map((row) => row.split("\t"));
    for (const [row, student] of students.entries()) {
      for (const [column, item] of items.entries()) {
        this.marks[row][column] = this.queue?.text({ student: student.id, item: item.id })?.replace(",", ".") ?? this.marks[row][column];
      }
    }
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
    // An open question stays while the table is drawn again.
    this.clashes ??= element("div", "pt-gb__faults");
    const keys = element("p", "pt-gb__keys", words.keys ?? "");
    keys.id = "pt-gb-keys";
    this.status = element("p", "pt-hidden");
    this.status.setAttribute("role", "status");

    const corner = element("th", "", element("b", "", words.student ?? ""));
    const total = element("th", "pt-gb__total pt-only-wide", element("b", "", words.total ?? ""), words.totalTip ?? "");
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
      const name = element("th", "", link, element("span", "pt-gb__inline pt-only-narrow"));
      name.setAttribute("scope", "row");
      name.dir = "auto";
      const sum = element("td", "pt-gb__total pt-only-wide");
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
    table.setAttribute("aria-describedby", keys.id);
    const box = element("div", "pt-table-box", table);
    this.replaceChildren(this.choices, this.bar, this.faults, this.clashes, box, keys, this.status);
    const { row, column } = this.place;
    this.place = { row: Math.min(row, students.length), column: Math.min(column, items.length) };
    this.hideOthers();
    const cell = this.at(this.place);
    if (cell) cell.tabIndex = 0;
    if (active) this.go(this.place);
    this.held = this.spot(this.place);
    if (typed && this.placeOf(typed.spot)) {
      this.edit(typed.text);
      this.seen = typed.seen;
    }
    this.drawBar();
  }

  /** Updates the scores in the present table without disturbing what is being typed. */
  patch() {
    const { marks } = this.properties;
    marks.forEach((text, index) => {
      const row = text.split("\t");
      row.forEach((mark, column) => {
        const place = { row: index + 1, column: column + 1 };
        const spot = this.spot(place);
        if (spot && this.queue?.isWaiting(spot)) return;
        const isSettled = !this.isRefused(place) && !this.at(place)?.hasAttribute("data-waits");
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
    const spot = this.spot(place);
    const refused = spot && this.refused.get(key(spot));
    const text = refused?.text ?? this.mark(place);
    cell.replaceChildren(...scoreContent(text, words, point));
    if (comments[place.row - 1]?.includes(place.column - 1)) {
      cell.append(element("i", "pt-gb__note"), element("span", "pt-hidden", words.commented ?? ""));
    }
    if (refused) cell.setAttribute("aria-invalid", "true");
    else cell.removeAttribute("aria-invalid");
    cell.toggleAttribute("data-waits", Boolean(spot && this.queue?.isQueued(spot)));
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

  /** Which items are open: their due day has come, or a student has a score. */
  get openItems() {
    return this.properties.items.map(({ isDue }, column) => isDue || this.marks.some((row) => row[column] !== ""));
  }

  /** Draws the selections of students with their counts. */
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
   * Selects students. Their rows stay while the person works, even if their scores change.
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

  /** The header row and the rows of the shown students. */
  shownRows() {
    return this.cells.map((_, row) => row).filter((row) => !row || !this.rows[row - 1].hidden);
  }

  /**
   * The row that is some shown rows away.
   * @param {number} row @param {number} steps @param {number} [least] 0 to include the header row
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
        button.toggleAttribute("disabled", isUndo ? !this.queue?.canUndo : !isOpen);
      }
      return;
    }
    for (const name of ["late", "excused", "missing", "comment", "undo"]) {
      const made = element("button", "pt-chip", ...(name === "undo" ? [icon("retry", "pt-icon--small")] : []), words[name] ?? "");
      made.type = "button";
      made.dataset.act = name;
      made.disabled = name === "undo" ? !this.queue?.canUndo : !isOpen;
      // Pressing the button leaves the focus in the table.
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

  /**
   * Asks which of two values counts for scores that another person has changed meanwhile.
   * @param {import("./changes.js").Clash[]} clashes @param {(isMine: (spot: Spot) => boolean) => void} decided
   */
  askAbout(clashes, decided) {
    const { students, items, words, point } = this.properties;
    const box = conflictBox(clashes, ({ student, item }) => {
      const name = students.find(({ id }) => id === student)?.name ?? "";
      return `${name}, ${items.find(({ id }) => id === item)?.title ?? ""}`;
    }, (text) => scoreContent(text, words, point), words, (isMine) => {
      for (const clash of clashes) {
        this.refused.delete(key(clash));
        const place = isMine(clash) ? this.placeOf(clash) : null;
        if (place) this.marks[place.row - 1][place.column - 1] = clash.yours.replace(",", ".");
        this.redraw(clash);
      }
      decided(isMine);
      const place = this.placeOf(clashes[0]);
      if (place) this.go(place);
    });
    for (const clash of clashes) box.toggleAttribute(attribute(clash), true);
    this.clashes?.append(box);
    this.say(`${words.clash ?? ""}: ${clashes.map(({ student }) => students.find(({ id }) => id === student)?.name ?? "").join(", ")}`);
    box.scrollIntoView({ block: "nearest" });
  }

  /**
   * Asks about commands that the outbox could not send because scores have changed.
   * @param {string} [token] the command; all of them by default
   */
  async recover(token) {
    if (!token && localStorage.getItem("pt-outbox") === null) return;
    for (const entry of await entries()) {
      if (entry.state === "failed" && (!token || entry.key === token)) await this.queue?.recover(entry);
    }
  }

  /**
   * Shows the new score of a pasted cell while it is being sent, and the former one after a refusal.
   * @param {Spot} spot
   */
  waits(spot) {
    const place = this.placeOf(spot);
    if (!place) return;
    const [row, column] = [place.row - 1, place.column - 1];
    this.marks[row][column] = this.queue?.text(spot)?.replace(",", ".") ?? this.properties.marks[row].split("\t")[column];
    this.redraw(spot);
  }

  /** @param {Spot} spot */
  redraw(spot) {
    const place = this.placeOf(spot);
    if (place && !(this.input && same(place, this.place))) this.draw(place);
  }

  /** @param {string} text */
  say(text) {
    if (this.status) this.status.textContent = text;
  }

  // --- Navigation

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
    this.held = this.spot(this.place);
    target.tabIndex = 0;
    this.drawBar();
  }

  /**
   * The cell before or after a cell, through all rows; `null` at the ends of the sheet.
   * @param {Place} place @param {1 | -1} step @returns {Place | null}
   */
  neighbor({ row, column }, step) {
    const lastColumn = this.cells[0].length - 1;
    const wanted = column + step;
    if (wanted >= 1 && wanted <= lastColumn) return { row, column: wanted };
    const rows = this.shownRows();
    const next = rows[rows.indexOf(row) + step];
    return next === undefined || next < 0 ? null : { row: next, column: step > 0 ? 1 : lastColumn };
  }

  /** Moves the focus to the next element after the sheet, or to its buttons if there is none. */
  leave() {
    const all = [...document.querySelectorAll("a[href], button:not(:disabled), summary, input, select, textarea")];
    const next = all.find((one) => this.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING && !this.contains(one) && one.getClientRects().length);
    const target = next ?? this.querySelector(".pt-chip:not(:disabled)");
    if (target instanceof HTMLElement) target.focus();
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
    if (event.key === "Tab" && !isCommand && !event.altKey) {
      const next = this.neighbor(this.place, event.shiftKey ? -1 : 1);
      if (!next) return;
      event.preventDefault();
      return this.go(next);
    }
    if (event.key === "Escape" && !this.isRefused(this.place)) {
      event.preventDefault();
      return this.leave();
    }
    if (!row || !column || isCommand || event.altKey) return;
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      this.edit();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.enter("");
    } else if (event.key === "Escape") {
      this.giveUp(this.place);
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
    // There is no double click on a touch screen, so the first tap starts typing.
    if (matchMedia("(pointer: coarse)").matches) this.edit();
  }

  /** @param {string} name */
  act(name) {
    const item = this.properties.items[this.place.column - 1];
    const student = this.properties.students[this.place.row - 1];
    if (name === "undo") return this.undo();
    if (!item || !student) return;
    if (name === "late") this.toLate();
    else if (name === "excused") this.enter("ex");
    else if (name === "missing") this.enter("m");
    else if (name === "comment") void visit(`${item.path}/${student.id}`);
  }

  /**
   * Discards a refused score and shows the stored one again.
   * @param {Place} place
   */
  giveUp(place) {
    const spot = this.spot(place);
    if (!spot) return;
    this.refused.delete(key(spot));
    const boxes = this.clashes?.querySelectorAll(`[${attribute(spot)}]`) ?? [];
    for (const box of boxes) if (box.querySelectorAll("fieldset").length === 1) box.remove();
    this.draw(place);
  }

  // --- Typing

  /** @param {string} [first] the first typed character; the stored score by default */
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
    const spot = this.spot(this.place);
    input.value = first ?? (spot && this.refused.get(key(spot))?.text) ?? this.mark(this.place).replace(".", this.properties.point);
    this.seen = this.version(this.place);
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
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
      this.giveUp(this.place);
      return this.go(this.place);
    }
    /** @type {Place | null} */
    let next = null;
    if (event.key === "Enter") next = { row: this.beside(row, event.shiftKey ? -1 : 1), column };
    else if (event.key === "ArrowDown") next = { row: this.beside(row, 1), column };
    else if (event.key === "ArrowUp") next = { row: this.beside(row, -1), column };
    else if (event.key === "Tab") next = this.neighbor(this.place, event.shiftKey ? -1 : 1) ?? this.place;
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
    // A field that was left unchanged sends nothing.
    if (text.replace(",", ".") === this.mark(place) && !this.isRefused(place)) return this.draw(place);
    this.enter(text, place, this.seen);
  }

  /** @param {string} text @param {Place} [place] @param {number} [seen] the version of the score that was seen */
  enter(text, place = this.place, seen = this.input ? this.seen : this.version(place)) {
    const wasTyping = Boolean(this.input);
    if (wasTyping) this.close();
    const spot = this.spot(place);
    if (!spot) return;
    if (!place.row || !place.column || this.properties.items[place.column - 1]?.isFixed) return;
    const before = this.mark(place);
    this.giveUp(place);
    this.marks[place.row - 1][place.column - 1] = text.replace(",", ".");
    this.queue?.set({ ...spot, text, seen }, before);
    this.draw(place);
    this.drawBar();
    if (wasTyping) this.go(place);
  }

  toLate() {
    const text = (this.input ? this.input.value : this.mark(this.place)).trim();
    if (!/\d/.test(text)) return toast(this.words.lateNeedsMark ?? "");
    this.enter(text.endsWith("l") ? text.slice(0, -1).trim() : text + " l");
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
    if (!lines.includes("\n")) return this.enter(lines.trim());
    if (this.selection !== "showAll") return toast(this.words.pasteNeedsAll ?? "", "failure");
    const { students } = this.properties;
    const texts = lines.split("\n");
    const beyond = students.length - row + 1;
    while (texts.length > beyond && !texts[texts.length - 1].trim()) texts.pop();
    if (texts.length > beyond) return this.showFaults([filled(this.words.pasteTooLong ?? "", { lines: String(texts.length), students: String(beyond) })]);
    const changes = texts.map((line, index) => ({ student: students[row - 1 + index].id, item: item.id, text: line.trim(), seen: this.version({ row: row + index, column }) }));
    const before = texts.map((_, index) => this.mark({ row: row + index, column }));
    this.go(this.place);
    this.queue?.paste(changes, before);
  }

  /** @param {ClipboardEvent} event */
  copy(event) {
    if (this.input || !this.place.row || !this.place.column || String(getSelection() ?? "")) return;
    event.clipboardData?.setData("text/plain", this.mark(this.place));
    event.preventDefault();
  }

  undo() {
    const undone = this.queue?.undo((spot) => {
      const place = this.placeOf(spot);
      return place && { text: this.mark(place), version: this.version(place) };
    }) ?? [];
    const places = undone.flatMap((change) => this.placeOf(change) ?? []);
    if (places.length === 1) {
      this.marks[places[0].row - 1][places[0].column - 1] = undone[0].text;
      this.giveUp(places[0]);
    }
    if (places.length) this.go(places[0]);
    this.drawBar();
  }

  // --- Answers of the server

  /**
   * Shows scores that the server has stored. A score of which a further change waits keeps its text.
   * @param {(Spot & { text: string, version: number })[]} scores
   */
  stored(scores) {
    for (const score of scores) {
      const place = this.placeOf(score);
      if (!place) continue;
      const [row, column] = [place.row - 1, place.column - 1];
      this.properties.versions[row][column] = score.version;
      if (!this.queue?.isWaiting(score)) this.marks[row][column] = score.text;
      this.redraw(score);
    }
    this.drawBar();
  }

  /** @param {Spot} spot @param {import("./changes.js").Cell} cell */
  answered(spot, cell) {
    const place = this.placeOf(spot);
    if (!place) return;
    const { totals, words, students, items } = this.properties;
    const [row, column] = [place.row - 1, place.column - 1];
    this.stored([{ ...spot, text: cell.text, version: cell.version }]);
    totals[row] = cell.shown && cell.letter
      ? { text: cell.shown.replace(".", this.properties.point), letter: cell.letter, color: cell.color ?? "", trend: cell.trend ?? "" } : null;
    this.drawTotal(row);
    const total = totals[row];
    this.say(filled(words.saved ?? "", { student: students[row].name, item: items[column].title, total: total ? `${total.text} %, ${total.letter}` : "–" }));
  }

  /** @param {Spot} spot @param {string} text @param {number} version @param {string} sentence */
  refuse(spot, text, version, sentence) {
    const place = this.placeOf(spot);
    if (!place) return;
    const { students, items, marks } = this.properties;
    this.marks[place.row - 1][place.column - 1] = marks[place.row - 1].split("\t")[place.column - 1];
    this.refused.set(key(spot), { text, version });
    this.redraw(spot);
    toast(`${students[place.row - 1].name}, ${items[place.column - 1].title}: ${sentence}`, "failure");
    this.drawBar();
  }
}

/**
 * The attribute that connects a question to its cell.
 * @param {Spot} spot
 */
const attribute = ({ student, item }) => `data-of-${student}-${item}`;
/** @param {Place} one @param {Place} other */
const same = (one, other) => one.row === other.row && one.column === other.column;

if (!customElements.get("pt-gradebook")) customElements.define("pt-gradebook", Gradebook);
