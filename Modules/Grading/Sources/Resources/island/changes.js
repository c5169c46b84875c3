// Sends changes to the server one after the other, and undoes them. Cells are identified by student and item, because
// rows move when a student joins.
import { commands, newKey, problem, word } from "pinktower/core.js";
import { toast } from "pinktower/feedback.js";
import { refresh } from "pinktower/navigate.js";
import { drop, queue } from "pinktower/outbox.js";

/** @typedef {{ student: string, item: string }} Spot */
/** @typedef {Spot & { text: string, seen: number }} Change a new score, and the version that was seen */
/** @typedef {Spot & { before: string, wrote: string }} Undo the earlier score, and the one that replaced it */
/** @typedef {{ text: string, version: number, shown?: string, letter?: string, color?: string, trend?: string }} Cell */
/** @typedef {Spot & { yours: string, theirs: string, by?: string, version: number }} Clash */
/** @typedef {{ studentId: string, text: string, version: number, by?: string }} Stored */
/**
 * @typedef {object} Sheet
 * @property {() => import("./gradebook.js").Properties} properties
 * @property {(spot: Spot, cell: Cell) => void} answered
 * @property {(spot: Spot, text: string, version: number, sentence: string) => void} refused
 * @property {(sentences: string[]) => void} faults
 * @property {(clashes: Clash[], decided: (isMine: (spot: Spot) => boolean) => void) => void} clash
 * @property {(text: string) => void} said
 * @property {(spot: Spot) => void} waits
 * @property {(scores: (Spot & { text: string, version: number })[]) => void} stored
 */

/** The most steps that can be undone. */
const depth = 100;

