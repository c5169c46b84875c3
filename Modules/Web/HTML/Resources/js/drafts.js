// Drafts: the input of forms with a text stays on this device until it is saved.
import { account, button, element, onPage, onSignOut, word } from "./core.js";
import { isChanged } from "./morph.js";

const prefix = "pt-draft:";

/**
 * @typedef {{ names: string[], values: [string, string][], version?: string }} Draft the fields that the reader changed, and
 * the version of what they saw
 */

/** @param {HTMLFormElement} form @returns {HTMLInputElement[]} */
function inputs(form) {
  return /** @type {HTMLInputElement[]} */ ([...form.elements].filter((field) => field.matches("input, textarea, select")));
}

/**
 * The storage key, by account, school and form. Forms for different things differ in their action or hidden fields.
 * @param {HTMLFormElement} form
 */
function place(form) {
  const about = form.matches("[data-composer]") ? [] : inputs(form)
    .filter(({ type, name }) => type === "hidden" && !name.startsWith("_") && name !== "version").map(({ value }) => value);
  return prefix + [account(), form.dataset.draft, form.id, form.getAttribute("action"), ...about].join(":");
}

/** @param {HTMLFormElement} form @returns {HTMLInputElement | undefined} */
function version(form) {
  return inputs(form).find(({ type, name }) => type === "hidden" && name === "version");
}

/** @param {HTMLFormElement} form @returns {Draft | null} */
function read(form) {
  const text = localStorage.getItem(place(form));
  return text === null ? null : JSON.parse(text);
}

/** @param {HTMLFormElement} form */
function deleteDraft(form) {
  localStorage.removeItem(place(form));
  form.querySelector(".pt-draft")?.remove();
}

/** @param {HTMLFormElement} form */
function write(form) {
  const changed = inputs(form).filter((field) => field.type !== "password" && field.type !== "file" && isChanged(field)).map(({ name }) => name);
  // After a refusal the page has the input as defaults, so the fields of the former draft still count as changed.
  const names = [...new Set([...(form.dataset.begun === undefined ? [] : read(form)?.names ?? []), ...changed])].filter(Boolean);
  if (!names.length) return deleteDraft(form);
  const values = [...new FormData(form)].filter(([name, value]) => names.includes(name) && typeof value === "string");
  try {
    localStorage.setItem(place(form), JSON.stringify({ names, values, version: version(form)?.value }));
  } catch {
    // The storage is full: without a draft, leaving the form asks first.
    form.removeAttribute("data-draft");
  }
}

/** @param {HTMLFormElement} form @param {Draft} draft */
function fill(form, { names, values }) {
  const left = [...values];
  for (const field of inputs(form)) {
    if (!names.includes(field.name) || field.type === "hidden") continue;
    if (field.type === "checkbox" || field.type === "radio") {
      field.checked = values.some(([name, value]) => name === field.name && value === field.value);
      continue;
    }
    const at = left.findIndex(([name]) => name === field.name);
    if (at >= 0) field.value = left.splice(at, 1)[0][1];
  }
}

/** @param {HTMLFormElement} form @param {string | undefined} given the version that the page came with */
function showBanner(form, given) {
  const discard = button(word("draftDiscard"), "quiet", () => {
    deleteDraft(form);
    form.reset();
    const field = version(form);
    if (field && given !== undefined) field.value = given;
    inputs(form).find(({ type }) => type !== "hidden")?.focus();
  });
  const banner = element("div", "pt-draft pt-banner pt-banner--info", element("p", "pt-banner__text", element("b", "", word("draft"))), discard);
  banner.setAttribute("role", "status");
  banner.dataset.keep = "";
  form.prepend(banner);
}

/** @type {WeakSet<HTMLFormElement>} */
const known = new WeakSet();

/** @param {HTMLFormElement} form */
function restore(form) {
  if (known.has(form)) return;
  known.add(form);
  const draft = read(form);
  // The person may have typed before this module was loaded.
  if (!draft) return inputs(form).some(isChanged) ? write(form) : undefined;
  const field = version(form);
  const given = field?.value;
  fill(form, draft);
  // The draft keeps its version, so that saving it over a newer one is refused.
  if (field && draft.version !== undefined) field.value = draft.version;
  if (!form.matches("[data-composer]") && inputs(form).some(isChanged)) showBanner(form, given);
}

/** @param {Event} event */
function typed(event) {
  const { target } = event;
  const form = target instanceof HTMLElement ? /** @type {HTMLInputElement} */ (target).form : null;
  if (form?.dataset.draft !== undefined) write(form);
}
document.addEventListener("input", typed);
document.addEventListener("change", typed);
document.addEventListener("pt-saved", (event) => {
  if (event.target instanceof HTMLFormElement && event.target.dataset.draft !== undefined) deleteDraft(event.target);
});

/**
 * Removes the drafts of other accounts, for shared devices.
 * @param {string} mine what the names of those begin with that stay
 */
function keepOnly(mine) {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(prefix) && !name.startsWith(mine)) localStorage.removeItem(name);
  }
}

onSignOut(() => keepOnly(prefix + "-"));

function look() {
  // A page without an account, such as the offline page, does not identify the device's owner.
  if (account()) keepOnly(prefix + account() + ":");
  for (const form of document.querySelectorAll("form[data-draft]")) restore(/** @type {HTMLFormElement} */ (form));
}
onPage(look);
// The page that loaded this module is already there.
look();
