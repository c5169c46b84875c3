// The memory of a card after the ratings of this device. Pure.
import { reviewed } from "./fsrs.js";

/** @typedef {import("./fsrs.js").Memory} Memory */
/**
 * @typedef {object} Rated a rating that was given on this device
 * @property {string} id the id of the review
 * @property {string} card
 * @property {number} rating
 * @property {number} at milliseconds since 1970
 * @property {Memory | null} [before] the memory of the card before the rating; missing in ratings of older versions
 * @property {boolean} [isUndone]
 */

/**
 * The memory of one card now: what the server knew when it made the page, without the ratings that were taken back since,
 * and with those that it had not received.
 * @param {Memory | null} known @param {Rated[]} ratings those of the card, oldest first @returns {Memory | null}
 */
export function replayed(known, ratings) {
  let memory = known;
  for (const { at, before, isUndone } of [...ratings].reverse()) {
    // The server knew the rating and did not know yet that it was taken back.
    if (isUndone && before !== undefined && memory?.reviewedAt === at) memory = before;
  }
  for (const { rating, at, isUndone } of ratings) {
    // What the server knew is part of the memory already.
    if (!isUndone && !(memory && at <= memory.reviewedAt)) memory = reviewed(memory, rating, at);
  }
  return memory;
}
