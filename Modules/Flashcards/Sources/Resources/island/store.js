// The ratings that were given on this device, so that a page that is loaded again without a network continues there.
import { account } from "pinktower/core.js";

/** @typedef {import("./replay.js").Rated} Rated */

/** The time for which ratings stay on the device: longer than a page without a network is of use. */
const longest = 60 * 86_400_000;
const most = 5000;

/** A name like that of a draft (drafts.js), so that it is removed when the account signs out or another one signs in. */
const name = () => "pt-draft:" + account() + ":flashcards";

/** @returns {Rated[]} the ratings, oldest first */
export function load() {
  try {
    const all = /** @type {Rated[]} */ (JSON.parse(localStorage.getItem(name()) ?? "[]"));
    return all.filter(({ at }) => at > Date.now() - longest).slice(-most);
  } catch {
    // The text is incomplete if the device went off while writing. The server has what was sent.
    return [];
  }
}

/** @param {Rated[]} all */
function save(all) {
  try {
    localStorage.setItem(name(), JSON.stringify(all));
  } catch {
    // Without space on the device the outbox still sends the rating; only a reload without a network forgets it.
  }
}

/** @param {Rated} rated */
export function add(rated) {
  save([...load(), rated]);
}

/** @param {string} id @param {Partial<Rated>} change */
export function change(id, change) {
  save(load().map((one) => (one.id === id ? { ...one, ...change } : one)));
}
