// Runs the modules of the island that need no browser: `node island.mjs <folder of the island> <what>`.
// Ends with 1 and a line for each thing that is not as it should be.
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, what] = process.argv.slice(2);

/** The island's modules are a browser's: without a package around them node would take them for its own older kind. */
const copy = await mkdtemp(join(tmpdir(), "practice-"));
await cp(folder, copy, { recursive: true });
await writeFile(join(copy, "package.json"), '{"type":"module"}');
const load = (name) => import(pathToFileURL(join(copy, name)).href);

/** Numbers from 0 to below 1 that are the same in every run. */
function chance(seed) {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const checks = {
  async rounds() {
    const { begin, current, done, answered, shuffled, gap, mostReturns } = await load("round.js");
    let round = begin([..."abcdef"]);
    assert.equal(current(round), "a");
    round = answered(round, false);
    assert.deepEqual(round.rest.map(({ item }) => item).join(""), "bcdaef", "a missed item returns after three others");
    assert.equal(gap, 3);
    for (const item of "bcd") {
      assert.equal(current(round), item);
      round = answered(round, true);
    }
    assert.deepEqual([current(round), round.right, done(round)], ["a", 3, 3]);
    round = answered(round, true);
    assert.deepEqual([round.right, round.missed], [3, ["a"]], "an item that returned is not right at once");
    for (let turn = 0; turn < 2; turn += 1) round = answered(round, true);
    assert.deepEqual([current(round), round.right, round.asked, done(round)], [null, 5, 6, 6]);
    assert.equal(answered(round, true), round, "nothing comes after the end");

    let hard = begin(["a"]);
    let turns = 0;
    for (; current(hard); turns += 1) hard = answered(hard, false);
    assert.deepEqual([turns, hard.missed], [1 + mostReturns, ["a"]], "an item that is always missed does not return forever");
    assert.deepEqual(shuffled([..."abcdefgh"], chance(3)).sort().join(""), "abcdefgh");
  },

  async verdicts() {
    const { verdict, plain } = await load("letters.js");
    for (const [word, typed, language, expected] of [
      ["garden", "garden", "en", "right"], ["garden", " garden ", "en", "right"], ["garden", "GARDEN", "en", "right"],
      ["Wednesday", "wednesday", "en", "capital"], ["Wednesday", "Wensday", "en", "wrong"],
      ["fenêtre", "fenetre", "fr", "accent"], ["fenêtre", "fenètre", "fr", "accent"], ["été", "e\u0301te\u0301", "fr", "right"],
      ["Élise", "elise", "fr", "accent"], ["garçon", "garcon", "fr", "accent"], ["œuf", "oeuf", "fr", "accent"],
      ["aujourd’hui", "aujourd'hui", "fr", "right"], ["aujourd’hui", "aujourdhui", "fr", "sign"],
      ["arc-en-ciel", "arc en ciel", "fr", "sign"], ["arc-en-ciel", "arc‑en‑ciel", "fr", "right"], ["Straße", "Strasse", "de", "accent"],
      ["ırmak", "irmak", "tr", "wrong"], ["שָׁלוֹם", "שלום", "he", "accent"], ["مدرسة", "مدرسة\u200F", "ar", "right"], ["مدرسة", "مدرسه", "ar", "wrong"],
      ["पढ़ना", "पढना", "hi", "wrong"], ["garden", "", "en", "wrong"],
    ]) assert.equal(verdict(word, typed, language), expected, `${typed} for ${word}`);
    assert.equal(plain("  a\u00A0 b\u200B "), "a b");
  },

  async differences() {
    const { differences, hidden } = await load("letters.js");
    const shown = (word, typed, language) => differences(word, typed, language)
      .map(({ kind, right, typed: given }) => (kind === "same" ? right : `${kind}(${right}|${given})`)).join(" ");
    for (const [word, typed, language, expected] of [
      ["garden", "garden", "en", "garden"], ["beautiful", "beutifull", "en", "be missing(a|) utiful extra(|l)"],
      ["fenêtre", "fenetre", "fr", "fen accent(ê|e) tre"], ["friend", "freind", "en", "fr changed(ie|ei) nd"],
      ["sea", "see", "en", "se changed(a|e)"], ["garden", "GARDEN", "en", "garden"], ["cat", "", "en", "missing(cat|)"],
      ["Paris", "paris", "en", "accent(P|p) aris"], ["مدرسة", "مدرسه", "ar", "مدرس changed(ة|ه)"],
    ]) assert.equal(shown(word, typed, language), expected, `${typed} for ${word}`);
    // Whatever was typed, both words can be read from the runs.
    const random = chance(5);
    const letter = () => "abcé"[Math.floor(random() * 4)];
    for (let turn = 0; turn < 300; turn += 1) {
      const [one, other] = [1, 2].map(() => Array.from({ length: Math.floor(random() * 9) }, letter).join(""));
      const runs = differences(one, other, "fr");
      assert.equal(runs.map(({ right }) => right).join(""), one);
      assert.equal(runs.map(({ typed }) => typed).join(""), other);
    }
    assert.equal(hidden({ word: "garden", hint: "The Garden is green." }, "en"), "The ___ is green.");
    assert.equal(hidden({ word: "garden", hint: "It is green." }, "en"), "It is green.");
  },

  async choice() {
    const { choose, size } = await load("letters.js");
    const words = Array.from({ length: 2000 }, (_, place) => ({ word: "w" + place }));
    const chosen = choose(words, words.slice(0, 8).map(({ word }) => word), chance(7));
    assert.equal(new Set(chosen).size, size, "a round has ten different words, also of 2,000");
    assert.equal(chosen.filter(({ word }) => Number(word.slice(1)) < 8).length, size / 2, "half of them were missed before");
    assert.equal(choose(words.slice(0, 4), ["gone"], chance(7)).length, 4);
  },

  async numbers() {
    const { number, equals, lowest } = await load("sums.js");
    for (const [text, n, d] of [
      ["12", 12, 1], [" 12 ", 12, 1], ["0,3", 3, 10], ["0.3", 3, 10], [",5", 5, 10], ["1/2", 1, 2], ["1 / 2", 1, 2], ["1⁄2", 1, 2], ["1 1/2", 3, 2],
      ["007", 7, 1],
    ]) assert.deepEqual(number(text), { n, d }, text);
    for (const text of ["", "a", "1/0", "1,2,3", "-3", "1e3", "½x", ".", "12345678"]) assert.equal(number(text), null, text);
    assert.ok(equals({ n: 2, d: 4 }, { n: 1, d: 2 }) && equals({ n: 30, d: 100 }, { n: 3, d: 10 }) && !equals({ n: 1, d: 3 }, { n: 1, d: 2 }));
    assert.deepEqual(lowest({ n: 6, d: 8 }), { n: 3, d: 4 });
  },

  async tasks() {
    const { kinds, highest, task, text, fresh, bracketed } = await load("sums.js");
    const random = chance(11);
    /** The value of a calculation, found without the engine's own answer. */
    const value = (tokens) => {
      const parts = tokens.map((token) => (typeof token === "string" ? token.replace("×", "*").replace("÷", "/").replace("−", "-") : `(${token.n}/${token.d})`));
      return Function(`"use strict"; return (${parts.join(" ")})`)();
    };
    for (const kind of kinds) {
      for (let level = 1; level <= highest[kind]; level += 1) {
        for (let turn = 0; turn < 200; turn += 1) {
          const one = task(kind, level, random);
          const last = one.steps[one.steps.length - 1].answer;
          const name = `${kind} ${level}: ${text(one)}`;
          assert.ok(Math.abs(value(one.steps[0].shown) - last.n / last.d) < 1e-9, name);
          for (const { shown, answer, active } of one.steps) {
            assert.ok(Number.isInteger(answer.n) && Number.isInteger(answer.d) && answer.n > 0 && answer.d > 0, name);
            if (active) assert.ok(Math.abs(value(shown.slice(...active)) - answer.n / answer.d) < 1e-9, `the step of ${name}`);
          }
          checkLevel(kind, level, one, name);
        }
      }
    }
    const [first] = [task("order", 1, () => 0)];
    assert.equal(text(first), "2 + 2 × 2");
    assert.deepEqual(bracketed(first.steps[0]).tokens, ["2", "+", "(", "2", "×", "2", ")"], "first the product, in brackets");
    assert.deepEqual(bracketed(first.steps[1]).tokens, ["2", "+", "4"], "then the sum");
    const others = [];
    for (let turn = 0; turn < 10; turn += 1) others.push(fresh("addition", 6, random, others));
    assert.equal(new Set(others.map(text)).size, 10, "a round has different tasks");
  },

  async levels() {
    const { follow, steady, gentle } = await load("sums.js");
    const after = (level, answers, top = 6) => [...answers].reduce((place, one) => follow(place, one === "+", top), { level, run: 0, slips: 0 }).level;
    assert.deepEqual([steady, gentle], [5, 3]);
    for (const [level, answers, expected] of [
      [1, "++++", 1], [1, "+++++", 2], [2, "++++-+++++", 3], [2, "-", 2], [2, "--", 2], [2, "---", 1], [2, "-+-+-+-", 2], [1, "------", 1],
      [6, "++++++++++", 6], [3, "--++--", 3], [2, "+".repeat(10), 4], [2, "---+++++", 2],
    ]) assert.equal(after(level, answers), expected, `${answers} from level ${level}`);
  },

  async ways() {
    const { kinds, highest, task, way, text } = await load("sums.js");
    const shown = (line) => line.map((token) => (typeof token === "string" ? token : token.n + "/" + token.d)).join(" ");
    const random = chance(13);
    for (const kind of kinds) {
      for (let level = 1; level <= highest[kind]; level += 1) {
        for (let turn = 0; turn < 100; turn += 1) {
          const one = task(kind, level, random);
          one.steps.forEach(({ answer }, place) => {
            const { bars, parts, lines } = way(one, place);
            assert.ok(lines.length, text(one));
            const end = lines[lines.length - 1].at(-1);
            const value = typeof end === "string" ? Number(end) : end.n / end.d;
            assert.ok(Math.abs(value - answer.n / answer.d) < 1e-9, `the way of ${text(one)} ends with ${shown([end])}`);
            const beads = bars.reduce((sum, bar) => sum + bar.beads - (bar.taken ?? 0), 0);
            if (beads && one.kind !== "division") assert.equal(beads, answer.n, `the beads of ${text(one)}`);
            if (parts.length) assert.ok(parts.every((bar) => bar.filled <= bar.parts));
          });
        }
      }
    }
    const of = (kind, numbers, tokens, n, d = 1) => way({ kind, level: 1, numbers, steps: [{ shown: tokens, answer: { n, d } }] }, 0);
    assert.deepEqual(of("addition", [8, 5], ["8", "+", "5"], 13).lines.map(shown), ["8 + 2 = 10", "10 + 3 = 13"]);
    assert.deepEqual(of("addition", [48, 27], ["48", "+", "27"], 75).lines.map(shown), ["40 + 20 = 60", "8 + 7 = 15", "60 + 15 = 75"]);
    assert.deepEqual(of("subtraction", [13, 4], ["13", "−", "4"], 9).bars, [{ beads: 13, taken: 4 }]);
    assert.deepEqual(of("multiplication", [7, 3], ["7", "×", "3"], 21).bars, [{ beads: 7 }, { beads: 7 }, { beads: 7 }]);
    assert.deepEqual(of("fractions", [1, 2, 1, 4], [{ n: 1, d: 2 }, "+", { n: 1, d: 4 }], 3, 4).lines.map(shown), ["1/2 = 2/4", "2/4 + 1/4 = 3/4"]);
  },

  async keyboards() {
    const { fitting, presses, finger, layouts } = await load("keys.js");
    for (const [code, key, expected] of [
      ["KeyQ", "a", ["azerty"]], ["KeyQ", "q", ["qwerty", "qwertz"]], ["KeyY", "z", ["qwertz"]], ["KeyA", "Q", ["azerty"]], ["KeyZ", "y", ["qwertz"]],
      ["Semicolon", "m", ["azerty"]], ["KeyF", "f", []], ["KeyQ", "Dead", []], ["KeyQ", "Process", []], ["", "q", []],
    ]) assert.deepEqual(fitting(code, key), expected, `${code} gives ${key}`);
    const at = (row, column, shift = false) => ({ row, column, shift });
    assert.deepEqual(presses("qwerty", "f"), [at(2, 3)]);
    assert.deepEqual(presses("azerty", "."), [at(3, 7, true)], "the full stop of AZERTY has Shift");
    assert.deepEqual(presses("azerty", "ê"), [at(1, 10), at(1, 2)], "the dead key first");
    assert.deepEqual(presses("azerty", "ï"), [at(1, 10, true), at(1, 7)]);
    assert.deepEqual(presses("qwertz", "A"), [at(2, 0, true)]);
    assert.deepEqual(presses("qwerty", "é"), []);
    assert.deepEqual([..."asdfghjkl;"].map((key) => finger(presses("qwerty", key)[0])), [0, 1, 2, 3, 3, 4, 4, 5, 6, 7]);
    assert.equal(finger(presses("qwerty", " ")[0]), 8);
    for (const rows of Object.values(layouts)) for (const [plain, shifted] of rows) assert.equal([...plain].length, [...shifted].length, "each key has two characters");
  },

  async lessons() {
    const { layouts, lessons, passage, presses, open } = await load("keys.js");
    const { vocabulary } = await load("vocabulary.js");
    const random = chance(17);
    for (const layout of Object.keys(layouts)) {
      for (const language of ["en", "fr"]) {
        const all = lessons(layout, language);
        assert.equal(all.length, layout === "azerty" && language === "fr" ? 10 : 8);
        assert.deepEqual([...all[0].new].sort().join(""), "fghj", "the index fingers begin on the home row");
        for (const [place, lesson] of all.entries()) {
          for (let turn = 0; turn < 20; turn += 1) {
            const text = passage(lesson, vocabulary[language], random);
            const name = `lesson ${place + 1} of ${layout} in ${language}: ${text}`;
            for (const character of text) assert.ok(presses(layout, character).length, `${character} in ${name}`);
            assert.ok(text.length > 20 && text.length < 130, name);
            if (lesson.isWords) {
              assert.equal(text.split(" ").length, 10, name);
              assert.ok([...text].some((character) => lesson.new.includes(character)), name);
              assert.ok([...text.toLowerCase().replaceAll(" ", "")].every((character) => lesson.keys.includes(character)), name);
            }
          }
        }
      }
    }
    assert.deepEqual([open(8, {}), open(8, { 1: 94 }), open(8, { 1: 95 }), open(8, { 1: 100, 3: 99 }), open(2, { 1: 95, 2: 99 })], [1, 1, 2, 2, 2]);
  },

  async typing() {
    const { start, typed, typedAll, right, percent } = await load("keys.js");
    const after = (text, keys) => [...keys].reduce(typed, start(text));
    assert.deepEqual(after("cat", "cat"), { text: "cat", at: 3, slips: [] });
    const slipped = after("cat", "cxxat");
    assert.deepEqual([slipped.at, slipped.slips, right(slipped)], [3, [1], 2], "a wrong key leaves the place and counts once");
    assert.deepEqual(after("cat", "catx").at, 3);
    assert.equal(after("l’eau", "l'eau").at, 5, "a straight apostrophe is one");
    assert.deepEqual(typedAll(start("tête"), "tê").at, 2, "a dead key and its letter come as one");
    assert.deepEqual(typedAll(start("tête"), "te\u0302te").at, 4);
    assert.deepEqual([percent(19, 20), percent(949, 1000), percent(0, 0), percent(20, 20)], [95, 94, 0, 100]);
  },

  async vocabulary() {
    const { vocabulary } = await load("vocabulary.js");
    for (const [language, { words, sentences, lists }] of Object.entries(vocabulary)) {
      assert.equal(new Set(words).size, words.length, `${language} has no word twice: ${words.filter((word, place) => words.indexOf(word) !== place)}`);
      assert.ok(words.length > 250 && sentences.length >= 10);
      const space = language === "fr" ? /[^ ] [?!;:]|^[^?!;:]*$/ : /^([^?!;:]|[^ ][?!;:])*$/;
      for (const sentence of sentences) assert.match(sentence, space, `${language} and the space before a sign: ${sentence}`);
      for (const list of Object.values(lists)) {
        assert.ok(list.length >= 18 && new Set(list).size === list.length, list.join(" "));
        for (const word of list) assert.match(word, /^[\p{L}’-]+$/u);
      }
    }
  },
};

/** What the numbers of a level look like. */
function checkLevel(kind, level, { numbers: [a, b, c, d], steps }, name) {
  const { answer } = steps[0];
  if (kind === "addition" && level === 1) assert.ok(a + b <= 10, name);
  if (kind === "addition" && level === 2) assert.ok(a + b > 10 && a < 10 && b < 10, name);
  if (kind === "addition" && (level === 3 || level === 5)) assert.ok((a % 10) + (b % 10) < 10 && a > 10, name);
  if (kind === "addition" && (level === 4 || level >= 6)) assert.ok((a % 10) + (b % 10) > 10, name);
  if (kind === "subtraction" && level === 3) assert.ok(b < 10 && a % 10 >= b % 10, name);
  if (kind === "multiplication" && level <= 4) assert.ok(a <= 10 && b <= 10, name);
  if (kind === "multiplication" && level === 5) assert.ok((a % 10) * b < 10 && Math.floor(a / 10) * b < 10, name);
  if (kind === "division") assert.equal(a % b, 0, name);
  if (kind === "fractions" && level <= 2) assert.equal(b, d, name);
  if (kind === "fractions" && level >= 5) assert.ok(b !== d && b % d && d % b || a === b, name);
  if (kind === "fractions") assert.ok(answer.n <= answer.d, name);
  if (kind === "decimals" && level === 1) assert.ok(a + b < 100, name);
  if (kind === "order") assert.equal(steps.length, level === 3 || level === 5 ? 3 : 2, name);
}

try {
  await checks[what]();
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
} finally {
  await rm(copy, { recursive: true });
}
