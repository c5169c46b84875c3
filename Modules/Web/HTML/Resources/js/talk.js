// Conversations: messages appear at once with their state; reading and typing are reported.
import { button, commands, element, here, icon, newKey, onPage, post, problem } from "./core.js";
import { toast } from "./feedback.js";
import { drop, queue, retry, outboxStatus } from "./outbox.js";
import { smaller } from "./photos.js";

/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./outbox.js").Fields} Fields */

/** Milliseconds between two typing signals, and for which they are shown. */
const typingEvery = 3000;
const typingFor = 6000;

/** @returns {HTMLFormElement | null} */
function composer() {
  return document.querySelector("form[data-composer]");
}

/** @param {HTMLFormElement} form @returns {HTMLTextAreaElement} */
function field(form) {
  return /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text"));
}

/** @param {HTMLFormElement} form */
function path(form) {
  return new URL(form.action).pathname;
}

/**
 * The content of a pending command, sent as JSON or, with files, as a form.
 * @param {Entry} entry @returns {{ text: string, files: File[] }}
 */
function said(entry) {
  if (!entry.fields) return { text: /** @type {{ text: string }} */ (entry.body).text, files: [] };
  const text = entry.fields.find(([name]) => name === "text")?.[1];
  return { text: String(text ?? ""), files: entry.fields.flatMap(([, value]) => (value instanceof File ? value : [])) };
}

/** The page's height when it was last measured. A page that grew since, by a picture that has come, is still at its end. */
let height = 0;

/** Scrolls to the end of the thread, which the page then follows while it grows. */
function toEnd() {
  wasAtEnd = true;
  height = document.documentElement.scrollHeight;
  scrollTo(0, height);
}

/** Whether the thread is scrolled to its end, within about a line. */
function isAtEnd() {
  return scrollY + innerHeight > height - 120;
}

// --- Pending messages

/** @param {string} id @param {string} text @param {File[]} files @returns {HTMLElement | null} */
function bubble(id, text, files) {
  const known = document.getElementById("m-" + id);
  const list = document.getElementById("talk-pending");
  if (known || !list) return known;
  const words = element("p", "", [text, ...files.map((file) => file.name)].filter(Boolean).join("\n"));
  words.dir = "auto";
  const made = element("li", "pt-bubble pt-bubble--own pt-bubble--last", words, element("footer", ""));
  made.id = "m-" + id;
  made.dataset.keep = "";
  list.insertBefore(made, list.querySelector(".pt-bubble--typing"));
  return made;
}

/** @param {HTMLElement} shown @param {"sending" | "failed" | "sent"} state @param {Entry} [entry] */
function mark(shown, state, entry) {
  const form = composer();
  const foot = shown.querySelector("footer");
  if (!form || !foot || shown.dataset.state === state) return;
  shown.dataset.state = state;
  foot.className = state === "failed" ? "t-danger" : "";
  foot.replaceChildren();
  if (state === "sending") foot.append(icon("clock", "pt-icon--tiny"), form.dataset.sending ?? "");
  if (state !== "failed" || !entry) return;
  const again = button(form.dataset.retry ?? "", "danger-quiet", () => {
    mark(shown, "sending");
    void retry(entry);
  });
  again.prepend(icon("retry", "pt-icon--tiny"));
  foot.append(icon("alert", "pt-icon--tiny"), form.dataset.failed ?? "", again);
  // The server's reason, such as too many messages in a short time.
  if (entry.sentence) foot.append(element("span", "", entry.sentence));
}

// --- Attached files

/** @type {File[]} */
let attached = [];

/** @param {HTMLFormElement} form @param {File[]} files */
function attach(form, files) {
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem("files"));
  const max = Number(input.dataset.max);
  if (files.length > max) toast(input.dataset.many ?? "", "failure");
  attached = files.slice(0, max);
  form.querySelector(".pt-composer__files")?.remove();
  if (!attached.length) return;
  const list = element("ul", "pt-composer__files", ...attached.map((file) => {
    const remove = element("button", "pt-icon-button", icon("x", "pt-icon--small"));
    remove.type = "button";
    remove.setAttribute("aria-label", (input.dataset.remove ?? "") + " " + file.name);
    remove.addEventListener("click", () => {
      attach(form, attached.filter((other) => other !== file));
      field(form).focus();
    });
    return element("li", "", icon("clip", "pt-icon--small"), file.name, remove);
  }));
  list.dataset.keep = "";
  form.querySelector(".pt-composer__box")?.before(list);
}

