// Conversations: a message shows at once and says how far it got, what is read is told, and so is who types.
import { commands, element, here, icon, newKey, onPage } from "./core.js";
import { toast } from "./feedback.js";
import { problem } from "./commands.js";
import { drop, entries, queue, send } from "./outbox.js";

/** @typedef {import("./outbox.js").Entry} Entry */

/** How long a message may be on its way before it is shown as not sent; it is sent all the same when it can be. */
const patience = 6000;
/** How often others are told that somebody types, and how long they show it. */
const typingEvery = 3000;
const typingFor = 6000;

/** @returns {HTMLFormElement | null} */
function composer() {
  const form = document.querySelector("form[data-composer]");
  return form instanceof HTMLFormElement ? form : null;
}

/** @param {HTMLFormElement} form @returns {HTMLTextAreaElement} */
function field(form) {
  return /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text"));
}

/** @param {HTMLFormElement} form */
function path(form) {
  return new URL(form.action).pathname;
}

/** The end of the thread, where a conversation is read on. */
function toEnd() {
  scrollTo({ top: document.documentElement.scrollHeight });
}

/** Whether the reader is at the end, give or take a line. */
function isAtEnd() {
  return scrollY + innerHeight > document.documentElement.scrollHeight - 120;
}

// --- Messages on their way

/** @type {Map<string, number>} */
const alarms = new Map();

/** @param {string} id @param {string} text @returns {HTMLElement | null} */
function bubble(id, text) {
  const list = document.getElementById("talk-pending");
  if (!list) return null;
  const known = document.getElementById("m-" + id);
  if (known) return known;
  const words = element("p", "", text);
  words.dir = "auto";
  const made = element("li", "pt-bubble pt-bubble--own pt-bubble--last", words, element("footer", ""));
  made.id = "m-" + id;
  made.dataset.keep = "";
  list.insertBefore(made, list.querySelector(".pt-bubble--typing"));
  return made;
}

/** @param {string} id @param {"sending" | "failed" | "sent"} state */
function mark(id, state) {
  const form = composer();
  const shown = document.getElementById("m-" + id);
  const foot = shown?.querySelector("footer");
  if (!form || !shown?.hasAttribute("data-keep") || !foot || shown.dataset.state === state) return;
  shown.dataset.state = state;
  foot.className = state === "failed" ? "t-danger" : "";
  foot.replaceChildren();
  if (state === "sending") foot.append(icon("clock", "pt-icon--tiny"), form.dataset.sending ?? "");
  if (state === "failed") {
    const again = element("button", "pt-button pt-button--danger-quiet", icon("retry", "pt-icon--tiny"), form.dataset.retry ?? "");
    again.type = "button";
    again.addEventListener("click", () => {
      watch(id);
      void send();
    });
    foot.append(icon("alert", "pt-icon--tiny"), form.dataset.failed ?? "", again);
  }
}

/** @param {string} id */
function watch(id) {
  clearTimeout(alarms.get(id));
  mark(id, navigator.onLine ? "sending" : "failed");
  alarms.set(id, window.setTimeout(() => mark(id, "failed"), patience));
}

/** @param {HTMLFormElement} form */
async function submit(form) {
  const box = field(form);
  const text = box.value.trim();
  if (!text) return;
  const id = newKey();
  const error = form.querySelector(".pt-composer__error");
  if (error) error.textContent = "";
  box.value = "";
  bubble(id, text);
  toEnd();
  box.focus();
  typedAt = 0;
  try {
    // The id is the key: the server takes the message once, whichever way it hears of it again.
    await queue(form.dataset.name ?? "", path(form), { id, text }, { key: id, label: text.slice(0, 60) });
    watch(id);
  } catch {
    // The device keeps nothing (a private window): the form goes as forms go.
    document.getElementById("m-" + id)?.remove();
    box.value = text;
    form.submit();
  }
}

/**
 * Refused for good: what was written goes back where it can be changed, with the reason.
 * @param {string} key
 */
async function giveBack(key) {
  const entry = (await entries()).find((one) => one.key === key && one.state === "failed");
  const form = composer();
  if (!entry || !form || entry.path !== path(form)) return;
  const { text } = /** @type {{ text: string }} */ (entry.body);
  document.getElementById("m-" + key)?.remove();
  const box = field(form);
  box.value = box.value ? text + "\n" + box.value : text;
  const error = form.querySelector(".pt-composer__error");
  if (error) error.textContent = entry.sentence;
  box.focus();
  await drop(entry);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute("data-composer")) return;
  event.preventDefault();
  void submit(form);
});

document.addEventListener("pt-outbox", (event) => {
  const { key, state } = /** @type {CustomEvent<import("./outbox.js").News>} */ (event).detail;
  if (state === "pending") return;
  clearTimeout(alarms.get(key));
  alarms.delete(key);
  if (state === "synced") mark(key, "sent");
  else if (state === "failed") void giveBack(key);
});

addEventListener("offline", () => {
  for (const id of alarms.keys()) mark(id, "failed");
});

