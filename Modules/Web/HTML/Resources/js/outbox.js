// The outbox: commands stay on this device, in order, until the server has accepted them. They are sent when there is a
// network, at each start and after growing waits. Refused ones stay with their message until they are retried or
// deleted. waiting.js shows them.
import { account, commands, newKey, onPage, problem } from "./core.js";
import { onDisk } from "./disk.js";

/** @typedef {[name: string, value: string | File][]} Fields */
/**
 * @typedef {object} Act
 * @property {string} path
 * @property {string} [command] the name in its progress events; the path by default
 * @property {unknown} [body] goes as JSON
 * @property {Fields} [fields] go as a form sends them
 * @property {boolean} [isMultipart] the form's encoding, which is the same at every try
 * @property {string} [uploads] where its large files go in parts before it
 * @property {string} [label] what a person knows it by
 * @property {string} [about] whom or what it is about
 * @property {string} [key] with the same path and fields it is the same command: it is kept once
 */
/**
 * @typedef {object} Entry
 * @property {number} [seq] its place in the order
 * @property {string} key under which the server takes it once, however often it comes
 * @property {string} account
 * @property {string} command
 * @property {string} path
 * @property {unknown} [body]
 * @property {Fields} [fields]
 * @property {boolean} [isMultipart]
 * @property {string} [uploads]
 * @property {string} label
 * @property {string} about
 * @property {"pending" | "failed"} state
 * @property {number} tries how often it went out in vain
 * @property {string} sentence why it was refused
 */
/** @typedef {{ key: string, command: string, state: "pending" | "failed" | "synced" | "dropped", result?: any }} Progress */

const longestWait = 300_000;
const answerLimit = 30_000;
/** Attempts per command before the next one gets its turn. */
const triesOfOne = 3;
/** The most bytes that browsers send from a closing page. */
const keepaliveLimit = 60_000;

// --- On the device

const stored = onDisk("pt-outbox", "entries", (database) => {
  database.createObjectStore("entries", { keyPath: "seq", autoIncrement: true }).createIndex("key", "key");
});

/**
 * Commands in memory, when the browser allows no storage, as in some private windows. They are lost with the page.
 * @type {Entry[]}
 */
let unstored = [];

/**
 * The commands of this account, in order.
 * @returns {Promise<Entry[]>}
 */
export async function entries() {
  /** @type {Entry[]} */
  const all = await stored("readonly", (store) => store.getAll()).catch(() => []);
  return [...all, ...unstored].filter((entry) => entry.account === account());
}

/**
 * Updates a stored command, unless it was deleted while it was being sent.
 * @param {Entry} entry
 */
async function put(entry) {
  if (unstored.includes(entry)) return;
  await stored("readwrite", (store) => {
    const known = store.get(entry.seq ?? 0);
    known.onsuccess = () => known.result && store.put(entry);
    return known;
  });
}

/** @param {Entry} entry */
async function remove(entry) {
  if (unstored.includes(entry)) unstored = unstored.filter((one) => one !== entry);
  else await stored("readwrite", (store) => store.delete(entry.seq ?? 0));
}

// --- State

/** The channel to other tabs of this device. It carries keys and states, no content. */
const tabs = "BroadcastChannel" in window ? new BroadcastChannel("pt-outbox") : null;
tabs?.addEventListener("message", (event) => void publish(event.data));

/**
 * The outbox of this account when last read: its commands, how many wait and how many were refused, whether it needs a
 * sign-in, and whether it is lost with this page.
 * @type {{ entries: Entry[], waiting: number, failed: number, needsSignIn: boolean, isUnstored: boolean }}
 */
export const outboxStatus = { entries: [], waiting: 0, failed: 0, needsSignIn: false, isUnstored: false };

/** @param {Progress} [progress] */
async function publish(progress) {
  const mine = await entries();
  outboxStatus.entries = mine;
  outboxStatus.failed = mine.filter((entry) => entry.state === "failed").length;
  outboxStatus.waiting = mine.length - outboxStatus.failed;
  outboxStatus.isUnstored = mine.some((entry) => unstored.includes(entry));
  // Makes the next page load this module.
  if (mine.length) localStorage.setItem("pt-outbox", "waits");
  else localStorage.removeItem("pt-outbox");
  document.dispatchEvent(new CustomEvent("pt-outbox", { detail: progress }));
}

/** @param {Entry} entry @param {Progress["state"]} state @param {unknown} [result] */
async function announce(entry, state, result) {
  const progress = { key: entry.key, command: entry.command, state, result };
  tabs?.postMessage(progress);
  await publish(progress);
}

// --- Sending

/**
 * What makes a command the same. A page that is opened again without a network has the keys that it had before, so its
 * forms are told apart by what was typed and by the files that were chosen.
 * @param {Entry} entry
 */
const same = ({ key, path, fields }) => JSON.stringify([key, path, fields?.map(([name, value]) => (
  [name, value instanceof File ? [value.name, value.size, value.lastModified] : value]))]);

/**
 * Stores a command and sends it when possible; resolves when it is stored. Progress is reported by the document's event
 * `pt-outbox`, whose detail is `Progress`, or null when only the counts changed.
 * @param {Act} act
 */
