// Two-state controls (attendance pill, check): taps show at once and go through the outbox in order.
import { element, icon, onPage, word } from "./core.js";
import { confirmed, haptics } from "./feedback.js";

/** @typedef {import("./outbox.js").Entry} Entry */

/** @type {typeof import("./outbox.js") | null} */
let outbox = null;

/**
 * Taps that are not stored yet; pages and events do not undo them.
 * @type {WeakMap<HTMLFormElement, number>}
 */
const held = new WeakMap();

/** Milliseconds in which a second tap counts as a double tap and is ignored. */
const bounce = 400;

/**
 * The event time of the last tap on each control.
 * @type {WeakMap<HTMLFormElement, number>}
 */
const tapped = new WeakMap();

/** Loads the outbox on pages with such controls, before the first tap. */
async function opened() {
  return (outbox ??= await import("./outbox.js"));
}

/** @param {HTMLButtonElement} pill @param {string} value what its form sends @returns the state that it stands for */
const stateOf = ({ dataset }, value) => (value === dataset.asPresent ? "present" : value === dataset.asAbsent ? "absent" : value);

/** @param {HTMLButtonElement} pill @param {string} state @param {"" | Entry["state"]} sync */
function paint(pill, state, sync) {
  const words = pill.dataset;
  words.state = state;
  if (sync) words.sync = sync;
  else delete words.sync;
  const again = sync === "failed" ? word("retry") + ": " : "";
  if (pill.matches(".pt-check")) {
    const isDone = state === "done";
    pill.value = isDone ? "open" : "done";
    pill.setAttribute("aria-checked", String(isDone));
    pill.setAttribute("aria-label", again + (words.spoken ?? ""));
    return;
  }
  const isPresent = state === "present";
  pill.value = isPresent ? words.asAbsent ?? "absent" : words.asPresent ?? "present";
  const title = (isPresent ? words.present : words.absent) ?? "";
  const spoken = (isPresent ? words.spokenPresent : words.spokenAbsent) ?? title;
  pill.setAttribute("aria-label", again + spoken);
  const text = element("span", "", sync === "failed" ? word("retry") : title);
  const glyph = sync === "pending" ? "sync" : sync === "failed" ? "retry" : isPresent ? "check" : "minus";
  pill.replaceChildren(icon(glyph, "pt-icon--tiny"), text);
}

/**
 * Announces a change to screen readers through the live region of toasts.
 * @param {string} text
 */
function say(text) {
  if (!text) return;
  const line = element("p", "pt-hidden", text);
  document.getElementById("pt-toasts")?.append(line);
  setTimeout(() => line.remove(), 3000);
}

/**
 * The rows' subtitles from the server, replaced while a tap is pending.
 * @type {WeakMap<Element, string | null>}
 */
const lines = new WeakMap();

/**
 * Shows the state of a tap in its row, since "Not marked yet" would contradict the pill.
 * @param {HTMLButtonElement} pill @param {string} status empty once the server has the tap
 */
function labelRow(pill, status) {
  const line = pill.closest(".pt-list-cell")?.querySelector(".pt-list-cell__subtitle");
  if (status) {
    pill.setAttribute("aria-label", `${pill.getAttribute("aria-label")}. ${status}`);
    if (line && line.textContent !== status) lines.set(line, line.textContent);
  }
  if (!line || !lines.has(line)) return;
  // Afterwards the pill's text is shown until a page brings the time of the mark.
  const { state, present, absent, asPresent } = pill.dataset;
  line.textContent = status || ((asPresent ? null : state === "present" ? present : absent) ?? lines.get(line) ?? "");
  if (!status) lines.delete(line);
}

/** @param {Entry} entry */
const statusOf = (entry) =>
  entry.state === "failed" ? word("outboxFailed") : entry.tries || !navigator.onLine ? word("outboxWaiting") : "";

/** @param {HTMLFormElement} form */
const pillOf = (form) => /** @type {HTMLButtonElement | null} */ (form.querySelector(".pt-attendance, .pt-check"));

/** The fields for the time of the tap, and for that of sending, which the outbox fills in at each attempt. */
const times = ["recordedAt", "sentAt"];

