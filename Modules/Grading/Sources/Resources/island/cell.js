// The content of a score's cell.
import { element } from "pinktower/core.js";

/**
 * The cell of a score around an event's target.
 * @param {Event} event
 */
export function cellOf(event) {
  const found = event.target instanceof Element ? event.target.closest("td.num") : null;
  return found instanceof HTMLElement ? found : null;
}

/**
 * @param {string} text the score as it is typed: "8.5", "7 l", "ex", "m"
 * @param {Record<string, string>} words @param {string} point
 */
export function scoreContent(text, words, point) {
  /** @param {string} tone @param {string} title */
  const tag = (tone, title) => element("span", "pt-tag pt-tag--" + tone, title);
  if (text === "") {
    const dash = element("span", "pt-gb__none", "–");
    dash.setAttribute("aria-hidden", "true");
    return [dash, element("span", "pt-hidden", words.unmarked ?? "")];
  }
  if (text === "ex") return [tag("neutral", words.excused ?? "")];
  if (text === "m") return [tag("danger", words.missing ?? "")];
  const shown = text.replace(".", point);
  if (!shown.endsWith(" l")) return [shown];
  return [shown.slice(0, -2), " ", tag("warning", words.late ?? "")];
}
