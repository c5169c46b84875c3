// What a read of a tag means, decided on the device from the gate's list: who it is, in which direction, and how late.

/** @typedef {"checkIn" | "checkOut"} Direction */
/**
 * @typedef {object} Resident
 * @property {string} id
 * @property {string} name
 * @property {string} initials
 * @property {string | null} [room]
 * @property {string | null} [photo]
 * @property {Direction | null} [type] the direction of the latest passage that the server knows
 * @property {string | null} [lastPassage]
 * @property {string | null} [changedAt]
 * @property {{ id: string, fingerprint: string, isLost: boolean }[]} tags
 * @property {{ from: string, to: string }[]} leaves
 */
/**
 * @typedef {object} List `GateList` of the API
 * @property {{ id: string, name: string }} gate
 * @property {string} residence
 * @property {string} now
 * @property {string} timeZone
 * @property {{ start: string, curfew: string }[]} days
 * @property {Resident[]} residents
 */
/** @typedef {{ type: Direction | null, at: number, changed: number }} Known where a resident was last, in milliseconds */
/**
 * @typedef {object} Decision
 * @property {Direction} type
 * @property {number | null} due the time by which the resident was to be back, where it is past
 * @property {number | null} leave the end of an approved leave that lasts
 */

/** Two reads within this many milliseconds are one (`PassageLog.repeatWindow`). */
export const repeatWindow = 10_000;

/**
 * A code as it is compared: the letters and digits after the last slash, in upper case (`TagCode.normalized`).
 * @param {string} text
 */
export function normalized(text) {
  return (text.split("/").filter(Boolean).pop() ?? "").toUpperCase().replace(/[^A-Z0-9]/g, "");
}

/**
 * The fingerprint of a code: the list holds no codes, so that a stolen tablet opens no door.
 * @param {string} code
 */
export async function fingerprint(code) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The resident and the tag of one of several codes; undefined if the list has none of them.
 * @param {List} list @param {string[]} codes readings of the same tag
 */
export async function find(list, codes) {
  for (const code of codes.map(normalized)) {
    if (code.length < 4) continue;
    const wanted = await fingerprint(code);
    for (const resident of list.residents) {
      const tag = resident.tags.find((one) => one.fingerprint === wanted);
      if (tag) return { resident, tag };
    }
  }
  return undefined;
}

/**
 * Where a resident was last: the later of what the server knew and what this gate has recorded since.
 * @param {Resident} resident @param {Known | undefined} own @returns {Known}
 */
export function latest(resident, own) {
  const at = resident.lastPassage ? Date.parse(resident.lastPassage) : -Infinity;
  if (own && own.at >= at) return own;
  return { type: resident.type ?? null, at, changed: resident.changedAt ? Date.parse(resident.changedAt) : -Infinity };
}

/**
 * Decides about a passage as the server's `AttendanceEngine` does.
 * @param {List} list @param {Resident} resident @param {Known} known @param {number} now @returns {Decision}
 */
export function decide(list, resident, known, now) {
  const type = known.type === "checkIn" ? "checkOut" : "checkIn";
  const leaves = resident.leaves.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }));
  const present = leaves.find(({ from, to }) => from <= now && now < to);
  if (type === "checkOut" || present) return { type, due: null, leave: present?.to ?? null };
  const days = list.days.map(({ start, curfew }) => ({ start: Date.parse(start), curfew: Date.parse(curfew) }));
  const day = days.filter(({ start }) => start <= now).pop();
  if (!day) return { type, due: null, leave: null };
  // A leave that ended on this day, without a return since.
  const ended = Math.max(-Infinity, ...leaves.filter(({ to }) => day.start <= to && to <= now).map(({ to }) => to));
  if (ended > -Infinity && known.changed <= ended) return { type, due: ended, leave: null };
  const isLate = known.type === "checkOut" && known.at >= day.start && now >= day.curfew;
  return { type, due: isLate ? day.curfew : null, leave: null };
}
