// The sheets of the roll call: who is missing, and why a resident is out.
import { button, element, icon } from "pinktower/core.js";

let count = 0;

/**
 * Opens a sheet at the bottom of the page.
 * @param {string} title @param {string} detail @param {string} cancel @param {Node[]} body @param {() => void} closed
 */
export function sheet(title, detail, cancel, body, closed) {
  const heading = element("h2", "t-title2", title);
  heading.id = `pt-rc-sheet-${(count += 1)}`;
  const away = element("button", "pt-icon-button pt-icon-button--tonal", icon("x", "pt-icon--small"));
  away.type = "button";
  away.setAttribute("aria-label", cancel);
  const text = element("div", "pt-rc__sheettitle", heading);
  if (detail) text.append(element("p", "t-callout t-muted", detail));
  const dialog = element("dialog", "pt-rc__sheet pt-pop", element("div", "pt-rc__sheethead", text, away), element("div", "pt-rc__sheetbody", ...body));
  dialog.setAttribute("aria-labelledby", heading.id);
  dialog.dataset.keep = "";
  away.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * A text field with usual answers as chips above it.
 * @param {string} label @param {string[]} choices
 */
function field(label, choices) {
  const input = element("input", "pt-input");
  input.required = true;
  input.maxLength = 120;
  input.id = `pt-rc-field-${(count += 1)}`;
  const name = element("label", "pt-field__label", label);
  name.htmlFor = input.id;
  const chips = choices.map((choice) => {
    const chip = element("button", "pt-chip", choice);
    chip.type = "button";
    chip.setAttribute("aria-pressed", "false");
    chip.addEventListener("click", () => {
      input.value = choice;
      input.dispatchEvent(new Event("input"));
    });
    return chip;
  });
  input.addEventListener("input", () => {
    for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.textContent === input.value));
  });
  return { input, box: element("div", "pt-field", name, element("div", "pt-chips", ...chips), input) };
}

/**
 * Asks why a resident is out and who said so.
 * @param {{ title: string, reason: string, whoSaid: string, save: string, cancel: string }} words
 * @param {string[]} reasons @param {string[]} sources @param {(reason: string, saidBy: string) => void} saved
 */
export function outSheet(words, reasons, sources, saved) {
  const [reason, source] = [field(words.reason, reasons), field(words.whoSaid, sources)];
  const save = button(words.save, "primary", () => {});
  save.type = "submit";
  save.classList.add("pt-button--large");
  const form = element("form", "pt-rc__form", reason.box, source.box, save);
  const dialog = sheet(words.title, "", words.cancel, [form], () => {});
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    const [why, who] = [reason.input.value.trim(), source.input.value.trim()];
    if (!why || !who) {
      (why ? source : reason).input.focus();
      return;
    }
    dialog.close();
    saved(why, who);
  });
}
