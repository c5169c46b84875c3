// How long a task takes, whatever happens to the tab, the device and its clock meanwhile.
//
// Two clocks are read. The one that only runs forward stands still while a device sleeps and begins anew with each page;
// the one on the wall goes through both, but may be set. Each reading adds what passed since the one before: by the
// forward clock where both agree or the wall's went back, by the wall's where the forward one slept or was another page's.

/** @typedef {{ wall: number, steady: number, page: number }} Moment in milliseconds; `page` differs with every load */
/**
 * @typedef {object} Watch
 * @property {number} spent milliseconds so far, without pauses
 * @property {Moment} seen the last reading
 * @property {number} gap the longest stretch that only the wall clock saw
 * @property {boolean} isUnsure whether the wall clock went back while nothing else counted
 */

const page = Math.random();

/** What the clocks apart by more than this means: one of them slept or was set. */
const slack = 1000;

/** A gap from which on somebody asks whether it was part of the task. */
const strange = 600_000;

/** What the shortest task takes: whoever says sooner that it is done has not done it. The server leaves it out as well. */
export const shortest = 5000;

/** @returns {Moment} */
export const now = () => ({ wall: Date.now(), steady: performance.now(), page });

/** @param {Moment} moment @returns {Watch} */
export const started = (moment) => ({ spent: 0, seen: moment, gap: 0, isUnsure: false });

/**
 * The watch at a later moment.
 * @param {Watch} watch @param {Moment} moment @returns {Watch}
 */
export function read(watch, moment) {
  const wall = moment.wall - watch.seen.wall;
  const steady = moment.steady - watch.seen.steady;
  const isSamePage = moment.page === watch.seen.page && steady >= 0;
  if (isSamePage && wall <= steady + slack) return { ...watch, spent: watch.spent + steady, seen: moment };
  const step = Math.max(0, wall);
  return {
    spent: watch.spent + step, seen: moment, gap: Math.max(watch.gap, step - (isSamePage ? steady : 0)),
    isUnsure: watch.isUnsure || wall < 0,
  };
}

/**
 * Goes on after a pause: what passed since the last reading counts for nothing.
 * @param {Watch} watch @param {Moment} moment @returns {Watch}
 */
export const resumed = (watch, moment) => ({ ...watch, seen: moment });

/**
 * Why the child is asked how long it really took; `null` where the watch is to be trusted.
 * @param {Watch} watch
 */
export function doubt(watch) {
  if (watch.isUnsure) return "clock";
  return watch.gap > strange || watch.spent > 3_600_000 ? "long" : null;
}
