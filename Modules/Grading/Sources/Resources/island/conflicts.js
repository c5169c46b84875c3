// Asks about scores that another person has changed meanwhile: shows both values and who changed them.
import { element } from "pinktower/core.js";

/** @typedef {import("./changes.js").Clash} Clash */
/** @typedef {import("./changes.js").Spot} Spot */

let count = 0;

/**
 * Makes a box that asks for each score which of two values counts. The other person's is selected at first.
 * @param {Clash[]} clashes @param {(clash: Clash) => string} name names the student of a score
 * @param {(text: string) => (string | Node)[]} scoreContent the content of a score's cell
 * @param {Record<string, string>} words @param {(isMine: (spot: Spot) => boolean) => void} decided
 */
export function conflictBox(clashes, name, scoreContent, words, decided) {
  const box = element("form", "pt-gb__clash");
  const title = element("b", "", words.clash ?? "");
  title.id = `pt-clash-${(count += 1)}`;
  title.tabIndex = -1;
  box.setAttribute("aria-labelledby", title.id);
  const rows = clashes.map((clash, index) => {
    const field = `${title.id}-${index}`;
    const choices = [
      { value: "theirs", text: clash.theirs, who: clash.by ?? words.someone ?? "" },
      { value: "mine", text: clash.yours, who: words.yours ?? "" },
    ].map(({ value, text, who }) => {
      const radio = element("input", "");
      radio.type = "radio";
      radio.name = field;
      radio.value = value;
      radio.defaultChecked = value === "theirs";
      return element("label", "", radio, element("span", "", ...scoreContent(text)), element("span", "pt-gb__who", who));
    });
    return element("fieldset", "", element("legend", "", name(clash)), ...choices);
  });
  const apply = element("button", "pt-button pt-button--tonal", words.decide ?? "");
  apply.type = "submit";
  box.append(title, ...rows, apply);
  box.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    const chosen = new FormData(box);
    const mine = clashes.filter((_, index) => chosen.get(`${title.id}-${index}`) === "mine");
    box.remove();
    decided(({ student, item }) => mine.some((clash) => clash.student === student && clash.item === item));
  });
  return box;
}
