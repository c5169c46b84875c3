// The tasks of the math quiz: what is asked at each level, whether an answer is right, how a level follows the child, and
// the way to show after a wrong answer. Pure.

/** @typedef {"addition" | "subtraction" | "multiplication" | "division" | "fractions" | "decimals" | "order"} Kind */
/** @typedef {{ n: number, d: number }} Fraction */
/**
 * A number, an operator or a bracket as text, with a point in decimals; or a fraction.
 * @typedef {string | Fraction} Token
 */
/** @typedef {{ shown: Token[], active?: [number, number], answer: Fraction }} Step `active` are the tokens to work out now */
/** @typedef {{ kind: Kind, level: number, steps: Step[], numbers: number[] }} Task */
/**
 * The level of one kind of task. `run` counts right answers in a row, `slips` the recent wrong ones.
 * @typedef {{ level: number, run: number, slips: number }} Place
 */
/**
 * A bar of beads: so many of one length, and so many at its end that are taken away.
 * @typedef {{ beads: number, taken?: number }} Bar
 */
/**
 * A bar in equal parts, of which some are filled.
 * @typedef {{ parts: number, filled: number }} Parts
 */
/** @typedef {{ bars: Bar[], parts: Parts[], lines: Token[][] }} Way */

/** The number of tasks of a round. */
export const size = 10;
/** The right answers in a row after which the level goes up. */
export const steady = 5;
/** The wrong answers, less the right ones since, after which the level goes down. */
export const gentle = 3;

/**
 * The highest level of each kind, in the order in which they are offered.
 * @type {Record<Kind, number>}
 */
export const highest = { addition: 7, subtraction: 7, multiplication: 6, division: 6, fractions: 6, decimals: 5, order: 5 };
export const kinds = /** @type {Kind[]} */ (Object.keys(highest));

/**
 * The level after an answer at the first appearance of a task.
 * @param {Place} place @param {boolean} isRight @param {number} top @returns {Place}
 */
export function follow({ level, run, slips }, isRight, top) {
  if (isRight) {
    if (run + 1 >= steady && level < top) return { level: level + 1, run: 0, slips: 0 };
    return { level, run: run + 1, slips: Math.max(0, slips - 1) };
  }
  if (slips + 1 >= gentle && level > 1) return { level: level - 1, run: 0, slips: 0 };
  return { level, run: 0, slips: Math.min(slips + 1, gentle) };
}

// --- Numbers

/** @param {number} a @param {number} b @returns {number} */
const divisor = (a, b) => (b ? divisor(b, a % b) : a);
/** @param {number} n @param {number} [d] @returns {Fraction} */
const whole = (n, d = 1) => ({ n, d });
/** @param {Fraction} value @returns {Fraction} */
export const lowest = ({ n, d }) => {
  const common = divisor(n, d) || 1;
  return { n: n / common, d: d / common };
};
/**
 * A number in hundredths as text: 30 is "0.3".
 * @param {number} hundredths
 */
const decimal = (hundredths) => String(hundredths / 100);

/**
 * The number that a person typed: whole, with a decimal comma or point, a fraction, or both; `null` if it is none.
 * @param {string} text @returns {Fraction | null}
 */
export function number(text) {
  const clean = text.trim().replace(/[\u00A0\u202F]/g, " ").replace("⁄", "/");
  const mixed = clean.match(/^(?:(\d{1,4})\s)?(\d{1,4})\s?\/\s?(\d{1,4})$/);
  if (mixed) {
    const [units, n, d] = [Number(mixed[1] ?? 0), Number(mixed[2]), Number(mixed[3])];
    return d ? { n: units * d + n, d } : null;
  }
  const simple = clean.match(/^(\d{0,6})(?:[.,](\d{1,4}))?$/);
  if (!simple || !(simple[1] || simple[2])) return null;
  const places = simple[2]?.length ?? 0;
  return { n: Number((simple[1] || "0") + (simple[2] ?? "")), d: 10 ** places };
}

/**
 * Whether two numbers are the same; 2/4 is as right as 1/2.
 * @param {Fraction} one @param {Fraction} other
 */
export const equals = (one, other) => one.n * other.d === other.n * one.d;

// --- Tasks

/**
 * A task of a kind and level.
 * @param {Kind} kind @param {number} level @param {() => number} random from 0 to below 1 @returns {Task}
 */
