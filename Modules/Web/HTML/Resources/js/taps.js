// Controls with two states, the attendance pill and the check: the tap shows at once and is sent after, one at a time
// and in order.
import { commands, icon, newKey, word } from "./core.js";
import { haptics, toast } from "./feedback.js";
import { problem, signIn } from "./commands.js";

/** @typedef {{ wanted: string, done: string, key: string, isRunning: boolean, hasFailed: boolean }} Tap */

/** @type {WeakMap<HTMLFormElement, Tap>} */
const taps = new WeakMap();

/** @param {HTMLButtonElement} pill @param {string} state @param {"" | "pending" | "failed"} sync */
function paint(pill, state, sync) {
  const words = pill.dataset;
  words.state = state;
  if (sync) words.sync = sync;
  else delete words.sync;
  if (pill.matches(".pt-check")) {
    const isDone = state === "done";
    pill.value = isDone ? "open" : "done";
    pill.setAttribute("aria-checked", String(isDone));
    pill.setAttribute("aria-label", (sync === "failed" ? word("retry") + ": " : "") + (words.spoken ?? ""));
    return;
  }
  const isPresent = state === "present";
  pill.value = isPresent ? "absent" : "present";
  const title = (isPresent ? words.present : words.absent) ?? "";
  const spoken = (isPresent ? words.spokenPresent : words.spokenAbsent) ?? title;
  pill.setAttribute("aria-label", sync === "failed" ? word("retry") + ": " + spoken : spoken);
  const text = document.createElement("span");
  text.textContent = sync === "failed" ? word("retry") : title;
  const glyph = sync === "pending" ? "sync" : sync === "failed" ? "retry" : isPresent ? "check" : "minus";
  pill.replaceChildren(icon(glyph, "pt-icon--tiny"), text);
}

/**
 * Sends until the last wanted state is the server's.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} pill
 * @param {Tap} tap
 */
async function send(form, pill, tap) {
  tap.isRunning = true;
  tap.hasFailed = false;
  // The pill stays as the reader left it, whatever page comes meanwhile.
  form.dataset.busy = "";
  while (tap.wanted !== tap.done) {
    const sending = tap.wanted;
    const fields = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    for (const name of ["_from", "_to"]) fields.delete(name);
    fields.set(pill.name, sending);
    fields.set("_key", tap.key);
    try {
      const response = await fetch(form.action, {
        method: "POST", body: fields, keepalive: true,
        headers: { Accept: "application/json", "X-PinkTower": "command" },
      });
      if (response.status === 401) signIn(response);
      if (!response.ok) {
        if (response.status !== 401) toast(await problem(response), "failure");
        throw new Error(String(response.status));
      }
      commands.answered += 1;
      tap.done = sending;
      if (tap.wanted !== sending) tap.key = newKey();
    } catch (error) {
      if (tap.wanted !== sending) {
        // Something else is wanted by now; what failed no longer matters.
        tap.key = newKey();
        tap.done = "";
      }
      tap.isRunning = false;
      tap.hasFailed = true;
      paint(pill, tap.wanted, "failed");
      haptics("warning");
      return;
    }
  }
  tap.isRunning = false;
  delete form.dataset.busy;
  taps.delete(form);
  paint(pill, tap.done, "");
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute("data-tap")) return;
  event.preventDefault();
  const pill = form.querySelector(".pt-attendance, .pt-check");
  if (!(pill instanceof HTMLButtonElement)) return;
  const tap = taps.get(form) ?? { wanted: "", done: pill.dataset.state ?? "", key: newKey(), isRunning: false, hasFailed: false };
  taps.set(form, tap);
  // A failed pill is sent again as it was, with its key: the server may have it already.
  if (!tap.hasFailed) tap.wanted = pill.value;
  paint(pill, tap.wanted, "pending");
  haptics("lightTap");
  if (!tap.isRunning) void send(form, pill, tap);
});

// What failed for want of a network goes by itself when it is back.
addEventListener("online", () => {
  for (const pill of document.querySelectorAll("[data-tap] [data-sync=failed]")) {
    if (pill instanceof HTMLButtonElement) pill.form?.requestSubmit(pill);
  }
});