document.addEventListener("change", async (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || input.id !== "composer-files" || !input.form) return;
  const form = input.form;
  const fresh = [...(input.files ?? [])];
  input.value = "";
  const ready = await Promise.all(fresh.map((file) => (file.type.startsWith("image/") ? smaller(file, Number(input.dataset.side)) : file)));
  attach(form, [...attached, ...ready]);
  field(form).focus();
});

/** @param {HTMLFormElement} form */
async function submit(form) {
  const box = field(form);
  const text = box.value.trim();
  const files = attached;
  if (!text && !files.length) return;
  const id = newKey();
  const answered = form.elements.namedItem("replyTo");
  const replyTo = answered instanceof HTMLInputElement ? answered.value : undefined;
  say(form, "");
  box.value = "";
  form.dispatchEvent(new Event("pt-saved", { bubbles: true }));
  attach(form, []);
  form.querySelector(".pt-composer__reply")?.remove();
  // The next message is not a reply.
  if (replyTo) history.replaceState(history.state, "", location.pathname);
  const shown = bubble(id, text, files);
  if (shown) mark(shown, "sending");
  toEnd();
  box.focus();
  typedAt = 0;
  const about = document.querySelector("h1")?.firstChild?.textContent ?? "";
  /** @type {Fields} */
  const fields = [["id", id], ["text", text], ...files.map((file) => /** @type {[string, File]} */ (["files", file]))];
  if (replyTo) fields.push(["replyTo", replyTo]);
  const label = (text || files.map((file) => file.name).join(", ")).slice(0, 60);
  const content = files.length ? { fields, isMultipart: true } : { body: { id, text, ...(replyTo && { replyTo }) } };
  // The message id is the idempotency key, so the message is stored once however it arrives.
  await queue({ path: path(form), command: form.dataset.name, ...content, label, about, key: id });
}

/** @param {HTMLFormElement} form @param {string} sentence */
function say(form, sentence) {
  const error = form.querySelector(".pt-composer__error");
  if (error) error.textContent = sentence;
}

/**
 * Returns a finally refused message to the composer, with the reason.
 * @param {HTMLFormElement} form @param {Entry} entry
 */
function refill(form, entry) {
  const { text, files } = said(entry);
  document.getElementById("m-" + entry.key)?.remove();
  const box = field(form);
  box.value = box.value ? text + "\n" + box.value : text;
  attach(form, [...attached, ...files]);
  say(form, entry.sentence);
  box.focus();
  void drop(entry);
}

/** Keys of returned messages that are still being removed from the outbox. */
const given = new Set();

/** Shows this conversation's pending messages, also after a reload. */
function renew() {
  const form = composer();
  if (!form) return;
  const mine = outboxStatus.entries.filter((entry) => entry.path === path(form));
  for (const entry of mine) {
    if (entry.state === "failed") {
      if (!given.has(entry.key)) refill(form, entry);
      given.add(entry.key);
      continue;
    }
    const { text, files } = said(entry);
    const shown = bubble(entry.key, text, files);
    // The server has the message already: only its answer was lost.
    if (!shown?.hasAttribute("data-keep")) continue;
    mark(shown, entry.tries > 0 || !navigator.onLine ? "failed" : "sending", entry);
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute("data-composer")) return;
  event.preventDefault();
  void submit(form);
});

document.addEventListener("pt-outbox", (event) => {
  const { detail } = /** @type {CustomEvent<import("./outbox.js").Progress | null>} */ (event);
  const shown = detail?.state === "synced" ? document.getElementById("m-" + detail.key) : null;
  if (shown?.hasAttribute("data-keep")) mark(shown, "sent");
  if (detail?.state === "dropped") document.querySelector("#talk-pending > #" + CSS.escape("m-" + detail.key))?.remove();
  renew();
});

addEventListener("offline", renew);

/** Removes pending messages whose bubble the server has sent. */
function settle() {
  const list = document.getElementById("talk-pending");
  if (!list) return;
  for (const mine of [...list.querySelectorAll("[data-keep][id^=m-]")]) {
    const both = document.querySelectorAll("#" + CSS.escape(mine.id));
    if (both.length > 1) mine.remove();
  }
}

// Return sends and Shift-Return breaks the line; on touch devices Return breaks the line.
document.addEventListener("keydown", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLTextAreaElement) || box.id !== "composer-text") return;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || matchMedia("(pointer: coarse)").matches) return;
  event.preventDefault();
  box.form?.requestSubmit();
});

// --- Typing signals

let typedAt = 0;