export async function queue(act) {
  /** @type {Entry} */
  const entry = { key: newKey(), command: act.path, label: "", about: "", ...act, account: account(), state: "pending", tries: 0, sentence: "" };
  try {
    await stored("readwrite", (store) => {
      const known = store.index("key").getAll(entry.key);
      known.onsuccess = () => known.result.map(same).includes(same(entry)) || store.add(entry);
      return known;
    });
  } catch {
    if (!unstored.map(same).includes(same(entry))) unstored.push(entry);
  }
  await announce(entry, "pending");
  void send();
  return entry.key;
}

let tries = 0;
let timer = 0;
let isSending = false;
let isWanted = false;

/**
 * Runs work in one tab at a time. Without locks (plain http), idempotency keys prevent duplicates.
 * @param {() => Promise<void>} work
 */
function locked(work) {
  return navigator.locks ? navigator.locks.request("pt-outbox", work) : work();
}

/** Sends the waiting commands in order until none is left or the network fails. */
export async function send() {
  isWanted = true;
  if (isSending) return;
  isSending = true;
  clearTimeout(timer);
  try {
    while (isWanted && navigator.onLine) {
      isWanted = false;
      await locked(async () => {
        for (;;) {
          const entry = (await entries()).find((one) => one.state === "pending");
          if (!entry || !(await sent(entry))) return;
        }
      });
    }
  } finally {
    isSending = false;
  }
}

/**
 * The request of a command, as its form or island would send it.
 * @param {Entry} entry @returns {RequestInit}
 */
function request({ key, body, fields, isMultipart }) {
  const headers = { Accept: "application/json", "Idempotency-Key": key, "X-PinkTower": "command" };
  if (!fields) {
    const text = JSON.stringify(body);
    return { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: text, keepalive: new Blob([text]).size < keepaliveLimit };
  }
  if (isMultipart) {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return { method: "POST", headers, body: form };
  }
  // With the time of sending, the server finds the time of a tap also where this device's clock is wrong.
  const form = new URLSearchParams(fields.map(([name, value]) => [name, name === "sentAt" ? new Date().toISOString() : String(value)]));
  return { method: "POST", headers, body: form, keepalive: String(form).length < keepaliveLimit };
}

/**
 * Sends one command; resolves to whether the next may be sent.
 * @param {Entry} entry
 */
async function sent(entry) {
  let refusal;
  if (entry.uploads && entry.fields) {
    try {
      await (await import("./uploads.js")).sendAhead(entry.uploads, entry.fields);
    } catch (fault) {
      if (!(fault instanceof Response)) return retryLater(entry);
      refusal = fault;
    }
    await put(entry);
  }
  commands.busy += 1;
  try {
    return await delivered(entry, refusal);
  } finally {
    commands.busy -= 1;
  }
}

/**
 * Sends one command whose files are there; resolves to whether the next may be sent.
 * @param {Entry} entry @param {Response} [refusal] the answer, if its files were refused
 */
async function delivered(entry, refusal) {
  const limit = new AbortController();
  const alarm = setTimeout(() => limit.abort(), answerLimit);
  let response;
  try {
    response = refusal ?? (await fetch(entry.path, { ...request(entry), signal: limit.signal }));
  } catch {
    return retryLater(entry);
  } finally {
    clearTimeout(alarm);
  }
  if (response.status === 401) {
    outboxStatus.needsSignIn = true;
    await publish({ key: entry.key, command: entry.command, state: "pending" });
    return false;
  }
  outboxStatus.needsSignIn = false;
  if (response.ok) {
    tries = 0;
    commands.answered += 1;
    const result = await response.json().catch(() => null);
    await remove(entry);
    await announce(entry, "synced", result);
    return true;
  }
  const isBusy = [408, 425, 429, 503].includes(response.status);
  entry.sentence = await problem(response);
  if (isBusy || (response.status >= 500 && entry.tries + 1 < triesOfOne)) {
    return retryLater(entry, Number(response.headers.get("Retry-After")) * 1000);
  }
  entry.state = "failed";
  await put(entry);
  await announce(entry, "failed");
  return true;
}

/**
 * Schedules a retry after a doubling wait, randomized so that a class of tablets does not return at once.
 * @param {Entry} entry @param {number} [least] milliseconds
 */
async function retryLater(entry, least = 0) {
  const wait = Math.min(longestWait, 1000 * 2 ** tries) * (0.5 + Math.random() / 2);
  tries += 1;
  clearTimeout(timer);
  timer = window.setTimeout(() => void send(), Math.max(wait, least || 0));
  entry.tries += 1;
  await put(entry);
  await announce(entry, "pending");
  return false;
}

/** @param {Entry} entry */
export async function retry(entry) {
  tries = entry.tries = 0;
  entry.state = "pending";
  await put(entry);
  await announce(entry, "pending");
  void send();
}

/** @param {Entry} entry */
export async function drop(entry) {
  await remove(entry);
  await announce(entry, "dropped");
}

addEventListener("online", () => {
  tries = 0;
  void send();
});

// Commands in memory are lost when the page closes.
addEventListener("beforeunload", (event) => {
  if (unstored.length) event.preventDefault();
});

async function look() {
  if (!account()) return;
  // A page after a sign-in may send again.
  outboxStatus.needsSignIn = false;
  await publish();
  await send();
}
onPage(() => void look());
// The page that loaded this module is already there.
void look();
