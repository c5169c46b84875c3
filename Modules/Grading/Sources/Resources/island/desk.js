// What goes to the server, one change after the other, and what can be undone of it.
import { newKey, problem, word } from "pinktower/core.js";
import { toast } from "pinktower/feedback.js";
import { refresh } from "pinktower/navigate.js";
import { queue } from "pinktower/outbox.js";

/** @typedef {import("./gradebook.js").Place} Place */
/** @typedef {{ text: string, version: number, shown?: string, letter?: string, color?: string, trend?: string }} Cell */
/** @typedef {{ place: Place, texts: string[] }} Undo what stood there, from a cell downwards */
/**
 * @typedef {object} Sheet
 * @property {() => import("./gradebook.js").Properties} properties
 * @property {(place: Place, cell: Cell) => void} answered
 * @property {(place: Place, text: string, sentence: string) => void} refused
 * @property {(sentences: string[]) => void} faults
 * @property {(text: string) => void} said
 * @property {(place: Place) => void} waits
 */

/** How many steps back are kept. */
const depth = 100;

export class Desk {
  /** @type {Promise<void>} */
  line = Promise.resolve();
  /** @type {Undo[]} */
  undos = [];
  /**
   * How many changes of a cell are on their way.
   * @type {Map<string, number>}
   */
  waiting = new Map();
  /**
   * Cells whose change waits for a network, with the command's path.
   * @type {Map<string, string>}
   */
  queued = new Map();

  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
  }

  get canUndo() {
    return this.undos.length > 0;
  }

  /** @param {Place} place */
  isWaiting(place) {
    return this.waiting.has(key(place)) || this.queued.has(key(place));
  }

  /** @param {Place} place */
  isQueued(place) {
    return this.queued.has(key(place));
  }

  /**
   * The outbox is done with a command: it was taken, refused or thrown away.
   * @param {string} path
   */
  arrived(path) {
    for (const [cell, waiting] of this.queued) if (waiting === path) this.queued.delete(cell);
  }

  /** @param {Place} place @param {string} text @param {string} before */
  set(place, text, before) {
    this.remember({ place, texts: [before] });
    this.change(place, text);
  }

  /** @param {Place} place @param {string} lines @param {string[]} before */
  paste(place, lines, before) {
    this.column(place, lines, () => this.remember({ place, texts: before }));
  }

  undo() {
    const last = this.undos.pop();
    if (!last) return null;
    if (last.texts.length === 1) this.change(last.place, last.texts[0]);
    else this.column(last.place, last.texts.join("\n") + "\n", () => {});
    return last;
  }

  /** @param {Undo} step */
  remember(step) {
    this.undos = [...this.undos, step].slice(-depth);
  }

  /** @param {() => Promise<void>} work */
  next(work) {
    this.line = this.line.then(work).catch(() => toast(word("failed"), "failure"));
  }

  /** @param {Place} place */
  path({ row, column }) {
    const { api, items, students } = this.sheet.properties();
    return `${api}/items/${items[column - 1].id}/marks/${students[row - 1].id}`;
  }

  /** @param {Place} place @param {string} text */
  change(place, text) {
    const path = this.path(place);
    this.waiting.set(key(place), (this.waiting.get(key(place)) ?? 0) + 1);
    this.next(async () => {
      const { versions } = this.sheet.properties();
      const version = versions[place.row - 1][place.column - 1] ?? 0;
      const body = { text, version, keepsComment: true };
      const token = newKey();
      /** @type {Response | null} */
      let response = null;
      try {
        if (navigator.onLine && localStorage.getItem("pt-outbox") === null) response = await post(path, body, token);
      } catch {
        response = null;
      }
      const left = (this.waiting.get(key(place)) ?? 1) - 1;
      if (left > 0) this.waiting.set(key(place), left);
      else this.waiting.delete(key(place));
      if (!response) return this.later(place, path, body, token);
      if (response.ok) {
        this.queued.delete(key(place));
        return this.sheet.answered(place, await response.json());
      }
      const sentence = await problem(response);
      this.undos = this.undos.filter((step) => step.texts.length > 1 || key(step.place) !== key(place));
      this.sheet.refused(place, text, sentence);
      // Somebody else was there first: what they wrote is shown.
      if (response.status === 409) await refresh("live");
    });
  }

  /**
   * Without a network it waits in the outbox.
   * @param {Place} place @param {string} path @param {{ text: string, version: number }} body @param {string} token
   */
  async later(place, path, body, token) {
    const { items, students, course, versions } = this.sheet.properties();
    const label = `${students[place.row - 1].name}, ${items[place.column - 1].title}: ${body.text || "–"}`;
    this.queued.set(key(place), path);
    versions[place.row - 1][place.column - 1] = body.version + 1;
    await queue({ path, body, key: token, label, about: course });
    this.sheet.waits(place);
    this.sheet.said(word("queued"));
  }

  /** @param {Place} place @param {string} text @param {() => void} then */
  column(place, text, then) {
    const { api, items, students, words } = this.sheet.properties();
    const path = `${api}/items/${items[place.column - 1].id}/paste`;
    const from = students[place.row - 1].id;
    this.next(async () => {
      const response = await post(path, { text, from, replaces: true }, newKey());
      if (response.ok) {
        then();
        this.sheet.faults([]);
        const { count } = await response.json();
        toast((words.pasted ?? "").replace("{count}", String(count)), "success");
        await refresh("live");
        return;
      }
      const body = await response.json().catch(() => ({}));
      /** @type {{ message: string }[]} */
      const faults = body.errors ?? [];
      this.sheet.faults(faults.length ? faults.map((fault) => fault.message) : [body.title ?? word("failed")]);
    });
  }
}

/** @param {string} path @param {object} body @param {string} token */
function post(path, body, token) {
  return fetch(path, {
    method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", Accept: "application/json", "Idempotency-Key": token },
  });
}

/** @param {Place} place */
const key = ({ row, column }) => row + " " + column;
