// Stores the present quest and the last messages on this device, for each account. It is saved at each step, so that a
// page
// that is loaded again continues there.

/** @typedef {{ accuracy: number, rating: string }} Result */
/**
 * @typedef {object} Estimation
 * @property {string | null} task
 * @property {string} taskDisplayName
 * @property {number} estimatedSeconds
 * @property {number} actualSeconds
 * @property {number} orderIndex
 * @property {string} recordedAt
 * @property {boolean} wasStopped
 */
/**
 * @typedef {object} Quest the routine as it was at the start; later changes apply to the next quest
 * @property {string} session
 * @property {string} player
 * @property {string} routine
 * @property {string} routineDisplayName
 * @property {string} startedAt
 * @property {{ id: string, displayName: string }[]} tasks
 * @property {number} completed the completed sessions of this routine before this one
 * @property {number} index the position of the task
 * @property {"guess" | "run" | "pause" | "told" | "found" | "path"} step
 * @property {number} guess in seconds
 * @property {import("./stopwatch.js").Watch | null} watch
 * @property {string} doubt why the child is asked, in the step `told`
 * @property {import("./engine.js").Message | null} message
 * @property {Estimation[]} estimations
 */
/**
 * @typedef {object} Memory
 * @property {Record<string, Quest>} quests the present quests, by player
 * @property {Record<string, { id: string | null, turn: number }>} shown the last message, by player
 * @property {Record<string, Result>} results the last result, by player and task
 */

/** A name like that of a draft (drafts.js), so that it is removed when the account signs out or another one signs in. */
const name = () => "pt-draft:" + (document.body.dataset.account ?? "") + ":quest";

/** @returns {Memory} */
export function load() {
  /** @type {Memory} */
  const empty = { quests: {}, shown: {}, results: {} };
  try {
    return { ...empty, ...JSON.parse(localStorage.getItem(name()) ?? "{}") };
  } catch {
    // The text is incomplete if the device went off while writing. A new quest is better than none.
    return empty;
  }
}

/** @param {Memory} memory */
export function save(memory) {
  localStorage.setItem(name(), JSON.stringify(memory));
}

/**
 * Calls a function when another tab of this device has changed the quest.
 * @param {() => void} then
 */
export function onOtherTab(then) {
  addEventListener("storage", (event) => event.key === name() && then());
}
