// Compares a typed word with the right one, letter by letter. Pure.
import { shuffled } from "./round.js";

/** @typedef {{ word: string, hint?: string, sound?: string }} Word */
/** @typedef {"right" | "accent" | "sign" | "capital" | "wrong"} Verdict */
/**
 * A run of letters: `same` in both words, `accent` if they differ only by an accent, `changed` into others, `missing` in
 * the typed word, or `extra` in it.
 * @typedef {{ kind: "same" | "accent" | "changed" | "missing" | "extra", right: string, typed: string }} Run
 */

/** The number of words of a round. */
export const size = 10;

/**
 * A word with one kind of apostrophe, hyphen and space, and without characters that are not seen.
 * @param {string} text
 */
export function plain(text) {
  return text.normalize("NFC")
    .replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g, "")
    .replace(/['ʼ‘`´＇]/g, "’").replace(/[‐‑‒–−]/g, "-").replace(/\s+/g, " ").trim();
}

/**
 * A word without accents, the points of Hebrew and the vowel signs of Arabic. Signs that are letters in their script stay.
 * @param {string} text
 */
export function bare(text) {
  return text.replace(/œ/g, "oe").replace(/æ/g, "ae").replace(/ß/g, "ss").normalize("NFD")
    .replace(/[\u0300-\u036F\u0591-\u05C7\u064B-\u065F\u0670]/g, "").normalize("NFC");
}

/** @param {string} text */
const withoutSigns = (text) => text.replace(/[’\-\s.]/g, "");

/**
 * What is to be said about a typed word. Capitals count only where the word has one.
 * @param {string} expected @param {string} typed @param {string} language of the word @returns {Verdict}
 */
export function verdict(expected, typed, language) {
  const [right, given] = [plain(expected), plain(typed)];
  if (right === given) return "right";
  const [low, lowGiven] = [right.toLocaleLowerCase(language), given.toLocaleLowerCase(language)];
  if (low === lowGiven) return low === right ? "right" : "capital";
  if (bare(low) === bare(lowGiven)) return "accent";
  return withoutSigns(low) === withoutSigns(lowGiven) ? "sign" : "wrong";
}

/**
 * The letters of a text as readers count them.
 * @param {string} text
 */
export function letters(text) {
  if (!("Segmenter" in Intl)) return [...text];
  return [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map(({ segment }) => segment);
}

/**
 * The differences of a typed word from the right one, with as few changes as possible.
 * @param {string} expected @param {string} typed @param {string} language @returns {Run[]}
 */
export function differences(expected, typed, language) {
  const [right, given] = [letters(plain(expected)), letters(plain(typed))];
  /** @param {string} letter */
  const low = (letter) => letter.toLocaleLowerCase(language);
  /** @param {string} one @param {string} other @returns {Run["kind"]} */
  const kind = (one, other) =>
    one === other || (low(one) === low(other) && one === low(one)) ? "same" : bare(low(one)) === bare(low(other)) ? "accent" : "changed";
  const cost = { same: 0, accent: 0.5, changed: 1 };
  // The number of changes between the ends of both words from each place on (Wagner and Fischer, 1974).
  /** @type {number[][]} */
  const left = Array.from({ length: right.length + 1 }, () => Array(given.length + 1).fill(0));
  for (let row = right.length; row >= 0; row -= 1) {
    for (let column = given.length; column >= 0; column -= 1) {
      if (row === right.length || column === given.length) {
        left[row][column] = right.length - row + given.length - column;
        continue;
      }
      const change = /** @type {"same" | "accent" | "changed"} */ (kind(right[row], given[column]));
      left[row][column] = Math.min(left[row + 1][column + 1] + cost[change], left[row + 1][column] + 1, left[row][column + 1] + 1);
    }
  }
  /** @type {Run[]} */
  const runs = [];
  /** @param {Run["kind"]} what @param {string} one @param {string} other */
  const add = (what, one, other) => {
    const last = runs[runs.length - 1];
    if (last?.kind === what) [last.right, last.typed] = [last.right + one, last.typed + other];
    else runs.push({ kind: what, right: one, typed: other });
  };
  let [row, column] = [0, 0];
  while (row < right.length || column < given.length) {
    const isPair = row < right.length && column < given.length;
    const change = isPair ? /** @type {"same" | "accent" | "changed"} */ (kind(right[row], given[column])) : "changed";
    if (isPair && left[row][column] === left[row + 1][column + 1] + cost[change]) add(change, right[row++], given[column++]);
    else if (row < right.length && left[row][column] === left[row + 1][column] + 1) add("missing", right[row++], "");
    else add("extra", "", given[column++]);
  }
  return runs;
}

/**
 * The words of a round: half of them at most are those that were missed before.
 * @param {Word[]} words @param {string[]} missed @param {() => number} random @returns {Word[]}
 */
export function choose(words, missed, random) {
  const isMissed = new Set(missed.map(plain));
  const mixed = shuffled(words, random);
  const again = mixed.filter(({ word }) => isMissed.has(plain(word))).slice(0, size / 2);
  const others = mixed.filter((one) => !again.includes(one)).slice(0, size - again.length);
  return shuffled([...again, ...others], random);
}

/**
 * The hint of a word with a line in place of the word.
 * @param {Word} word @param {string} language
 */
export function hidden({ word, hint = "" }, language) {
  const low = hint.toLocaleLowerCase(language);
  const place = low.indexOf(word.toLocaleLowerCase(language));
  return place < 0 || low.length !== hint.length ? hint : hint.slice(0, place) + "___" + hint.slice(place + word.length);
}
