// The keyboard layouts, the lessons of the typing tutor, and what is typed in them. Pure.
import { shuffled } from "./round.js";

/** @typedef {"qwerty" | "azerty" | "qwertz"} Layout */
/** @typedef {{ row: number, column: number, shift: boolean }} Press the rows count from the digits to the space bar */
/** @typedef {{ keys: string, new: string, isWords: boolean }} Lesson `keys` may appear, `new` are practiced */
/** @typedef {{ text: string, at: number, slips: number[] }} Typing `slips` are the places where a wrong key was pressed */

/** The share of right keys with which the next lesson opens, in percent. */
export const needed = 95;
/** The words of a lesson. */
export const size = 10;

/**
 * The characters of each row without and with Shift. `^` and `¨` of AZERTY, and `´`, `` ` `` and `^` of QWERTZ wait for the
 * next key.
 * @type {Record<Layout, [plain: string, shifted: string][]>}
 */
export const layouts = {
  qwerty: [["`1234567890-=", "~!@#$%^&*()_+"], ["qwertyuiop[]", "QWERTYUIOP{}"], ["asdfghjkl;'", "ASDFGHJKL:\""], ["zxcvbnm,./", "ZXCVBNM<>?"]],
  azerty: [["²&é\"'(-è_çà)=", " 1234567890°+"], ["azertyuiop^$", "AZERTYUIOP¨£"], ["qsdfghjklmù", "QSDFGHJKLM%"], ["wxcvbn,;:!", "WXCVBN?./§"]],
  qwertz: [["^1234567890ß´", "°!\"§$%&/()=?`"], ["qwertzuiopü+", "QWERTZUIOPÜ*"], ["asdfghjklöä", "ASDFGHJKLÖÄ"], ["yxcvbnm,.-", "YXCVBNM;:_"]],
};

/** The codes of the keys that tell layouts apart, with their rows and columns (UI Events KeyboardEvent code Values). */
const telling = { KeyQ: [1, 0], KeyW: [1, 1], KeyY: [1, 5], KeyA: [2, 0], KeyZ: [3, 0], Semicolon: [2, 9] };
/**
 * The accents that a key of AZERTY waits with.
 * @type {Record<string, string>}
 */
const dead = { "\u0302": "^", "\u0308": "¨" };

/**
 * The layouts that a pressed key fits; none if the key is the same on all of them.
 * @param {string} code @param {string} key @returns {Layout[]}
 */
export function fitting(code, key) {
  const place = telling[/** @type {keyof typeof telling} */ (code)];
  if (!place) return [];
  const all = /** @type {Layout[]} */ (Object.keys(layouts));
  return all.filter((one) => layouts[one][place[0]][0][place[1]] === key.toLowerCase());
}

/**
 * The keys to press for a character, one after the other; none if the layout does not have it.
 * @param {Layout} layout @param {string} character @returns {Press[]}
 */
export function presses(layout, character) {
  if (character === " ") return [{ row: 4, column: 0, shift: false }];
  for (const [row, [plain, shifted]] of layouts[layout].entries()) {
    if (plain.includes(character)) return [{ row, column: plain.indexOf(character), shift: false }];
    if (character !== " " && shifted.includes(character)) return [{ row, column: shifted.indexOf(character), shift: true }];
  }
  const [letter, accent] = [...character.normalize("NFD")];
  if (layout !== "azerty" || !accent || !dead[accent]) return [];
  return [...presses(layout, dead[accent]), ...presses(layout, letter)];
}

/**
 * The finger of a key, from 0 for the left little finger to 7 for the right one; 8 are the thumbs.
 * @param {Press} press
 */
export function finger({ row, column }) {
  if (row === 4) return 8;
  const place = Math.max(0, row === 0 ? column - 1 : column);
  return [0, 1, 2, 3, 3, 4, 4, 5, 6][place] ?? 7;
}

/**
 * The lessons of a layout, by rows of the keyboard.
 * @param {Layout} layout @param {string} language @returns {Lesson[]}
 */
