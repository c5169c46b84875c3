// What the stage remembers on this device, per account: the quest that is being played and what was said last. Written at
// every step, so that a page that is loaded again goes on where it was.

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
 * @typedef {object} Quest the routine as it was when it began; what is changed meanwhile changes the next one
 * @property {string} session
 * @property {string} player
 * @property {string} routine
 * @property {string} routineDisplayName
 * @property {string} startedAt
 * @property {{ id: string, displayName: string }[]} tasks
 * @property {number} completed sessions of this routine before this one
 * @property {number} index of the task
 * @property {"guess" | "run" | "pause" | "told" | "found" | "path"} step
 * @property {number} guess in seconds
 * @property {import("./stopwatch.js").Watch | null} watch
 * @property {string} doubt why the child is asked, in `told`
 * @property {import("./engine.js").Message | null} message
 * @property {Estimation[]} estimations
 */
/**
 * @typedef {object} Memory
 * @property {Record<string, Quest>} quests what is being played, by player
 * @property {Record<string, { id: string | null, turn: number }>} shown the last message, by player
 * @property {Record<string, Result>} results the last result, by player and task
 */

/** As a draft (drafts.js): it goes when its account signs out, or when another one comes. */
const name = () => "pt-draft:" + (document.body.dataset.account ?? "") + ":quest";

/** @returns {Memory} */
export function load() {
  /** @type {Memory} */
  const empty = { quests: {}, shown: {}, results: {} };
  try {
    return { ...empty, ...JSON.parse(localStorage.getItem(name()) ?? "{}") };
  } catch {
    // Half a text, from a device that went off while it was written: better a new quest than none at all.
    return empty;
  }
}

/** @param {Memory} memory */
export function save(memory) {
  localStorage.setItem(name(), JSON.stringify(memory));
}

/**
 * Another tab of this device went on with the quest.
 * @param {() => void} then
 */
export function onOtherTab(then) {
  addEventListener("storage", (event) => event.key === name() && then());
}