export function task(kind, level, random) {
  /** @param {number} low @param {number} high both included */
  const pick = (low, high) => low + Math.floor(random() * (high - low + 1));
  /** @template T @param {T[]} some @returns {T} */
  const one = (some) => some[pick(0, some.length - 1)];
  /** @param {Token[]} shown @param {Fraction} answer @param {number[]} numbers @returns {Task} */
  const simple = (shown, answer, numbers) => ({ kind, level, steps: [{ shown, answer }], numbers });
  switch (kind) {
    case "addition": {
      const [a, b] = summands(level, pick);
      return simple([String(a), "+", String(b)], whole(a + b), [a, b]);
    }
    case "subtraction": {
      const [a, b] = summands(level, pick);
      return simple([String(a + b), "−", String(b)], whole(a), [a + b, b]);
    }
    case "multiplication": {
      const [a, b] = factors(level, pick, one);
      return simple([String(a), "×", String(b)], whole(a * b), [a, b]);
    }
    case "division": {
      const [a, b] = factors(level, pick, one);
      return simple([String(a * b), "÷", String(b)], whole(a), [a * b, b]);
    }
    case "fractions": return fractions(level, pick, one, simple);
    case "decimals": return decimals(level, pick, simple);
    default: return order(level, pick, one);
  }
}

/** @param {number} level @param {(low: number, high: number) => number} pick @returns {[number, number]} */
function summands(level, pick) {
  if (level <= 1) {
    const a = pick(1, 9);
    return [a, pick(1, 10 - a)];
  }
  if (level === 2) {
    const a = pick(2, 9);
    return [a, pick(11 - a, 9)];
  }
  const tens = pick(1, level < 5 ? 8 : 4) * 10;
  if (level === 3 || level === 5) {
    const ones = pick(1, 8);
    return [tens + ones, (level === 5 ? pick(1, 4) * 10 : 0) + pick(1, 9 - ones)];
  }
  const ones = pick(2, 9);
  const others = pick(11 - ones, 9);
  if (level === 4) return [tens + ones, others];
  if (level === 6) return [tens + ones, pick(1, 4) * 10 + others];
  return [pick(1, 8) * 100 + tens + ones, pick(1, 4) * 10 + others];
}

/**
 * @param {number} level @param {(low: number, high: number) => number} pick @param {(some: number[]) => number} one
 * @returns {[number, number]}
 */
function factors(level, pick, one) {
  switch (level) {
    case 1: return [pick(1, 10), one([1, 2, 5, 10])];
    case 2: return [pick(2, 10), one([3, 4])];
    case 3: return [pick(3, 9), pick(6, 9)];
    case 4: return [pick(2, 10), pick(2, 10)];
    // Each digit times the other number stays below ten.
    case 5: {
      const b = pick(2, 4);
      const most = Math.floor(9 / b);
      return [pick(1, most) * 10 + pick(1, most), b];
    }
    default: return [pick(12, 49), pick(3, 9)];
  }
}

/**
 * @param {number} level @param {(low: number, high: number) => number} pick @param {(some: number[][]) => number[]} one
 * @param {(shown: Token[], answer: Fraction, numbers: number[]) => Task} simple
 */
function fractions(level, pick, one, simple) {
  const isSum = level % 2 === 1;
  let d = pick(3, 10);
  let e = d;
  if (level === 3 || level === 4) [d, e] = one([[2, 4], [2, 6], [2, 8], [3, 6], [3, 9], [4, 8], [5, 10], [2, 10], [4, 2], [6, 3]]);
  if (level >= 5) [d, e] = one([[2, 3], [2, 5], [3, 4], [3, 5], [4, 5], [3, 2], [4, 3], [5, 2], [4, 6], [6, 4]]);
  const all = (d * e) / divisor(d, e);
  let [a, b] = [pick(1, d - 1), pick(1, e - 1)];
  let [left, right] = [(a * all) / d, (b * all) / e];
  if (isSum && left + right > all) [a, b] = [d - a, e - b];
  [left, right] = [(a * all) / d, (b * all) / e];
  if (isSum) return simple([{ n: a, d }, "+", { n: b, d: e }], { n: left + right, d: all }, [a, d, b, e]);
  if (left === right) return simple(["1", "−", { n: a, d }], { n: d - a, d }, [d, d, a, d]);
  if (left < right) [a, d, b, e, left, right] = [b, e, a, d, right, left];
  return simple([{ n: a, d }, "−", { n: b, d: e }], { n: left - right, d: all }, [a, d, b, e]);
}

/**
 * @param {number} level @param {(low: number, high: number) => number} pick
 * @param {(shown: Token[], answer: Fraction, numbers: number[]) => Task} simple
 */