export class ChangeQueue {
  /** @type {Promise<void>} */
  line = Promise.resolve();
  /** @type {Undo[][]} */
  undos = [];
  /**
   * The number of changes of a cell that are being sent.
   * @type {Map<string, number>}
   */
  waiting = new Map();
  /**
   * The cells whose change waits for a network, with the command's key.
   * @type {Map<string, string>}
   */
  queued = new Map();
  /**
   * The entered scores that have not arrived yet.
   * @type {Map<string, string>}
   */
  texts = new Map();
  /**
   * The versions after one's own changes, while more changes follow.
   * @type {Map<string, number>}
   */
  versions = new Map();

  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
  }

  get canUndo() {
    return this.undos.length > 0;
  }

  /** @param {Spot} spot */
  isWaiting(spot) {
    return this.waiting.has(key(spot)) || this.queued.has(key(spot));
  }

  /** @param {Spot} spot */
  isQueued(spot) {
    return this.queued.has(key(spot));
  }

  /**
   * The entered score that has not arrived yet.
   * @param {Spot} spot
   */
  text(spot) {
    return this.isWaiting(spot) ? this.texts.get(key(spot)) : undefined;
  }

  /**
   * Handles a command that the outbox has sent, or that was refused or discarded.
   * @param {string} token @param {any} result the answer to a single score; `null` otherwise
   */
  arrived(token, result) {
    for (const [cell, waiting] of this.queued) {
      if (waiting !== token) continue;
      this.queued.delete(cell);
      if (!this.waiting.has(cell)) this.versions.delete(cell);
      const [student, item] = cell.split(" ");
      if (result?.studentId) this.sheet.answered({ student, item }, result);
    }
  }

  /** @param {Change} change @param {string} before */
  set(change, before) {
    const step = { student: change.student, item: change.item, before, wrote: change.text };
    this.remember([step]);
    this.change(change, step);
  }

  /** @param {Change[]} changes @param {string[]} before */
  paste(changes, before) {
    this.column(changes, changes.map(({ student, item, text }, index) => ({ student, item, before: before[index], wrote: text })));
  }

  /**
   * Undoes the last step. Asks first if another person has changed a score since.
   * @param {(spot: Spot) => { text: string, version: number } | null} now returns a cell as shown
   */
  undo(now) {
    const step = this.undos.pop();
    const cells = (step ?? []).flatMap((undo) => {
      const shown = now(undo);
      return shown ? [{ ...undo, shown }] : [];
    });
    if (!cells.length) return [];
    const changes = cells.map(({ student, item, before, shown }) => ({ student, item, text: before, seen: shown.version }));
    const changed = cells.filter(({ wrote, shown }) => plain(shown.text) !== plain(wrote));
    if (!changed.length) {
      if (changes.length === 1) this.change(changes[0]);
      else this.column(changes);
      return changes;
    }
    const clashes = changed.map(({ student, item, before, shown }) => ({ student, item, yours: before, theirs: shown.text, version: shown.version }));
    this.sheet.clash(clashes, (isMine) => this.column(decided(changes, clashes, isMine)));
    return [];
  }

  /** @param {Undo[]} step */
  remember(step) {
    this.undos = [...this.undos, step].slice(-depth);
  }

  /** @param {() => Promise<void>} work */
  next(work) {
    this.line = this.line.then(work).catch(() => toast(word("failed"), "failure"));
  }

  /** @param {Spot} spot @param {string} text */
  begin(spot, text) {
    this.waiting.set(key(spot), (this.waiting.get(key(spot)) ?? 0) + 1);
    this.texts.set(key(spot), text);
  }

  /** @param {Spot} spot */
  finish(spot) {
    const left = (this.waiting.get(key(spot)) ?? 1) - 1;
    if (left > 0) this.waiting.set(key(spot), left);
    else this.waiting.delete(key(spot));
  }

  /**
   * Returns the version after one's own change that is being sent, or else the version that was seen.
   * @param {Change} change @param {boolean} follows
   */
  version({ student, item, seen }, follows) {
    return (follows ? this.versions.get(key({ student, item })) : undefined) ?? seen;
  }

  /** @param {Change} change @param {Undo} [step] */
  change(change, step) {
    const { student, item, text } = change;
    const path = `${this.sheet.properties().api}/items/${item}/marks/${student}`;
    const follows = this.isWaiting(change);
    this.begin(change, text);
    this.next(async () => {
      const version = this.version(change, follows);
      const body = { text, version, keepsComment: true };
      const token = newKey();
      const answer = await post(path, body, token);
      this.finish(change);
      if (!answer) return this.later([{ ...change, seen: version }], path, body, token);
      const { response, result: cell } = answer;
      if (cell) {
        this.queued.delete(key(change));
        this.versions.set(key(change), cell.version);
        if (step) step.wrote = cell.text;
        return this.sheet.answered(change, cell);
      }
      const sentence = await problem(response);
      this.undos = this.undos.filter((undo) => undo.length > 1 || key(undo[0]) !== key(change));
      const clashes = response.status === 409 ? await this.clashes([{ ...change, seen: version }]) : [];
      this.sheet.refused(change, text, clashes[0]?.version ?? version, sentence);
      if (clashes.length) {
        this.sheet.clash(clashes, (isMine) => isMine(change) && this.set({ ...change, seen: clashes[0].version }, clashes[0].theirs));
      }
      // Another person was first, so their score is shown.
      if (response.status === 409) await refresh("live");
    });
  }

  /**
   * Sends a column as one command, which is stored as a whole or not at all.
   * @param {Change[]} changes of one item @param {Undo[]} [step] what can be undone
   */
  column(changes, step) {
    const { api } = this.sheet.properties();
    const path = `${api}/items/${changes[0].item}/paste`;
    const follows = changes.map((change) => this.isWaiting(change));
    for (const change of changes) this.begin(change, change.text);
    this.next(async () => {
      const sent = changes.map((change, index) => ({ ...change, seen: this.version(change, follows[index]) }));
      const body = {
        text: sent.map(({ text }) => text).join("\n") + "\n", students: sent.map(({ student }) => student),
        versions: sent.map(({ seen }) => seen).join(" "), replaces: true,
      };
      const token = newKey();
      const answer = await post(path, body, token);
      for (const change of changes) this.finish(change);
      if (!answer) {
        if (step) this.remember(step);
        return this.later(sent, path, body, token);
      }
      const { response, result: pasted } = answer;
      if (pasted) {
        const { item } = changes[0];
        /** @type {{ studentId: string, text: string, version: number }[]} */
        const found = pasted.scores;
        const scores = found.map(({ studentId, ...score }) => ({ student: studentId.toLowerCase(), item, ...score }));
        for (const score of scores) this.versions.set(key(score), score.version);
        if (step) {
          // The stored text may differ from the pasted one: "excused" becomes "ex".
          const texts = new Map(scores.map((score) => [key(score), score.text]));
          this.remember(step.map((undo) => ({ ...undo, wrote: texts.get(key(undo)) ?? undo.wrote })));
        }
        this.sheet.stored(scores);
        this.sheet.faults([]);
        toast((this.sheet.properties().words.pasted ?? "").replace("{count}", String(pasted.count)), "success");
        return refresh("live");
      }
      for (const change of changes) this.sheet.waits(change);
      const clashes = response.status === 409 ? await this.clashes(sent) : [];
      if (clashes.length) {
        this.sheet.faults([]);
        this.sheet.clash(clashes, (isMine) => {
          const asked = new Map(clashes.map((clash) => [key(clash), clash]));
          const after = step?.map((undo) => {
            const clash = asked.get(key(undo));
            return clash ? { ...undo, before: clash.theirs, wrote: isMine(undo) ? clash.yours : clash.theirs } : undo;
          });
          this.column(decided(sent, clashes, isMine), after);
        });
        return refresh("live");
      }
      const refusal = await response.json().catch(() => ({}));
      /** @type {{ message: string }[]} */
      const faults = refusal.errors ?? [];
      this.sheet.faults(faults.length ? faults.map((fault) => fault.message) : [refusal.title ?? word("failed")]);
    });
  }

  /**
   * Adds a command to the outbox, because there is no network.
   * @param {Change[]} changes with the sent versions
   * @param {string} path @param {{ text: string }} body @param {string} token
   */
  async later(changes, path, body, token) {
    const { items, students, course, words } = this.sheet.properties();
    const title = items.find(({ id }) => id === changes[0].item)?.title ?? "";
    const name = students.find(({ id }) => id === changes[0].student)?.name ?? "";
    const label = changes.length === 1 ? `${name}, ${title}: ${body.text.trim() || "–"}` : `${title}: ${(words.waitingMarks ?? "").replace("{count}", String(changes.length))}`;
    for (const change of changes) {
      this.queued.set(key(change), token);
      this.texts.set(key(change), change.text);
      this.versions.set(key(change), change.seen + 1);
    }
    await queue({ path, body, key: token, label, about: course });
    for (const change of changes) this.sheet.waits(change);
    this.sheet.said(word("queued"));
  }

  /**
   * Returns the scores that have changed since they were seen and differ from one's own.
   * @param {Change[]} changes of one item @returns {Promise<Clash[]>}
   */
  async clashes(changes) {
    const { api } = this.sheet.properties();
    const response = await fetch(`${api}/items/${changes[0].item}/marks`, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!response?.ok) return [];
    /** @type {{ items: Stored[] }} */
    const { items } = await response.json();
    const stored = new Map(items.map((mark) => [mark.studentId.toLowerCase(), mark]));
    return changes.flatMap(({ student, item, text, seen }) => {
      const mark = stored.get(student);
      if (!mark || mark.version === seen || plain(mark.text) === plain(text)) return [];
      return [{ student, item, yours: text, theirs: mark.text, by: mark.by, version: mark.version }];
    });
  }

  /**
   * Asks about a command that the outbox could not send because scores have changed.
   * @param {import("pinktower/outbox.js").Entry} entry
   */
  async recover(entry) {
    const { api } = this.sheet.properties();
    const [item, act, student] = entry.path.startsWith(api + "/items/") ? entry.path.slice(api.length + 7).split("/") : [];
    if (!item || (act !== "marks" && act !== "paste")) return;
    const body = /** @type {{ text: string, version?: number, students?: string[], versions?: string }} */ (entry.body);
    const versions = (body.versions ?? String(body.version ?? 0)).split(" ").map(Number);
    const lines = act === "paste" ? body.text.split("\n") : [body.text];
    const changes = (act === "paste" ? body.students ?? [] : [student]).map((id, index) => ({ student: id, item, text: lines[index] ?? "", seen: versions[index] ?? 0 }));
    const clashes = changes.length ? await this.clashes(changes) : [];
    if (!clashes.length) return;
    this.sheet.clash(clashes, (isMine) => {
      void drop(entry);
      this.column(decided(changes, clashes, isMine));
    });
  }
}

