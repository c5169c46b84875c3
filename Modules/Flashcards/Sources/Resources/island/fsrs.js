// FSRS-6 with its default parameters, as on the server (Model/Engines/FSRS.swift). A test compares both.

/** @typedef {"learning" | "review" | "relearning"} Phase */
/**
 * @typedef {object} Memory what is known about the memory of a card; instants are milliseconds since 1970
 * @property {Phase} phase
 * @property {number} step the position among the short intervals
 * @property {number} stability in days
 * @property {number} difficulty from 1 to 10
 * @property {number} reviewedAt
 * @property {number} due
 */

const day = 86_400_000;
const minute = 60_000;
const w = [
  0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483,
  0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];
/** The short intervals of each phase. @type {Record<string, number[]>} */
const steps = { learning: [minute, 10 * minute], relearning: [10 * minute] };
const longestInterval = 36_500;
const decay = -w[20];
const factor = 0.9 ** (1 / decay) - 1;

/** @param {number} value */
const clamped = (value) => Math.min(Math.max(value, 1), 10);
/** @param {number} rating */
const firstDifficulty = (rating) => w[4] - Math.exp(w[5] * (rating - 1)) + 1;

/** @param {number} stability the interval of a known card in days equals it, as the wanted probability is 90 % */
function interval(stability) {
  const floor = Math.floor(stability);
  const isHalf = stability - floor === 0.5;
  const whole = isHalf ? floor + (floor % 2) : Math.round(stability);
  return Math.min(Math.max(whole, 1), longestInterval);
}

/** @param {number} stability @param {number} rating */
function shortTerm(stability, rating) {
  const increase = Math.exp(w[17] * (rating - 3 + w[18])) * stability ** -w[19];
  return stability * (rating === 1 ? increase : Math.max(increase, 1));
}

/** @param {Memory} memory @param {number} rating @param {number} days */
function longTerm({ stability, difficulty }, rating, days) {
  const forgotten = 1 - (1 + (factor * days) / stability) ** decay;
  if (rating === 1) {
    const long = w[11] * difficulty ** -w[12] * ((stability + 1) ** w[13] - 1) * Math.exp(forgotten * w[14]);
    return Math.min(long, stability / Math.exp(w[17] * w[18]));
  }
  const weight = rating === 2 ? w[15] : rating === 4 ? w[16] : 1;
  return stability * (1 + Math.exp(w[8]) * (11 - difficulty) * stability ** -w[9] * (Math.exp(forgotten * w[10]) - 1) * weight);
}

/** @param {number} difficulty @param {number} rating */
function nextDifficulty(difficulty, rating) {
  const damped = difficulty + ((10 - difficulty) * -w[6] * (rating - 3)) / 9;
  return clamped(w[7] * firstDifficulty(4) + (1 - w[7]) * damped);
}

/**
 * The memory of a card after a review.
 * @param {Memory | null} memory `null` for a new card @param {number} rating from 1 (again) to 4 (easy)
 * @param {number} at @returns {Memory}
 */
export function reviewed(memory, rating, at) {
  const phase = memory?.phase ?? "learning";
  const step = memory?.step ?? 0;
  let stability = w[rating - 1];
  let difficulty = clamped(firstDifficulty(rating));
  if (memory) {
    const days = Math.floor((at - memory.reviewedAt) / day);
    stability = Math.max(days < 1 ? shortTerm(memory.stability, rating) : longTerm(memory, rating, days), 0.001);
    difficulty = nextDifficulty(memory.difficulty, rating);
  }
  /** @param {Phase} next @param {number} place @param {number} wait @returns {Memory} */
  const made = (next, place, wait) => ({ phase: next, step: place, stability, difficulty, reviewedAt: at, due: at + wait });
  const known = () => made("review", 0, interval(stability) * day);
  if (phase === "review") return rating === 1 ? made("relearning", 0, steps.relearning[0]) : known();
  const short = steps[phase];
  if (rating === 4) return known();
  if (rating === 1) return made(phase, 0, short[0]);
  if (rating === 2) {
    if (step > 0) return made(phase, step, short[Math.min(step, short.length - 1)]);
    return made(phase, 0, short.length === 1 ? short[0] * 1.5 : (short[0] + short[1]) / 2);
  }
  return step + 1 < short.length ? made(phase, step + 1, short[step + 1]) : known();
}
