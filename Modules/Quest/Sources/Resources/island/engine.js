// The block's engines for devices without a network. A test compares them with the results of the Swift engines
// (Tests/QuestTests/Fixtures/golden.json). The server's results are the ones that count.

/** @typedef {"spot_on" | "close" | "off" | "way_off"} Rating */
/** @typedef {{ difference: number, accuracy: number, rating: Rating, direction: "over" | "under" | "exact" }} Score */
/** @typedef {{ id: string, text: string, icon: string, rating: string, direction: string, phase: string, history: string }} Message */

const calibrationSessions = 3;

/** @param {number} completed */
export const isCalibration = (completed) => completed < calibrationSessions;

/** @param {number} completed */
export const calibrationLeft = (completed) => Math.max(0, calibrationSessions - completed);

/**
 * @param {number} estimated @param {number} actual in seconds
 * @returns {Score}
 */
export function score(estimated, actual) {
  const difference = estimated - actual;
  const distance = Math.abs(difference);
  const accuracy = 100 - (100 * distance) / Math.max(actual, 1);
  const long = Math.max(actual, 60);
  /** @type {Rating} */
  let rating = "way_off";
  if (distance <= Math.max(15, 0.1 * long)) rating = "spot_on";
  else if (distance <= Math.max(20, 0.25 * long)) rating = "close";
  else if (distance <= Math.max(30, 0.5 * long)) rating = "off";
  const isExact = rating === "spot_on" && distance < 0.5;
  return {
    difference, rating, direction: isExact ? "exact" : difference > 0 ? "over" : "under",
    accuracy: Number.isFinite(accuracy) ? Math.min(Math.max(accuracy, 0), 100) : 0,
  };
}

/**
 * Compares a result with the last one of the same task.
 * @param {{ accuracy: number, rating: string }} result @param {{ accuracy: number, rating: string } | null} last
 */
export function course(result, last) {
  if (!last) return "any";
  if (result.accuracy - last.accuracy >= 5) return "better";
  return result.rating === last.rating ? "again" : "any";
}

/**
 * Chooses the message after a task, never the same twice in a row.
 * @template {{ id: string, rating: string, direction: string, phase: string, history: string }} T
 * @param {T[]} catalog @param {{ rating: string, direction: string }} result @param {"calibration" | "play"} phase
 * @param {string} history @param {{ id: string | null, turn: number }} before
 */
export function choose(catalog, result, phase, history, before) {
  const fitting = catalog.filter((one) =>
    one.phase === phase && one.rating === result.rating && one.id !== before.id &&
    (one.direction === "any" || one.direction === result.direction) && (one.history === "any" || one.history === history));
  const special = fitting.filter((one) => one.history !== "any");
  const choice = special.length ? special : fitting;
  return choice[Math.abs(before.turn % choice.length)];
}

/** @typedef {"hours" | "minutes" | "seconds"} Unit */

/** @param {number} seconds @returns {[Unit, number][]} */
function parts(seconds) {
  const bounded = Math.min(Math.max(Number.isFinite(seconds) ? seconds : 0, 0), 360_000);
  const whole = Math.round(bounded);
  /** @type {[Unit, number][]} */
  const all = [["hours", Math.floor(whole / 3600)], ["minutes", Math.floor((whole % 3600) / 60)], ["seconds", whole % 60]];
  const first = all.findIndex(([unit, count]) => unit === "seconds" || count > 0);
  return all.slice(first);
}

/**
 * Formats a duration: `2m 30s`.
 * @param {number} seconds @param {(unit: Unit, digits: string) => string} [unit]
 */
export function short(seconds, unit = (name, digits) => digits + name[0]) {
  return parts(seconds).map(([name, count], place) => unit(name, place ? String(count).padStart(2, "0") : String(count))).join(" ");
}

/**
 * Formats a duration for reading aloud: `2 minutes 30 seconds`.
 * @param {number} seconds @param {(unit: Unit, count: number) => string} [unit]
 */
export function long(seconds, unit = (name, count) => count + " " + (count === 1 ? name.slice(0, -1) : name)) {
  const all = parts(seconds);
  const spoken = all.filter(([, count]) => count > 0);
  return (spoken.length ? spoken : all).map(([name, count]) => unit(name, count)).join(" ");
}

/**
 * The weekday of a moment in a time zone; 1 is Monday.
 * @param {Date} moment @param {string} timeZone
 */
export function weekday(moment, timeZone) {
  const name = new Intl.DateTimeFormat("en-US", { weekday: "short", timeZone }).format(moment);
  return ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(name) + 1;
}
