// Sends forms as commands, each once, and shows the answer on the page.
import { commands, element, here, newKey, onPage, plain, problem, word } from "./core.js";
import { confirmed, haptics, toast } from "./feedback.js";
import { isPage, refresh, show, visit } from "./navigate.js";

const storageName = "pt-kept";

/**
 * Stores the input during a sign-in.
 * @param {HTMLFormElement} form
 */
function storeInput(form) {
  const typed = [...new FormData(form)].filter(([name, value]) =>
    typeof value === "string" && !name.startsWith("_") && !form.querySelector(`[type=password][name="${name}"]`));
  sessionStorage.setItem(storageName, JSON.stringify({ path: plain(here()), form: form.id, typed }));
}

/**
 * Opens the sign-in page, which returns here.
 * @param {Response} response
 * @param {boolean} [isSaved] whether the page of the sign-in says that what was typed is saved
 */
export function signIn(response, isSaved) {
  const place = response.headers.get("Location") ?? "/sign-in?next=" + encodeURIComponent(here());
  void visit(place + (isSaved ? (place.includes("?") ? "&" : "?") + "kept=yes" : ""));
}

/** Restores stored input when its form is on the page again. */
function restore() {
  const text = sessionStorage.getItem(storageName);
  if (!text) return;
  const typedForm = JSON.parse(text);
  const form = typedForm.path === plain(here()) ? document.getElementById(typedForm.form) : null;
  if (!(form instanceof HTMLFormElement)) return;
  sessionStorage.removeItem(storageName);
  for (const [name, value] of typedForm.typed) {
    const field = form.elements.namedItem(name);
    if (field instanceof RadioNodeList) field.value = value;
    else if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = true;
    else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) field.value = value;
  }
}

/**
 * Shows progress on the button and disables it.
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
 * Moves the focus to the first fault.
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
 * Focuses the first field of a form that reappears, for the next child for instance.
 * @param {string} id
 */
function focusAgain(id) {
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement) || form.closest("dialog:not([open])")) return;
  const field = form.querySelector("input[type=text], input:not([type])");
  if (field instanceof HTMLInputElement && field.value === "") field.focus();
}

/**
 * Resets a form whose input is saved or queued.
 * @param {HTMLFormElement} form
 */
function finish(form) {
  form.dispatchEvent(new Event("pt-saved", { bubbles: true }));
  form.reset();
  form.removeAttribute("data-begun");
}

/** @param {FormData} body @returns {import("./outbox.js").Fields} */
const fieldsOf = (body) => [...body];

/**
 * Queues a command that cannot be sent now; the form is then ready for the next input.
 * @param {HTMLFormElement} form @param {string} target @param {FormData} body
 */
async function keepForLater(form, target, body) {
  const { queue } = await import("./outbox.js");
  /** @type {import("./outbox.js").Fields} */
  const fields = fieldsOf(body).filter(([name, value]) => !name.startsWith("_") && !(value instanceof File && !value.size));
  const typed = [...form.querySelectorAll("textarea, input:not([type]), input[type=text]")]
    .map((field) => /** @type {HTMLInputElement} */ (field).value.trim()).find(Boolean);
  const about = (form.closest("dialog")?.querySelector("h2") ?? document.querySelector("h1"))?.textContent ?? "";
  await queue({
    path: new URL(target, location.href).pathname, fields, isMultipart: form.enctype === "multipart/form-data", uploads: form.dataset.uploads, key: String(body.get("_key") || newKey()),
    label: typed || (form.querySelector("[type=submit]")?.textContent ?? ""), about,
  });
  finish(form);
  const key = form.elements.namedItem("_key");
  if (key instanceof HTMLInputElement) key.value = newKey();
  toast(word("queued"));
}

/** Whether a form's command must be queued: there is no network, or earlier commands wait. */
function mustWait() {
  return !navigator.onLine || localStorage.getItem("pt-outbox") !== null;
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
async function run(form, submitter) {
  if (form.hasAttribute("aria-busy")) return;
  const data = form.dataset;
  // A form may have a second button with a command of its own.
  const target = submitter?.hasAttribute("formaction") ? /** @type {HTMLButtonElement} */ (submitter).formAction : form.action;
  // Read now: a live update may change the form while the question is open.
  let body = new FormData(form);
  if (submitter instanceof HTMLButtonElement && submitter.name) body.append(submitter.name, submitter.value);
  // Set once, so that the server knows the same input again after an answer was lost.
  if (body.has("recordedAt")) body.set("recordedAt", new Date().toISOString());
  if (data.confirm && !(await confirmed(form, submitter))) return;
  if (data.queue !== undefined && mustWait()) return keepForLater(form, target, body);
  form.setAttribute("aria-busy", "true");
  const done = busy(submitter ?? form.querySelector("[type=submit]"));
  try {
    if (data.uploads) {
      const fields = fieldsOf(body);
      try {
        await (await import("./uploads.js")).sendAhead(data.uploads, fields, form.querySelector("[type=file]")?.parentElement ?? null);
      } finally {
        body = new FormData();
        for (const [name, value] of fields) body.append(name, value);
      }
    }
    const response = await fetch(target, {
      method: "POST",
      // The encoding that the form would use without scripts.
      body: form.enctype === "multipart/form-data" ? body : new URLSearchParams([...body].map(([name, value]) => [name, String(value)])),
      headers: { Accept: "text/html", "X-PinkTower": "command" },
    });
    commands.answered += 1;
    form.removeAttribute("aria-busy");
    done();
    if (!response.ok && isPage(response)) {
      // The command was refused: the answer is the page with the faults and the input.
      form.dataset.refused = "";
      show(await response.text(), here(), { history: "none", scroll: "keep", focus: false });
      // The answer has the input as the fields' defaults; live updates must not overwrite it.
      if (form.id) document.getElementById(form.id)?.setAttribute("data-begun", "");
      haptics("warning");
      focusFault(form.id);
    } else if (response.status === 401) {
      storeInput(form);
      signIn(response, true);
    } else if (response.ok && isPage(response)) {
      haptics(data.haptics);
      const source = await response.text();
      finish(form);
      // fetch hides the fragment of a redirect; the form names it.
      show(source, response.url + new URL(String(body.get("_to") ?? ""), location.href).hash);
      focusAgain(form.id);
    } else if (response.ok) {
      haptics(data.haptics);
      finish(form);
      await refresh();
    } else {
      if (data.instant !== undefined) form.reset();
      toast(await problem(response), "failure");
    }
  } catch (error) {
    form.removeAttribute("aria-busy");
    done();
    if (error instanceof Response) return toast(await problem(error), "failure");
    if (data.queue !== undefined) return keepForLater(form, target, body);
    if (data.instant !== undefined) form.reset();
    // Input without files can be stored on the device.
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
  // The server reports all faults in the reader's language; browsers report one.
  for (const form of document.querySelectorAll("form[data-command]")) {
    if (form instanceof HTMLFormElement) form.noValidate = true;
  }
  restore();
});
