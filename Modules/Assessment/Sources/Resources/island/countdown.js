// The remaining time, computed from the server's instant and never counted down.

/** @typedef {{ tick: () => void, warn: (key: "half" | "fiveMinutes" | "oneMinute") => void, over: () => void }} Hooks */

/** @param {number} seconds */
export const minutesLeft = (seconds) => Math.ceil(seconds / 60);

export class Countdown {
  /**
   * The warnings that were given.
   * @type {Set<string>}
   */
  warned = new Set();
  isOver = false;

  /**
   * @param {number} started @param {number | undefined} ends @param {number} now of the server, in milliseconds
   * @param {Hooks} hooks
   */
  constructor(started, ends, now, hooks) {
    this.started = started;
    this.hooks = hooks;
    this.set(ends, now);
    const left = this.seconds;
    // What has passed before the page was opened is not announced.
    if (left !== undefined) for (const [key, limit] of this.limits) if (left < limit) this.warned.add(key);
    this.timer = window.setInterval(() => this.tick(), 1000);
  }

  stop() {
    clearInterval(this.timer);
  }

  /** @param {number | undefined} ends @param {number} now */
  set(ends, now) {
    if (ends !== undefined && this.ends !== undefined && ends > this.ends) this.warned.clear();
    this.ends = ends;
    this.now = now;
    this.read = performance.now();
    this.hooks.tick();
  }

  /** @returns {["half" | "fiveMinutes" | "oneMinute", number][]} the warnings with the seconds that are left then */
  get limits() {
    const whole = ((this.ends ?? 0) - this.started) / 1000;
    return [["oneMinute", 60], ["fiveMinutes", 300], ["half", whole / 2]];
  }

  /** The seconds that are left; `undefined` without an end. */
  get seconds() {
    if (this.ends === undefined) return undefined;
    const now = (this.now ?? 0) + performance.now() - (this.read ?? 0);
    return Math.max(0, Math.ceil((this.ends - now) / 1000));
  }

  tick() {
    const left = this.seconds;
    if (left === undefined) return;
    this.hooks.tick();
    const due = this.limits.filter(([key, limit]) => left <= limit && !this.warned.has(key));
    for (const [key] of due) this.warned.add(key);
    if (due.length && left > 0) this.hooks.warn(due[0][0]);
    if (left > 0 || this.isOver) return;
    this.isOver = true;
    this.hooks.over();
  }
}