/**
 * The fields that the form sends besides the new state and the times.
 * @param {HTMLFormElement} form
 * @returns {[string, string][]}
 */
function fields(form) {
  return [...new FormData(form)].filter(([name]) => !name.startsWith("_") && !times.includes(name)).map(([name, value]) => [name, String(value)]);
}

/**
 * The last tap with these fields that the server has not accepted.
 * @param {HTMLFormElement} form
 * @returns {Entry | undefined}
 */
function latest(form, own = fields(form)) {
  return outbox?.outboxStatus.entries.filter((entry) =>
    entry.path === form.getAttribute("action") && own.every(([name, value]) => entry.fields?.some(([one, other]) => one === name && other === value))).at(-1);
}

/**
 * Asks before the first tap of a page that requires it, once for all children. An answer in the outbox counts, also on
 * a cached page.
 * @param {HTMLFormElement} form @param {HTMLButtonElement} pill
 */
async function isSure(form, pill) {
  await opened();
  if (latest(form, fields(form).filter(([name]) => name !== "studentId"))) return true;
  if (!(await confirmed(form, pill))) return false;
  for (const other of document.querySelectorAll("form[data-tap][data-confirm]")) {
    if (other.getAttribute("action") === form.getAttribute("action")) other.removeAttribute("data-confirm");
  }
  return true;
}

/**
 * Shows every control in its pending state, also after a new page.
 * @param {*} [event] the event that reports the outcome of a tap
 */
function renew(event) {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-tap]"))) {
    const pill = pillOf(form);
    if (!pill || held.get(form)) continue;
    const entry = latest(form);
    if (entry) {
      // A page that arrives now does not change the control.
      form.dataset.busy = "";
      paint(pill, stateOf(pill, String(entry.fields?.find(([name]) => name === pill.name)?.[1])), entry.state);
      labelRow(pill, statusOf(entry));
    } else if (form.dataset.busy !== undefined) {
      delete form.dataset.busy;
      paint(pill, pill.dataset.state ?? "", "");
      labelRow(pill, "");
      // The server has a mark "present" or something done: a small burst over the control, which the style sheet ends.
      if (event?.detail?.state === "synced" && /present|done/.test(pill.dataset.state ?? "")) {
        haptics("success");
        pill.append(/** @type {HTMLTemplateElement | null} */ (document.getElementById("pt-spark"))?.content.cloneNode(true) ?? "");
      }
    }
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute("data-tap")) return;
  event.preventDefault();
  const pill = pillOf(form);
  if (!pill || event.timeStamp - (tapped.get(form) ?? -bounce) < bounce) return;
  tapped.set(form, event.timeStamp);
  void tap(form, pill);
});

/** @param {HTMLFormElement} form @param {HTMLButtonElement} pill */
async function tap(form, pill) {
  const wanted = pill.value;
  const state = stateOf(pill, wanted);
  if (form.dataset.confirm && !(await isSure(form, pill))) return;
  haptics("lightTap");
  const failed = latest(form);
  form.dataset.busy = "";
  held.set(form, (held.get(form) ?? 0) + 1);
  paint(pill, failed?.state === "failed" ? pill.dataset.state ?? "" : state, "pending");
  const label = pill.getAttribute("aria-label") ?? "";
  const told = (state === "present" ? pill.dataset.toldPresent : pill.dataset.toldAbsent) ?? "";
  say(navigator.onLine ? told : (told || label) + ". " + word("outboxWaiting"));
  const { queue, retry } = await opened();
  // A refused tap is retried with its key, since the server may have it already.
  if (failed?.state === "failed") await retry(failed);
  else {
    /** @type {[string, string][]} */
    const at = form.elements.namedItem("recordedAt") ? times.map((name) => [name, new Date().toISOString()]) : [];
    await queue({ path: form.getAttribute("action") ?? "", fields: [...fields(form), ...at, [pill.name, wanted]], label });
  }
  held.set(form, (held.get(form) ?? 1) - 1);
  renew();
}

document.addEventListener("pt-outbox", renew);
onPage(() => {
  if (document.querySelector("form[data-tap]")) void opened().then(renew);
});
