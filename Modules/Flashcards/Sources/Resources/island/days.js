// The days of the school, also where clocks are changed. Pure.

const hour = 3_600_000;
/** Longer than any day: one on which clocks are set back has 25 hours. */
const longest = 26 * hour;

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * The calendar day of an instant, as `2026-11-26`.
 * @param {number} instant milliseconds since 1970 @param {string} timeZone
 */
export function dayOf(instant, timeZone) {
  let format = formats.get(timeZone);
  if (!format) {
    // Swedish writes days as ISO 8601 does.
    format = new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    formats.set(timeZone, format);
  }
  return format.format(instant);
}

/**
 * The first instant after another one, at most a day and two hours away, at which the day is different, to the second.
 * @param {number} from @param {1 | -1} way 1 for later instants, -1 for earlier ones @param {string} timeZone
 */
function change(from, way, timeZone) {
  const day = dayOf(from, timeZone);
  // A change is between both numbers of seconds.
  let [near, far] = [0, longest / 1000];
  while (far - near > 1) {
    const middle = Math.floor((near + far) / 2);
    if (dayOf(from + way * middle * 1000, timeZone) === day) near = middle;
    else far = middle;
  }
  return from + way * (way > 0 ? far : near) * 1000;
}

/**
 * The first instants of a day and of the one after it, for a time within the day.
 * @param {number} instant @param {string} timeZone
 */
export function boundsOf(instant, timeZone) {
  // Days begin with a full second.
  const second = instant - (instant % 1000);
  return { start: change(second, -1, timeZone), end: change(second, 1, timeZone) };
}