function decimals(level, pick, simple) {
  let [a, b] = [pick(1, 8) * 10, 0];
  b = pick(1, 9 - a / 10) * 10;
  if (level === 2) {
    a = pick(2, 9) * 10;
    b = pick(11 - a / 10, 9) * 10;
  } else if (level >= 3) {
    const size = level === 5 ? 1 : 10;
    a = pick(105 / (size === 1 ? 1 : 7), 499 / size) * size;
    b = pick(11, 499 / size) * size;
  }
  const total = a + b;
  if (level === 4) return simple([decimal(total), "−", decimal(a)], whole(b, 100), [total, a]);
  return simple([decimal(a), "+", decimal(b)], whole(total, 100), [a, b]);
}

/**
 * The order of operations, a step at a time: each step has brackets around what comes first.
 * @param {number} level @param {(low: number, high: number) => number} pick
 * @param {(some: number[]) => number} one
 * @returns {Task}
 */
function order(level, pick, one) {
  const [a, b, c, d] = [pick(2, 9), pick(2, 6), pick(2, 6), pick(2, 6)];
  const isFirst = one([0, 1]) === 0;
  /** @param {...Step} steps @returns {Task} */
  const made = (...steps) => ({ kind: "order", level, steps, numbers: [a, b, c, d] });
  /** @param {(string | number)[]} shown @param {[number, number]} active @param {number} answer @returns {Step} */
  const step = (shown, active, answer) => ({ shown: shown.map(String), active, answer: whole(answer) });
  const product = b * c;
  if (level <= 1) {
    return isFirst
      ? made(step([a, "+", b, "×", c], [2, 5], product), step([a, "+", product], [0, 3], a + product))
      : made(step([b, "×", c, "+", a], [0, 3], product), step([product, "+", a], [0, 3], product + a));
  }
  if (level === 2) {
    const less = Math.min(a, product - 1);
    const more = product + a;
    return isFirst
      ? made(step([b, "×", c, "−", less], [0, 3], product), step([product, "−", less], [0, 3], product - less))
      : made(step([more, "−", b, "×", c], [2, 5], product), step([more, "−", product], [0, 3], a));
  }
  if (level === 3) {
    const other = a * d;
    return made(
      step([b, "×", c, "+", a, "×", d], [0, 3], product), step([product, "+", a, "×", d], [2, 5], other),
      step([product, "+", other], [0, 3], product + other));
  }
  if (level === 4) {
    const sum = a + b;
    return isFirst
      ? made(step(["(", a, "+", b, ")", "×", c], [0, 5], sum), step([sum, "×", c], [0, 3], sum * c))
      : made(step([c, "×", "(", sum, "−", b, ")"], [2, 7], a), step([c, "×", a], [0, 3], c * a));
  }
  const inner = c + d;
  return made(
    step([a, "+", b, "×", "(", inner, "−", d, ")"], [4, 9], c), step([a, "+", b, "×", c], [2, 5], product),
    step([a, "+", product], [0, 3], a + product));
}

/**
 * Different tasks for a round.
 * @param {Kind} kind @param {number} level @param {() => number} random @param {Task[]} [others] that are not asked again
 */
export function fresh(kind, level, random, others = []) {
  const known = new Set(others.map(text));
  let made = task(kind, level, random);
  // Low levels have few tasks, so a repetition is accepted in the end.
  for (let tries = 0; tries < 20 && known.has(text(made)); tries += 1) made = task(kind, level, random);
  return made;
}

/**
 * A task as plain text, which names it in a result.
 * @param {Task} task
 */
export const text = ({ steps }) => steps[0].shown.map((token) => (typeof token === "string" ? token : token.n + "/" + token.d)).join(" ")
  .replaceAll("( ", "(").replaceAll(" )", ")");

/**
 * The tokens of a step with brackets around what comes first, unless it is everything or has its own.
 * @param {Step} step @returns {{ tokens: Token[], active: [number, number] }}
 */
export function bracketed({ shown, active }) {
  if (!active || active[1] - active[0] === shown.length || shown[active[0]] === "(") return { tokens: shown, active: active ?? [0, shown.length] };
  const [from, to] = active;
  return { tokens: [...shown.slice(0, from), "(", ...shown.slice(from, to), ")", ...shown.slice(to)], active: [from, to + 2] };
}

// --- The way

/**
 * Tens and ones.
 * @param {number} value @returns {[number, number]}
 */
const places = (value) => [Math.floor(value / 10) * 10, value % 10];
/** @param {(string | number | Fraction)[]} tokens @returns {Token[]} */
const line = (...tokens) => tokens.map((token) => (typeof token === "number" ? String(token) : token));

/**
 * How to find the answer to a step: bars of beads, bars in parts, and lines of calculation.
 * @param {Task} task @param {number} place of the step @returns {Way}
 */