document.addEventListener("input", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLTextAreaElement) || box.id !== "composer-text" || !box.form) return;
  const now = Date.now();
  if (!box.value || now - typedAt < typingEvery || !navigator.onLine) return;
  typedAt = now;
  // A lost typing signal is harmless.
  void post(box.form.dataset.typing ?? "").catch(() => {});
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
  if (kind !== "message.typing" || !talk || !list || !topics.includes("typing:" + talk.getAttribute("data-talk"))) return;
  const wasAtEnd = isAtEnd();
  stopTyping();
  const words = (composer()?.dataset.types ?? "").replace("{name}", () => payload.name ?? "");
  const dots = element("p", "", element("i", ""), element("i", ""), element("i", ""));
  dots.setAttribute("aria-hidden", "true");
  const who = element("li", "pt-bubble pt-bubble--last pt-bubble--typing", dots, element("footer", "", words));
  who.dataset.keep = "";
  list.append(who);
  typingEnds = window.setTimeout(stopTyping, typingFor);
  if (wasAtEnd) toEnd();
});

// --- Reading

let isReporting = false;

/** @returns {HTMLElement | undefined} */
function newestBubble() {
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pt-thread__list:not(#talk-pending) > li"))].at(-1);
}

/** Whether the newest message is visible to its end, with its pictures. */
function isSeen() {
  const newest = newestBubble();
  if (document.hidden || document.documentElement.classList.contains("pt-locked")) return false;
  if (!newest) return true;
  const end = document.querySelector(".pt-composer")?.getBoundingClientRect().top ?? innerHeight;
  return newest.getBoundingClientRect().bottom <= end + 1 && [...newest.querySelectorAll("img")].every((image) => image.complete);
}

/** @returns {HTMLElement | null} */
function currentDot() {
  return document.querySelector(".pt-talk__list [aria-current] .pt-dot");
}

/** @param {boolean} isShown whether the list beside the thread says that something of it is unread */
function showDot(isShown) {
  const dot = currentDot();
  if (dot) dot.hidden = !isShown;
}

/** The newest message when the server refused to mark it; it is asked again once the reader comes back. */
let refused = "";

/** Reports the conversation as read once it was seen; the change is shown at once and undone on failure. */
async function reportRead() {
  const form = document.querySelector("[data-receipt] form");
  if (!(form instanceof HTMLFormElement) || isReporting || !navigator.onLine || !isSeen()) return;
  const last = newestBubble()?.id ?? "";
  if (last === refused) return;
  isReporting = true;
  showDot(false);
  try {
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const response = await fetch(form.action, {
      method: "POST", body, headers: { Accept: "application/json", "X-PinkTower": "command" },
    });
    if (!response.ok) throw new Error(await problem(response));
    commands.answered += 1;
    form.closest("[data-receipt]")?.remove();
    currentDot()?.remove();
  } catch (error) {
    showDot(true);
    if (error instanceof Error && !(error instanceof TypeError)) {
      refused = last;
      toast(error.message, "failure");
    }
  } finally {
    isReporting = false;
  }
}

function comeBack() {
  refused = "";
  void reportRead();
}
document.addEventListener("visibilitychange", comeBack);
addEventListener("focus", comeBack);
// A picture has loaded or failed.
for (const event of ["load", "error"]) document.addEventListener(event, () => void reportRead(), true);

// --- The page

let shown = "";
let newest = "";


function look() {
  const talk = document.querySelector("[data-talk]");
  // A sheet or a started reply keeps the reader's position.
  const { searchParams } = new URL(here(), location.href);
  const part = (searchParams.get("at") ?? "") + "/" + (searchParams.get("before") ?? "");
  const place = talk ? talk.getAttribute("data-talk") + "/" + part : "";
  const isNew = place !== shown;
  shown = place;
  if (!talk) return;
  if (!isNew) settle();
  grows.observe(talk);
  const latest = newestBubble()?.id ?? "";
  if (isNew) {
    stopTyping();
    // Pending state and chosen files belong to the previous conversation.
    attached = [];
    for (const waiting of document.querySelectorAll("#talk-pending > [data-keep]")) waiting.remove();
    wasAtEnd = false;
    if (!location.hash) toEnd();
    renew();
  } else if (latest !== newest) {
    stopTyping();
    if (wasAtEnd) toEnd();
  }
  newest = latest;
  if (isReporting) showDot(false);
  void reportRead();
}

// Measured before the page grows, since afterwards the position is not at the end.
let wasAtEnd = true;
addEventListener("scroll", () => {
  wasAtEnd = isAtEnd();
  void reportRead();
}, { passive: true });
const grows = new ResizeObserver(() => {
  height = document.documentElement.scrollHeight;
  if (wasAtEnd) toEnd();
  void reportRead();
});

onPage(look);
// The page that loaded this module is already there.
look();
