// Voice recording. A recording that cannot be sent stays on this device until it can.
import { account, around, button, element, newKey, onPage, onSignOut, problem, word } from "./core.js";
import { onDisk } from "./disk.js";
import { toast } from "./feedback.js";
import { refresh } from "./navigate.js";

/** @typedef {{ key: string, account: string, action: string, sound: Blob, seconds: number, keep: string }} Note */

// --- Stored recordings

const stored = onDisk("pt-voice", "notes", (database) => database.createObjectStore("notes", { keyPath: "key" }));

/** @returns {Promise<Note[]>} */
const waiting = () => stored("readonly", (store) => store.getAll()).catch(() => []); // a browser that keeps nothing has nothing

/** @param {string} key */
const drop = (key) => stored("readwrite", (store) => store.delete(key));

// --- Sending

/** @param {Element | null} box @param {string} text */
function say(box, text) {
  const status = box?.querySelector("[role=status]");
  if (status) status.textContent = text;
}

/** @param {Element | null} box @param {string} text */
function append(box, text) {
  const field = box?.closest("form")?.querySelector("textarea");
  if (!field) return;
  field.value = field.value ? field.value.trimEnd() + "\n" + text : text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

/**
 * Sends a recording; resolves to whether it can be deleted here.
 * @param {Note} note @param {Element | null} box
 */
async function send(note, box) {
  const body = new FormData();
  body.append("audio", note.sound, "voice");
  body.append("seconds", String(note.seconds));
  if (note.keep) body.append("allowedBy", note.keep);
  say(box, word("voiceSending"));
  let response;
  try {
    response = await fetch(note.action, {
      method: "POST", body, headers: { Accept: "application/json", "Idempotency-Key": note.key, "X-PinkTower": "command" },
    });
  } catch {
    say(box, word("voiceWaits"));
    return false;
  }
  say(box, "");
  if (response.ok) {
    const { transcript } = await response.json();
    if (transcript) append(box, transcript);
    await refresh();
    return true;
  }
  toast(await problem(response), "failure");
  // Signed out or over a limit: a retry may work.
  return response.status < 500 && ![401, 408, 423, 429].includes(response.status);
}

let sending = false;
/** Sends this account's recordings one after the other. */
async function sendAll() {
  if (sending || !navigator.onLine) return;
  sending = true;
  try {
    for (const note of await waiting()) {
      if (note.account !== account()) continue;
      const box = document.querySelector(`[data-voice="${CSS.escape(note.action)}"]`);
      if (!(await send(note, box))) break;
      await drop(note.key);
    }
  } finally {
    sending = false;
    await show();
  }
}

/** Shows waiting recordings, each beside the microphone of its child. */
async function show() {
  for (const old of document.querySelectorAll(".pt-voice__local")) old.remove();
  const notes = await waiting();
  // Makes the next page load this module, even where recording is impossible.
  if (notes.length) localStorage.setItem("pt-voice", "waits");
  else localStorage.removeItem("pt-voice");
  for (const note of notes) {
    const box = document.querySelector(`[data-voice="${CSS.escape(note.action)}"]`);
    if (!box || note.account !== account()) continue;
    const sound = element("audio", "pt-audio");
    sound.controls = true;
    sound.src = URL.createObjectURL(note.sound);
    sound.setAttribute("aria-label", word("voiceLocal"));
    const discard = button(word("voiceDiscard"), "quiet", () => void drop(note.key).then(show));
    const line = element("div", "pt-voice__local", sound, discard);
    line.dataset.keep = "";
    box.append(line);
  }
}

// --- Recording

/** @type {{ box: HTMLElement, recorder: MediaRecorder, isWanted: boolean, begun: number, timer: number } | null} */
let running = null;

/** @param {HTMLElement} box @param {boolean} isOn */
function panel(box, isOn) {
  const start = box.querySelector("[data-voice-start]");
  const rest = box.querySelector(".pt-voice__panel");
  if (!(start instanceof HTMLElement) || !(rest instanceof HTMLElement)) return;
  // A refreshed page does not change the panel.
  box.toggleAttribute("data-busy", isOn);
  start.hidden = isOn;
  rest.hidden = !isOn;
  const next = isOn ? rest.querySelector("[data-voice-stop]") : start;
  if (next instanceof HTMLElement) next.focus();
}

/** @param {HTMLElement} box */
async function start(box) {
  if (running) return;
  /** @type {MediaStream} */
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch {
    say(box, word("voiceRefused"));
    return;
  }
  say(box, "");
  const type = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg"].find((one) => MediaRecorder.isTypeSupported(one));
  const recorder = new MediaRecorder(stream, type ? { mimeType: type, audioBitsPerSecond: 32000 } : {});
  /** @type {Blob[]} */
  const parts = [];
  const begun = Date.now();
  const longest = Number(box.dataset.longest);
  const time = box.querySelector("[role=timer]");
  const timer = window.setInterval(() => {
    const seconds = Math.floor((Date.now() - begun) / 1000);
    if (time) time.textContent = Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
    if (seconds >= longest) stop(true);
  }, 250);
  const mine = (running = { box, recorder, isWanted: false, begun, timer });
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  recorder.addEventListener("stop", () => {
    for (const track of stream.getTracks()) track.stop();
    clearInterval(timer);
    running = null;
    panel(box, false);
    if (time) time.textContent = "0:00";
    const keep = box.querySelector("[data-voice-keep]");
    const sound = new Blob(parts, { type: recorder.mimeType });
    if (!mine.isWanted || !sound.size) return;
    const note = {
      key: newKey(), account: account(), action: box.dataset.voice ?? "", sound,
      seconds: Math.max(1, Math.min(longest, Math.round((Date.now() - begun) / 1000))),
      keep: keep instanceof HTMLInputElement ? keep.value.trim() : "",
    };
    // Stored on the device first, so that no recording is lost while sending.
    void stored("readwrite", (store) => store.put(note)).then(show).then(sendAll).then(() => {
      if (!navigator.onLine) say(box, word("voiceWaits"));
    });
  });
  panel(box, true);
  recorder.start();
}

/** @param {boolean} isWanted */
function stop(isWanted) {
  if (!running || running.recorder.state === "inactive") return;
  running.isWanted = isWanted;
  running.recorder.stop();
}

document.addEventListener("click", (event) => {
  const button = around(event, "[data-voice-start], [data-voice-stop], [data-voice-discard]");
  const box = button?.closest("[data-voice]");
  if (!button || !(box instanceof HTMLElement)) return;
  if (button.hasAttribute("data-voice-start")) void start(box);
  else stop(button.hasAttribute("data-voice-stop"));
});

// "Record" in the floating button's menu starts at once when the microphone is on the same page.
document.addEventListener("click", (event) => {
  const link = around(event, "a.pt-fan__item");
  if (!(link instanceof HTMLAnchorElement) || event.button !== 0 || event.metaKey || event.ctrlKey) return;
  // In a sheet, the address is encoded within that of the page below.
  if (!decodeURIComponent(link.href).includes("record=1")) return;
  const box = [...document.querySelectorAll("[data-voice]:not([hidden])")].pop();
  if (!(box instanceof HTMLElement)) return;
  event.preventDefault();
  box.closest("form")?.scrollIntoView({ block: "center" });
  void start(box);
}, true);

onSignOut(() => void stored("readwrite", (store) => store.clear()));

addEventListener("online", () => void sendAll());
addEventListener("pagehide", () => stop(true));

const isPossible = "MediaRecorder" in window && "indexedDB" in window && Boolean(navigator.mediaDevices);
function look() {
  if (!isPossible) return;
  const boxes = document.querySelectorAll("[data-voice]");
  for (const box of boxes) if (box instanceof HTMLElement) box.hidden = false;
  // Leaving the page stops the recording.
  if (running && !running.box.isConnected) stop(true);
  if (!account()) return;
  void waiting().then(async (notes) => {
    // Removes the recordings of other accounts, for shared devices.
    for (const note of notes) if (note.account !== account()) await drop(note.key);
    await show();
    if (notes.some((note) => note.account === account())) await sendAll();
  });
}

onPage(look);
// The page that loaded this module is already there.
look();
