// Measures how long a task takes, even if the tab is closed, the device sleeps, or its clock is changed.
//
// Two clocks are read. The monotonic clock stops while a device sleeps and restarts with each page. The wall clock
// continues, but may be changed. Each reading adds the time since the last one: by the monotonic clock if both agree or
// the wall clock went back, and by the wall clock if the monotonic one slept or belonged to another page.

/** @typedef {{ wall: number, steady: number, page: number }} Moment in milliseconds; `page` differs with every load */
/**
 * @typedef {object} Watch
 * @property {number} spent milliseconds so far, without pauses
 * @property {Moment} seen the last reading
 * @property {number} gap the longest time that only the wall clock measured
 * @property {boolean} isUnsure whether the wall clock went back while no other clock ran
 */

const page = Math.random();

/** A difference of the clocks in milliseconds above which one of them slept or was changed. */
const slack = 1000;

/** A gap in milliseconds from which the child is asked whether it was part of the task. */
const strange = 600_000;

/** The shortest time of a task in milliseconds. The server leaves out shorter ones as well. */
export const shortest = 5000;

/** @returns {Moment} */
export const now = () => ({ wall: Date.now(), steady: performance.now(), page });

/** @param {Moment} moment @returns {Watch} */
export const started = (moment) => ({ spent: 0, seen: moment, gap: 0, isUnsure: false });

/**
 * Returns the watch after a reading.
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
 * Continues after a pause. The time since the last reading does not count.
 * @param {Watch} watch @param {Moment} moment @returns {Watch}
 */
export const resumed = (watch, moment) => ({ ...watch, seen: moment });

/**
 * Why the child is asked for the real time; `null` if the watch is reliable.
 * @param {Watch} watch
 */
export function doubt(watch) {
  if (watch.isUnsure) return "clock";
  return watch.gap > strange || watch.spent > 3_600_000 ? "long" : null;
}
