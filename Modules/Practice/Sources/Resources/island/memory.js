// What this device remembers of a child's practice, for each account: levels, lessons and missed words. The server has the
// same from all devices; of each, the newer counts.
import { account } from "pinktower/core.js";

/** @typedef {{ level: number, run: number, slips: number, at: number }} Level `at` is the time of the last change */
/**
 * @typedef {object} Memory
 * @property {Record<string, Level>} levels by kind of task
 * @property {Record<string, Record<number, number>>} best the best percent of each lesson, by keyboard layout
 * @property {Record<string, { words: string[], at: number }>} missed the words that were missed last, by list
 * @property {string} [layout] the keyboard layout that the child chose
 */
/**
 * What the server knows.
 * @typedef {{ levels: Record<string, { level: number, at: number }>, best: Memory["best"], missed: Memory["missed"] }} Known
 */

/** A name like that of a draft (drafts.js), so that it is removed when the account signs out or another one signs in. */
const name = () => "pt-draft:" + account() + ":practice";

/** @returns {Memory} */
function stored() {
  /** @type {Memory} */
  const empty = { levels: {}, best: {}, missed: {} };
  try {
    return { ...empty, ...JSON.parse(localStorage.getItem(name()) ?? "{}") };
  } catch {
    // The text is incomplete if the device went off while writing. The server still has the results.
    return empty;
  }
}

/** @param {Known} known @returns {Memory} */
export function load(known) {
  const memory = stored();
  for (const [kind, { level, at }] of Object.entries(known.levels)) {
    if (!(memory.levels[kind]?.at >= at)) memory.levels[kind] = { level, run: 0, slips: 0, at };
  }
  for (const [layout, lessons] of Object.entries(known.best)) {
    const own = (memory.best[layout] ??= {});
    for (const [lesson, percent] of Object.entries(lessons)) own[Number(lesson)] = Math.max(own[Number(lesson)] ?? 0, percent);
  }
  for (const [list, missed] of Object.entries(known.missed)) {
    if (!(memory.missed[list]?.at >= missed.at)) memory.missed[list] = missed;
  }
  return memory;
}

/**
 * Changes what is stored now, which another tab may have changed since it was loaded.
 * @param {Memory} memory @param {(memory: Memory) => void} change
 */
export function remember(memory, change) {
  change(memory);
  const latest = stored();
  change(latest);
  try {
    localStorage.setItem(name(), JSON.stringify(latest));
  } catch {
    // Some private windows store nothing: the page itself still remembers.
  }
}
