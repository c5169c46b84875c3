// Offers names of participants after an @: arrows choose, Return and Tab accept, Escape dismisses.
import { element } from "./core.js";

/**
 * The text between an @ at a word's start and the cursor; names may contain blanks.
 */
const call = /(?:^|[^\p{L}\p{N}])@([^@\n]{0,60})$/u;

/** @param {string} text */
function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** @param {Event} event @returns {HTMLTextAreaElement | null} */
const boxOf = ({ target }) => target instanceof HTMLTextAreaElement && target.id === "composer-text" ? target : null;

/** @param {HTMLTextAreaElement} box */
function asked(box) {
  return call.exec(box.value.slice(0, box.selectionStart))?.[1];
}

/**
 * The first names of which a word begins with the typed text.
 * @param {string | undefined} typed
 */
const fitting = (typed) => [...document.querySelectorAll("#composer-names option")]
  .map((option) => option.getAttribute("value") ?? "")
  .filter((name) => typed !== undefined && (" " + folded(name)).includes(" " + folded(typed)))
  .slice(0, 6);

/** @type {HTMLElement | null} */
let list = null;
let chosen = 0;

function shut() {
  list?.remove();
  list = null;
  document.getElementById("composer-text")?.removeAttribute("aria-activedescendant");
}

/** @param {HTMLTextAreaElement} box @param {number} place */
function choose(box, place) {
  const options = [...(list?.children ?? [])];
  chosen = (place + options.length) % options.length;
  options.forEach((option, index) => option.setAttribute("aria-selected", `${index === chosen}`));
  box.setAttribute("aria-activedescendant", options[chosen].id);
}

/**
 * Replaces the typed text by the whole name.
 * @param {HTMLTextAreaElement} box @param {Element | undefined} option
 */
function take(box, option) {
  const end = box.selectionStart;
  box.setRangeText(option?.textContent + " ", end - (asked(box) ?? "").length, end, "end");
  shut();
}

document.addEventListener("input", (event) => {
  const box = boxOf(event);
  if (!box) return;
  shut();
  const names = fitting(asked(box));
  if (!names.length) return;
  list = element("ul", "pt-composer__offer", ...names.map((name, index) => {
    const option = element("li", "", name);
    option.id = "offer-" + index;
    option.setAttribute("role", "option");
    // The focus stays in the text, so the on-screen keyboard stays open.
    option.addEventListener("pointerdown", (event) => event.preventDefault());
    option.addEventListener("click", () => take(box, option));
    return option;
  }));
  list.dataset.keep = "";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", document.getElementById("composer-names")?.dataset.label ?? "");
  box.after(list);
  choose(box, 0);
});

document.addEventListener("focusout", shut);

// Runs before other handlers, since Return would send the message.
document.addEventListener("keydown", (event) => {
  const box = boxOf(event);
  if (!box || !list || event.isComposing || event.shiftKey) return;
  if (event.key === "ArrowDown") choose(box, chosen + 1);
  else if (event.key === "ArrowUp") choose(box, chosen - 1);
  else if (event.key === "Enter" || event.key === "Tab") take(box, list.children[chosen]);
  else if (event.key === "Escape") shut();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
