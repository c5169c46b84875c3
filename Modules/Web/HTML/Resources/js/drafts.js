// What is typed in a hurry stays on this device until it is saved, whatever happens to the page or the network.
import { onPage } from "./core.js";

const prefix = "pt-draft:";

/** @param {HTMLFormElement} form */
function place(form) {
  return prefix + (document.body.dataset.account ?? "") + ":" + form.getAttribute("action");
}

/** @param {HTMLFormElement} form */
export function forget(form) {
  if (form.hasAttribute("data-draft")) localStorage.removeItem(place(form));
}

document.addEventListener("input", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLTextAreaElement) || !field.form?.hasAttribute("data-draft")) return;
  if (field.value) localStorage.setItem(place(field.form), field.value);
  else forget(field.form);
});

/**
 * Nobody finds the drafts of whoever used this device before.
 * @param {string} mine what the names of those begin with that stay
 */
function keepOnly(mine) {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(prefix) && !name.startsWith(mine)) localStorage.removeItem(name);
  }
}

document.addEventListener("submit", (event) => {
  if (event.target instanceof HTMLFormElement && event.target.action.endsWith("/sign-out")) keepOnly(prefix + "-");
});

onPage(() => {
  // A page of no account, such as the one without a network, says nothing about whose device it is.
  const { account } = document.body.dataset;
  if (account) keepOnly(prefix + account + ":");
  for (const form of document.querySelectorAll("form[data-draft]")) {
    const field = form.querySelector("textarea");
    if (form instanceof HTMLFormElement && field && !field.value) field.value = localStorage.getItem(place(form)) ?? "";
  }
});