export function way(task, place) {
  const [a, b, c, d] = task.numbers;
  const { answer, shown } = task.steps[place];
  switch (task.kind) {
    case "addition": return sum(a, b);
    case "subtraction": return difference(a, b);
    case "multiplication": return product(a, b);
    case "division": return { ...groups(b, a / b), lines: [line(b, "×", a / b, "=", a), line(a, "÷", b, "=", a / b)] };
    case "fractions": {
      const [one, other] = [whole(a, b), whole(c, d)];
      const all = answer.d;
      const sign = /** @type {string} */ (shown[1]);
      const [left, right] = [whole((a * all) / b, all), whole((c * all) / d, all)];
      const same = [[one, left], [other, right]].filter(([before, after]) => before.d !== after.d);
      const short = lowest(answer);
      const result = line(left, sign, right, "=", answer, ...(short.d === answer.d ? [] : ["=", short.d === 1 ? short.n : short]));
      return { bars: [], parts: [{ parts: b, filled: a }, { parts: d, filled: c }], lines: [...same.map(([before, after]) => line(before, "=", after)), result] };
    }
    case "decimals": {
      const size = a % 10 || b % 10 ? 100 : 10;
      /** @param {number} hundredths */
      const part = (hundredths) => whole((hundredths * size) / 100, size);
      const sign = /** @type {string} */ (shown[1]);
      const result = sign === "+" ? a + b : a - b;
      return { bars: [], parts: [], lines: [line(part(a), sign, part(b), "=", part(result)), line(shown[0], sign, shown[2], "=", decimal(result))] };
    }
    default: {
      const step = task.steps[place];
      const { tokens, active } = bracketed(step);
      const inner = tokens.slice(...active).filter((token) => token !== "(" && token !== ")");
      const [x, y] = [Number(inner[0]), Number(inner[2])];
      const found = inner[1] === "×" ? product(x, y) : inner[1] === "+" ? sum(x, y) : difference(x, y);
      return { ...found, lines: active[1] - active[0] === tokens.length ? found.lines : [tokens, ...found.lines] };
    }
  }
}

/** @param {number} a @param {number} b @returns {Way} */
function sum(a, b) {
  const bars = [...beads(a), ...beads(b)];
  const total = line(a, "+", b, "=", a + b);
  if (a < 10 && b < 10) {
    const toTen = 10 - a;
    return { bars, parts: [], lines: a + b > 10 ? [line(a, "+", toTen, "=", 10), line(10, "+", b - toTen, "=", a + b)] : [total] };
  }
  const [[tens, ones], [otherTens, otherOnes]] = [places(a), places(b)];
  /** @type {Token[][]} */
  const lines = otherTens ? [line(tens, "+", otherTens, "=", tens + otherTens)] : [];
  if (ones && otherOnes) lines.push(line(ones, "+", otherOnes, "=", ones + otherOnes));
  if (lines.length && ones + otherOnes) lines.push(line(tens + otherTens, "+", ones + otherOnes, "=", a + b));
  return { bars: a + b <= 100 ? bars : [], parts: [], lines: lines.length ? lines : [total] };
}

/** @param {number} a @param {number} b @returns {Way} */
function difference(a, b) {
  const [tens, ones] = places(b);
  if (a <= 20) return { bars: [{ beads: a, taken: b }], parts: [], lines: [line(b, "+", a - b, "=", a), line(a, "−", b, "=", a - b)] };
  /** @type {Token[][]} */
  const lines = [];
  if (tens) lines.push(line(a, "−", tens, "=", a - tens));
  if (ones) lines.push(line(a - tens, "−", ones, "=", a - b));
  return { bars: [], parts: [], lines };
}

/** @param {number} a @param {number} b @returns {Way} */
function product(a, b) {
  const [tens, ones] = places(a);
  if (a <= 10 && b <= 10) {
    return { ...groups(a, b), lines: b > 1 && b < 5 ? [line(...Array(b).fill(a).flatMap((one, at) => (at ? ["+", one] : [one])), "=", a * b)] : [line(a, "×", b, "=", a * b)] };
  }
  return { bars: [], parts: [], lines: [line(tens, "×", b, "=", tens * b), line(ones, "×", b, "=", ones * b), line(tens * b, "+", ones * b, "=", a * b)] };
}

/**
 * So many bars of one length.
 * @param {number} length @param {number} count @returns {Way}
 */
const groups = (length, count) => ({ bars: length <= 10 && count <= 10 ? Array(count).fill({ beads: length }) : [], parts: [], lines: [] });

/**
 * A number as bars of ten and a rest.
 * @param {number} value @returns {Bar[]}
 */
const beads = (value) => [...Array(Math.floor(value / 10)).fill({ beads: 10 }), ...(value % 10 ? [{ beads: value % 10 }] : [])];
