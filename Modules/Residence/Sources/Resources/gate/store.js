// What a gate remembers on its device: the newest list, where residents were last, and how far its clock is off.

/** @typedef {import("./decide.js").List} List */
/** @typedef {import("./decide.js").Known} Known */
/**
 * @typedef {object} Memory
 * @property {List | null} list
 * @property {Record<string, Known>} known by resident
 * @property {number} offset the milliseconds by which the server's clock is ahead of this device's
 * @property {number} seen the latest time by the server's clock that this device knows of
 */

/** A name like that of a draft (drafts.js), so that it is removed when the account signs out or another one signs in. */
const name = () => "pt-draft:" + (document.body.dataset.account ?? "") + ":gate";

/** @returns {Memory} */
function load() {
  /** @type {Memory} */
  const empty = { list: null, known: {}, offset: 0, seen: 0 };
  try {
    return { ...empty, ...JSON.parse(localStorage.getItem(name()) ?? "{}") };
  } catch {
    // The text is incomplete if the device went off while writing. The page brings a list.
    return empty;
  }
}

export class Store {
  memory = load();
  /** The server's time at a reading of this device's two clocks, of which the steady one cannot be set. */
  anchor = { server: Math.max(this.memory.seen, Date.now() + this.memory.offset), wall: Date.now(), steady: performance.now() };

  save() {
    localStorage.setItem(name(), JSON.stringify(this.memory));
  }

  /**
   * The time of the server. A clock that is set back while the page is open changes nothing; time that a sleeping device
   * slept through counts.
   */
  now() {
    const elapsed = Math.max(performance.now() - this.anchor.steady, Date.now() - this.anchor.wall);
    return this.anchor.server + elapsed;
  }

  /**
   * Takes a list that the server has just sent, or an older one from the page's cache.
   * @param {List} list @param {boolean} isLive
   * @param {number} [asked] the time at which this gate asked the server for the list
   * @param {number} [settled] the time before which the server knows of every passage that this gate recorded
   */
  take(list, isLive, asked = Infinity, settled = -Infinity) {
    const sent = Date.parse(list.now);
    const { memory } = this;
    if (isLive) {
      // The server tells whole seconds. A clock that puts them between question and answer is right as far as can be
      // told; to set it by the answer would set it back, and two quick passages could change their order.
      const agrees = asked < sent + 1000 && sent <= this.now();
      const server = agrees ? this.now() : sent;
      this.anchor = { server, wall: Date.now(), steady: performance.now() };
      memory.offset = server - Date.now();
    }
    const isOther = memory.list?.gate.id !== list.gate.id;
    if (isOther || !memory.list || Date.parse(memory.list.now) <= sent) memory.list = list;
    memory.known = isOther ? {} : Object.fromEntries(Object.entries(memory.known).filter(([, { at }]) => at >= settled));
    memory.seen = Math.max(memory.seen, sent);
    this.save();
  }

  /** @param {string} resident @param {Known} known */
  note(resident, known) {
    this.memory.known[resident] = known;
    this.memory.seen = Math.max(this.memory.seen, known.at);
    this.save();
  }
}
