// Field behavior: show a password, paste or scan a code, search while typing, copy.
import { around, delay, onPage, post, word } from "./core.js";
import { toast } from "./feedback.js";
import { visit } from "./navigate.js";

onPage(() => {
  const can = {
    "[data-reveal]": true,
    "[data-paste]": Boolean(navigator.clipboard?.readText),
    "[data-scan]": "BarcodeDetector" in window,
    "[data-copy]": Boolean(navigator.clipboard?.writeText),
    "[data-share]": Boolean(navigator.share),
  };
  for (const [selector, isPossible] of Object.entries(can)) {
    for (const button of document.querySelectorAll(selector)) {
      if (button instanceof HTMLElement) button.hidden = !isPossible;
    }
  }
});

/** @param {HTMLElement} button @returns {HTMLInputElement | null} */
function fieldOf(button) {
  return button.closest(".pt-field__wrap")?.querySelector("input") ?? null;
}

/** @param {HTMLInputElement} field @param {string} code */
function enter(field, code) {
  field.value = code.trim();
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

/**
 * The code in a scanned address, or the text itself.
 * @param {string} text
 */
export function codeIn(text) {
  try {
    const url = new URL(text);
    return url.searchParams.get("code") ?? url.pathname.split("/").filter(Boolean).pop() ?? text;
  } catch {
    return text;
  }
}

document.addEventListener("click", async (event) => {
  const button = around(event, "[data-reveal], [data-paste], [data-scan], [data-copy], [data-share]");
  if (!button) return;
  const data = button.dataset;
  const field = fieldOf(button);
  try {
    if (data.copy !== undefined) {
      await navigator.clipboard.writeText(data.copy);
      toast(data.copied ?? "", "success");
    } else if (data.share !== undefined) {
      await navigator.share({ title: data.shareTitle, url: data.share });
    } else if (data.reveal !== undefined && field) {
      const isShown = field.type === "password";
      field.type = isShown ? "text" : "password";
      button.setAttribute("aria-pressed", String(isShown));
      button.setAttribute("aria-label", word(isShown ? "hide" : "show"));
    } else if (data.paste !== undefined && field) {
      enter(field, codeIn(await navigator.clipboard.readText()));
    } else if (data.scan !== undefined && field) {
      const { scan } = await import("./scan.js");
      const text = await scan();
      if (text) enter(field, codeIn(text));
    }
  } catch (error) {
    // The person declined the clipboard, camera or share sheet.
    if (!(error instanceof DOMException)) throw error;
  }
});

// The avatars of a tint picker show the initials while a name is typed.
document.addEventListener("input", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.form) return;
  const form = field.form;
  for (const picks of form.querySelectorAll("[data-initials]")) {
    const names = /** @type {HTMLElement} */ (picks).dataset.initials?.split(" ") ?? [];
    if (!names.includes(field.name)) continue;
    const values = names.map((name) => form.elements.namedItem(name))
      .map((one) => (one instanceof HTMLInputElement ? one.value.trim() : ""));
    // As `Initials` does: the first letters of the first and last word, with combining marks.
    const words = values.join(" ").trim().split(/\s+/);
    const initials = [words[0], ...words.slice(1).slice(-1)].map((word) => {
      const signs = [...new Intl.Segmenter().segment(word)].map((one) => one.segment);
      return signs.find((sign) => /^[\p{L}\p{N}]/u.test(sign)) ?? signs[0] ?? "";
    }).join("").toLocaleUpperCase();
    for (const avatar of picks.querySelectorAll(".pt-avatar")) avatar.textContent = initials;
  }
});

// A field's fault disappears when the field is edited.
document.addEventListener("input", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLElement) || field.getAttribute("aria-invalid") !== "true") return;
  field.removeAttribute("aria-invalid");
  field.closest(".pt-field")?.querySelector(".pt-field__error")?.remove();
});

onPage(() => {
  // The school's time zone is its founder's, not the server's.
  for (const field of document.querySelectorAll("input[type=hidden][name=timeZone]")) {
    if (field instanceof HTMLInputElement && !field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  }
  for (const strip of document.querySelectorAll(".pt-segmented, .pt-chips--scroll")) {
    const current = strip.querySelector("[aria-current]");
    if (current instanceof HTMLElement && strip.scrollWidth > strip.clientWidth) {
      strip.scrollLeft = current.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;
    }
  }
});

/** @param {HTMLFormElement} form */
function search(form) {
  const query = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]).filter(([, value]) => value !== ""));
  const address = new URL(form.action).pathname + ([...query].length ? "?" + query : "");
  void visit(address, { history: "replace", scroll: "keep", focus: false });
}

/** Stores a search once a result is opened or Return is pressed. */
function remember() {
  const form = document.querySelector("form[data-remember]");
  if (!(form instanceof HTMLFormElement)) return;
  const query = new FormData(form).get("q");
  if (!query) return;
  // Losing a stored search is harmless.
  void post(form.dataset.remember ?? "", { q: query }, true).catch(() => {});
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("main .pt-list a")) remember();
}, true);
// A shortcut opens the search.
document.addEventListener("keydown", (event) => {
  // On a Mac, Ctrl-K edits text fields.
  const isAsked = event.metaKey || (event.ctrlKey && !navigator.platform.startsWith("Mac"));
  if (event.key.toLowerCase() !== "k" || !isAsked || event.altKey || event.shiftKey) return;
  const way = document.querySelector('a[href="/search"]');
  const focus = () => /** @type {HTMLElement | null} */ (document.querySelector("form[data-remember] input[type=search]"))?.focus();
  if (!way && !document.querySelector("form[data-remember]")) return;
  event.preventDefault();
  if (document.querySelector("form[data-remember]")) focus();
  else void visit("/search").then(focus);
});

let waiting = 0;
document.addEventListener("input", (event) => {
  const form = event.target instanceof HTMLInputElement ? event.target.form : null;
  if (!form?.hasAttribute("data-search") || /** @type {InputEvent} */ (event).isComposing) return;
  clearTimeout(waiting);
  waiting = window.setTimeout(() => search(form), delay("search"));
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute("data-search")) return;
  event.preventDefault();
  clearTimeout(waiting);
  remember();
  search(form);
});
