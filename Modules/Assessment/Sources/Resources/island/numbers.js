// Numbers that can be read in two ways, as the server reads them (`NumberReading`).

/**
 * Returns both numbers that a text such as `16,000` can mean, with decimals and with groups; `null` for a clear text.
 * @param {string} typed
 * @returns {[decimal: string, grouped: string] | null}
 */
export function readings(typed) {
  const found = /^([+\-\u2212]?)([1-9]\d{0,2})[.,](\d{3})$/.exec(typed.trim());
  if (!found) return null;
  const sign = found[1] === "-" || found[1] === "\u2212" ? "-" : "";
  return [`${sign}${found[2]}.${found[3]}`, `${sign}${found[2]}${found[3]}`];
}
