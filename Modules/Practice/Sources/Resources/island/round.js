// The order of a round. An item that was missed returns after a few others, when it is no longer fresh in mind. Pure: it
// neither reads a clock nor draws.

/** The number of other items between a miss and the return of the item. */
export const gap = 3;
/** The most often that one item returns in a round. */
export const mostReturns = 2;

/**
 * @template Item
 * @typedef {{ rest: { item: Item, misses: number }[], asked: number, right: number, missed: Item[] }} Round
 * `rest` are the items to come, the present one first. `asked` and `right` count each item once: it is right if it was
 * answered at its first appearance.
 */

/**
 * Begins a round.
 * @template Item @param {Item[]} items @returns {Round<Item>}
 */
export function begin(items) {
  return { rest: items.map((item) => ({ item, misses: 0 })), asked: items.length, right: 0, missed: [] };
}

/**
 * The item to answer now; `null` at the end of the round.
 * @template Item @param {Round<Item>} round @returns {Item | null}
 */
export const current = (round) => round.rest[0]?.item ?? null;

/**
 * The number of items that will not appear again.
 * @template Item @param {Round<Item>} round
 */
export const done = (round) => round.asked - round.rest.length;

/**
 * The round after an answer to the present item.
 * @template Item @param {Round<Item>} round @param {boolean} isRight @returns {Round<Item>}
 */
export function answered(round, isRight) {
  const [first, ...rest] = round.rest;
  if (!first) return round;
  if (isRight) return { ...round, rest, right: round.right + (first.misses ? 0 : 1) };
  const missed = first.misses ? round.missed : [...round.missed, first.item];
  if (first.misses >= mostReturns) return { ...round, rest, missed };
  rest.splice(Math.min(gap, rest.length), 0, { item: first.item, misses: first.misses + 1 });
  return { ...round, rest, missed };
}

/**
 * Items in a random order.
 * @template Item @param {Item[]} items @param {() => number} random from 0 to below 1
 */
export function shuffled(items, random) {
  const mixed = [...items];
  for (let place = mixed.length - 1; place > 0; place -= 1) {
    const other = Math.floor(random() * (place + 1));
    [mixed[place], mixed[other]] = [mixed[other], mixed[place]];
  }
  return mixed;
}