/** What waits on this device for this conversation stands in it, also after the page was opened anew. */
async function showWaiting() {
  const form = composer();
  if (!form) return;
  for (const entry of await entries()) {
    if (entry.path !== path(form) || alarms.has(entry.key)) continue;
    const { text } = /** @type {{ text: string }} */ (entry.body);
    if (entry.state === "failed") void giveBack(entry.key);
    else if (bubble(entry.key, text)) watch(entry.key);
  }
}

/** The server's own bubble has come for these. */
function settle() {
  const list = document.getElementById("talk-pending");
  if (!list) return;
  for (const mine of [...list.querySelectorAll("[data-keep][id^=m-]")]) {
    const both = document.querySelectorAll("#" + CSS.escape(mine.id));
    if (both.length > 1) mine.remove();
  }
}

// Return sends where there is a keyboard to break lines with Shift; on a phone it breaks lines.
document.addEventListener("keydown", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLTextAreaElement) || box.id !== "composer-text") return;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !matchMedia("(pointer: fine)").matches) return;
  event.preventDefault();
  box.form?.requestSubmit();
});

// --- Who types

let typedAt = 0;

document.addEventListener("input", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLTextAreaElement) || box.id !== "composer-text" || !box.form) return;
  const now = Date.now();
  if (!box.value || now - typedAt < typingEvery || !navigator.onLine) return;
  typedAt = now;
  // Whoever misses it has missed nothing.
  void fetch(box.form.dataset.typing ?? "", {
    method: "POST", body: "{}",
    headers: { Accept: "application/json", "Content-Type": "application/json", "X-PinkTower": "command" },
  }).catch(() => {});
});

let typingEnds = 0;

function stopTyping() {
  clearTimeout(typingEnds);
  document.querySelector("#talk-pending .pt-bubble--typing")?.remove();
}

document.addEventListener("pt-signal", (event) => {
  const { kind, topics, payload } = /** @type {CustomEvent} */ (event).detail;
  const talk = document.querySelector("[data-talk]");
  const list = document.getElementById("talk-pending");
  if (kind !== "message.typing" || !talk || !list || !topics.includes("conversation:" + talk.getAttribute("data-talk"))) return;
  const wasAtEnd = isAtEnd();
  stopTyping();
  const words = (composer()?.dataset.types ?? "").replace("{name}", payload.name ?? "");
  const dots = element("p", "", element("i", ""), element("i", ""), element("i", ""));
  dots.setAttribute("aria-hidden", "true");
  const who = element("li", "pt-bubble pt-bubble--last pt-bubble--typing", dots, element("footer", "", words));
  who.dataset.keep = "";
  list.append(who);
  typingEnds = window.setTimeout(stopTyping, typingFor);
  if (wasAtEnd) toEnd();
});

// --- What is read

let isTelling = false;

/** Says that this was read, once the page is looked at; what it changes is shown at once and taken back if it fails. */
async function tellRead() {
  const form = document.querySelector("[data-receipt] form");
  if (!(form instanceof HTMLFormElement) || document.hidden || isTelling || !navigator.onLine) return;
  isTelling = true;
  const dot = document.querySelector(".pt-talk__list [aria-current] .pt-dot");
  if (dot instanceof HTMLElement) dot.hidden = true;
  try {
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const response = await fetch(form.action, {
      method: "POST", body, headers: { Accept: "application/json", "X-PinkTower": "command" },
    });
    if (!response.ok) throw new Error(await problem(response));
    commands.answered += 1;
    form.closest("[data-receipt]")?.remove();
  } catch (error) {
    if (dot instanceof HTMLElement) dot.hidden = false;
    if (error instanceof Error && !(error instanceof TypeError)) toast(error.message, "failure");
  } finally {
    isTelling = false;
  }
}

document.addEventListener("visibilitychange", () => void tellRead());
addEventListener("focus", () => void tellRead());

// --- The page

let shown = "";
let newest = "";

function newestId() {
  const all = document.querySelectorAll(".pt-thread__list:not(#talk-pending) > li");
  return all[all.length - 1]?.id ?? "";
}

function look() {
  const talk = document.querySelector("[data-talk]");
  const place = talk ? (talk.getAttribute("data-talk") ?? "") + here() : "";
  const isNew = place !== shown;
  shown = place;
  if (!talk) return;
  if (!isNew) settle();
  const latest = newestId();
  if (isNew) {
    stopTyping();
    // What waited in the conversation that was here before belongs there.
    for (const kept of document.querySelectorAll("#talk-pending > [data-keep]")) kept.remove();
    toEnd();
    void showWaiting();
  } else if (latest !== newest) {
    stopTyping();
    if (wasAtEnd) toEnd();
  }
  newest = latest;
  void tellRead();
}

// Known before the page grows: afterwards nobody is at its end.
let wasAtEnd = true;
addEventListener("scroll", () => (wasAtEnd = isAtEnd()), { passive: true });

onPage(look);
// The page that asked for this module is there already.
look();
