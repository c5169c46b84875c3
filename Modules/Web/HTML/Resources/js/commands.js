// Forms to commands: sent once, answered on the page.
import { element, here, newKey, onPage, plain, problem, word } from "./core.js";
import { confirmed, haptics, toast } from "./feedback.js";
import { isPage, refresh, show, visit } from "./navigate.js";

const keptName = "pt-kept";

/**
 * Keeps what was typed over a sign-in.
 * @param {HTMLFormElement} form
 */
function keep(form) {
  const typed = [...new FormData(form)].filter(([name, value]) =>
    typeof value === "string" && !name.startsWith("_") && !form.querySelector(`[type=password][name="${name}"]`));
  sessionStorage.setItem(keptName, JSON.stringify({ path: plain(here()), form: form.id, typed }));
}

/**
 * Goes to sign-in and comes back here.
 * @param {Response} response
 * @param {boolean} [isKept] whether the page of the sign-in says that what was typed is kept
 */
export function signIn(response, isKept) {
  const place = response.headers.get("Location") ?? "/sign-in?next=" + encodeURIComponent(here());
  void visit(place + (isKept ? (place.includes("?") ? "&" : "?") + "kept=yes" : ""));
}

/** Gives back what was kept, when its form is here again. */
function restore() {
  const text = sessionStorage.getItem(keptName);
  if (!text) return;
  const kept = JSON.parse(text);
  const form = kept.path === plain(here()) ? document.getElementById(kept.form) : null;
  if (!(form instanceof HTMLFormElement)) return;
  sessionStorage.removeItem(keptName);
  for (const [name, value] of kept.typed) {
    const field = form.elements.namedItem(name);
    if (field instanceof RadioNodeList) field.value = value;
    else if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = true;
    else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) field.value = value;
  }
}

/**
 * Shows progress on the button and lets nobody press it twice.
 * @param {HTMLElement | null} button
 */
function busy(button) {
  if (!(button instanceof HTMLButtonElement)) return () => {};
  const spinner = element("span", "pt-spinner");
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  if (button.matches(".pt-button")) button.prepend(spinner);
  return () => {
    spinner.remove();
    button.disabled = false;
    button.removeAttribute("aria-busy");
  };
}

/**
 * Puts the reader where the first fault is.
 * @param {string} id
 */
function focusFault(id) {
  const form = document.getElementById(id);
  const fault = form?.querySelector(".pt-form__errors, [aria-invalid=true]");
  if (!(fault instanceof HTMLElement)) return;
  fault.focus();
  fault.scrollIntoView({ block: "center" });
}

/**
 * A form that is there again, for the next child say, is filled in again from its first field.
 * @param {string} id
 */
function focusAgain(id) {
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement) || form.closest("dialog:not([open])")) return;
  const field = form.querySelector("input[type=text], input:not([type])");
  if (field instanceof HTMLInputElement && field.value === "") field.focus();
}

/**
 * What the form held is saved, or waits to be.
 * @param {HTMLFormElement} form
 */
function over(form) {
  form.dispatchEvent(new Event("pt-saved", { bubbles: true }));
  form.reset();
  form.removeAttribute("data-begun");
}

/**
 * Gives what cannot go now to the outbox; the form is ready for the next.
 * @param {HTMLFormElement} form @param {string} target @param {FormData} body
 */
async function keepForLater(form, target, body) {
  const { queue } = await import("./outbox.js");
  /** @type {import("./outbox.js").Fields} */
  const fields = [...body].filter(([name, value]) => !name.startsWith("_") && !(value instanceof File && !value.size));
  const typed = [...form.querySelectorAll("textarea, input:not([type]), input[type=text]")]
    .map((field) => /** @type {HTMLInputElement} */ (field).value.trim()).find(Boolean);
  const about = (form.closest("dialog")?.querySelector("h2") ?? document.querySelector("h1"))?.textContent ?? "";
  await queue({
    path: new URL(target, location.href).pathname, fields, isMultipart: form.enctype === "multipart/form-data", key: String(body.get("_key") || newKey()),
    label: typed || (form.querySelector("[type=submit]")?.textContent ?? ""), about,
  });
  over(form);
  const key = form.elements.namedItem("_key");
  if (key instanceof HTMLInputElement) key.value = newKey();
  toast(word("queued"));
}

/** Whether a form's command waits for its turn: the network is gone, or others came before it. */
function mustWait() {
  return !navigator.onLine || localStorage.getItem("pt-outbox") !== null;
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
async function run(form, submitter) {
  if (form.hasAttribute("aria-busy")) return;
  const data = form.dataset;
  // A form may have a second button with a command of its own.
  const target = submitter?.hasAttribute("formaction") ? /** @type {HTMLButtonElement} */ (submitter).formAction : form.action;
  // What was on the page is what the reader is asked about; a live update may change the form under the question.
  const body = new FormData(form);
  if (submitter instanceof HTMLButtonElement && submitter.name) body.append(submitter.name, submitter.value);
  if (data.confirm && !(await confirmed(form, submitter))) return;
  if (data.queue !== undefined && mustWait()) return keepForLater(form, target, body);
  form.setAttribute("aria-busy", "true");
  const done = busy(submitter ?? form.querySelector("[type=submit]"));
  try {
    const response = await fetch(target, {
      method: "POST",
      // The same encodings that the form would use by itself.
      body: form.enctype === "multipart/form-data" ? body : new URLSearchParams([...body].map(([name, value]) => [name, String(value)])),
      headers: { Accept: "text/html", "X-PinkTower": "command" },
    });
    form.removeAttribute("aria-busy");
    done();
    if (!response.ok && isPage(response)) {
      // Refused: the same page, with what is wrong and what was typed.
      form.dataset.refused = "";
      show(await response.text(), here(), { history: "none", scroll: "keep", focus: false });
      // The page from the server has what was typed as its fields' defaults; live updates must not overwrite it.
      if (form.id) document.getElementById(form.id)?.setAttribute("data-begun", "");
      haptics("warning");
      focusFault(form.id);
    } else if (response.status === 401) {
      keep(form);
      signIn(response, true);
    } else if (response.ok && isPage(response)) {
      haptics(data.haptics);
      const source = await response.text();
      over(form);
      // A redirect keeps the place in the page from its reader; the form knows it.
      show(source, response.url + new URL(String(body.get("_to") ?? ""), location.href).hash);
      focusAgain(form.id);
    } else if (response.ok) {
      haptics(data.haptics);
      over(form);
      await refresh();
    } else {
      if (data.instant !== undefined) form.reset();
      toast(await problem(response), "failure");
    }
  } catch (error) {
    form.removeAttribute("aria-busy");
    done();
    if (data.queue !== undefined) return keepForLater(form, target, body);
    if (data.instant !== undefined) form.reset();
    // A text is kept on the device, a file is not.
    const hasFile = [...body.values()].some((value) => value instanceof File && value.size > 0);
    toast(word(hasFile ? "keptText" : "kept"), "failure");
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute("data-command")) return;
  event.preventDefault();
  void run(form, event.submitter);
});

document.addEventListener("change", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
  if (field.form?.hasAttribute("data-instant")) field.form.requestSubmit();
});

onPage(() => {
  // The server names every fault at once and in the reader's language; the browser would name one.
  for (const form of document.querySelectorAll("form[data-command]")) {
    if (form instanceof HTMLFormElement) form.noValidate = true;
  }
  restore();
});