/**
 * Returns the changes that remain after a decision: where the other person's score counts, it is sent unchanged.
 * @param {Change[]} changes @param {Clash[]} clashes @param {(spot: Spot) => boolean} isMine @returns {Change[]}
 */
function decided(changes, clashes, isMine) {
  const asked = new Map(clashes.map((clash) => [key(clash), clash]));
  return changes.map((change) => {
    const clash = asked.get(key(change));
    return clash ? { ...change, text: isMine(change) ? clash.yours : clash.theirs, seen: clash.version } : change;
  });
}

/**
 * Sends a command and reads the whole result of one that was stored. Returns `null` without a network, if other commands
 * wait, or if the answer was cut off; the same key makes it safe to send the command again.
 * @param {string} path @param {object} body @param {string} token
 * @returns {Promise<{ response: Response, result: any } | null>}
 */
async function post(path, body, token) {
  if (!navigator.onLine || localStorage.getItem("pt-outbox") !== null) return null;
  try {
    const response = await fetch(path, {
      method: "POST", body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", Accept: "application/json", "Idempotency-Key": token },
    });
    const result = response.ok ? await response.json() : null;
    // A page that was read before this answer must not bring the former scores and versions back.
    commands.answered += 1;
    return { response, result };
  } catch {
    return null;
  }
}

/** @param {string} text a typed score */
const plain = (text) => text.trim().toLowerCase().replace(",", ".").replace(/\s+/g, "");

/** @param {Spot} spot */
export const key = ({ student, item }) => student + " " + item;
