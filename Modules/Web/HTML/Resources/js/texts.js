// The texts of an island, which are among its properties.

/** @typedef {Record<string, string | number>} Values */

/**
 * A text with its values in place of `{name}`. What a value contains stays as it is, also `{name}` and `$&`.
 * @param {string} text @param {Values} values
 */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => String(values[name] ?? gap));
}

/**
 * A text with its values in place of `{name}`; empty for an unknown key.
 * @param {Record<string, string>} words @param {string} key @param {Values} [values]
 */
export function say(words, key, values = {}) {
  return filled(words[key] ?? "", values);
}

/**
 * A text with a number, in its singular or plural form. The number is the value `{n}`.
 * @param {Record<string, string>} words @param {string} language @param {string} key @param {number} n @param {Values} [values]
 */
export function count(words, language, key, n, values) {
  const form = new Intl.PluralRules(language).select(n) === "one" ? "one" : "other";
  return say(words, key + "." + form, { n: n.toLocaleString(language), ...values });
}