export function lessons(layout, language) {
  const [, top, home, bottom] = layouts[layout].map(([plain]) => plain);
  /** @param {string} row @param {number} from @param {number} to */
  const letters = (row, from, to) => [...row.slice(from, to)].filter((one) => /\p{L}/u.test(one)).join("");
  const all = letters(home, 0, 10) + letters(top, 0, 10) + letters(bottom, 0, 7);
  const parts = [letters(home, 3, 7), letters(home, 0, 10), letters(top, 2, 8), letters(top, 0, 10), letters(bottom, 2, 7), all];
  let keys = "";
  const found = parts.map((part) => {
    const before = keys;
    keys = [...new Set(keys + part)].join("");
    const fresh = [...part].filter((one) => !before.includes(one)).join("");
    return { keys, new: fresh || part, isWords: true };
  });
  found[found.length - 1].new = all;
  const capitals = { keys: all + all.toUpperCase(), new: all.toUpperCase(), isWords: true };
  const sentences = { keys: "", new: ".,?", isWords: false };
  // Keys with accents: only where the language has them and the layout has keys for them.
  const accents = language === "fr" && layout === "azerty"
    ? [{ keys: all + "éèçàù", new: "éèçàù", isWords: true }, { keys: all + "éèçàùêâîôû", new: "êâîôû", isWords: true }] : [];
  return [...found, ...accents, capitals, sentences];
}

/**
 * The text of a lesson: words of the language from its keys, or letters in groups where there are too few words.
 * @param {Lesson} lesson @param {{ words: string[], sentences: string[] }} language @param {() => number} random
 */
export function passage(lesson, { words, sentences }, random) {
  if (!lesson.isWords) return shuffled(sentences, random).slice(0, 2).join(" ");
  const isCapitals = lesson.new !== lesson.new.toLowerCase();
  const fitting = words.filter((word) => [...word].every((letter) => lesson.keys.includes(letter)));
  const fresh = isCapitals ? fitting : fitting.filter((word) => [...word].some((letter) => lesson.new.includes(letter)));
  const chosen = shuffled(fresh.filter((word) => word.length < 8), random).slice(0, size);
  // Groups of letters first: the new keys alone, then with the others.
  for (let place = chosen.length; place < size; place += 1) {
    const from = place % 2 && lesson.keys.length > lesson.new.length ? lesson.keys : lesson.new;
    let group = "";
    while (group.length < 3 + (place % 2)) group += [...from][Math.floor(random() * [...from].length)];
    chosen.unshift(group);
  }
  return (isCapitals ? chosen.map((word) => word[0].toUpperCase() + word.slice(1)) : chosen).join(" ");
}

/** @param {string} text @returns {Typing} */
export const start = (text) => ({ text: text.normalize("NFC"), at: 0, slips: [] });

/**
 * The state after a character was typed. A wrong one leaves the place, so that the right key is learned.
 * @param {Typing} typing @param {string} character @returns {Typing}
 */
export function typed(typing, character) {
  const { text, at, slips } = typing;
  if (at >= text.length) return typing;
  const same = character === text[at] || (text[at] === "’" && character === "'");
  if (same) return { ...typing, at: at + 1 };
  return slips[slips.length - 1] === at ? typing : { ...typing, slips: [...slips, at] };
}

/**
 * The state after text that came at once, as from a dead key or an input method: `^` and `e` are one `ê`.
 * @param {Typing} typing @param {string} text
 */
export const typedAll = (typing, text) => [...text.normalize("NFC")].reduce(typed, typing);

/**
 * The characters that were right at the first press.
 * @param {Typing} typing
 */
export const right = ({ at, slips }) => at - slips.filter((place) => place < at).length;

/**
 * Right characters of all, in whole percent, rounded down: 94.9 % do not open a lesson.
 * @param {number} count @param {number} all
 */
export const percent = (count, all) => (all ? Math.floor((100 * count) / all) : 0);

/**
 * The lessons that are open: the first one, and each after one with enough accuracy.
 * @param {number} count of lessons @param {Record<number, number>} best the best percent by lesson, from 1
 */
export function open(count, best) {
  let last = 1;
  while (last < count && (best[last] ?? 0) >= needed) last += 1;
  return last;
}
