// The outbox: what was done stays on this device, in its order, until the server has it. It is sent when there is a
// network, at each start and after growing waits; what the server refuses stays here with its sentence until somebody
// sends it again or deletes it. What people see of it is in waiting.js.
import { account, commands, newKey, onPage, problem } from "./core.js";
import { onDisk } from "./disk.js";

/** @typedef {[name: string, value: string | File][]} Fields */
/**
 * @typedef {object} Act
 * @property {string} path
 * @property {string} [command] what its news is called; the path where none is given
 * @property {unknown} [body] goes as JSON
 * @property {Fields} [fields] go as a form sends them
 * @property {boolean} [isMultipart] the form's encoding, which is the same at every try
 * @property {string} [label] what a person knows it by
 * @property {string} [about] whom or what it is about
 * @property {string} [key] with the same path it is the same command: it is kept once
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
 * @property {string} label
 * @property {string} about
 * @property {"pending" | "failed"} state
 * @property {number} tries how often it went out in vain
 * @property {string} sentence why it was refused
 */
/** @typedef {{ key: string, command: string, state: "pending" | "failed" | "synced" | "dropped", result?: any }} News */

const longestWait = 300_000;
const answerLimit = 30_000;
/** A server that fails is asked as often for one command; then the others have their turn. */
const triesOfOne = 3;
/** What browsers let a page send that is being closed. */
const keepaliveLimit = 60_000;


// --- On the device

const stored = onDisk("pt-outbox", "entries", (database) => {
  database.createObjectStore("entries", { keyPath: "seq", autoIncrement: true }).createIndex("key", "key");
});

/**
 * What a device holds that lets pages keep nothing, as private windows may: it is gone with this page.
 * @type {Entry[]}
 */
let loose = [];

/**
 * What this account has here, in order.
 * @returns {Promise<Entry[]>}
 */
export async function entries() {
  /** @type {Entry[]} */
  const all = await stored("readonly", (store) => store.getAll()).catch(() => []);
  return [...all, ...loose].filter((entry) => entry.account === account());
}

/**
 * Only where it still is: what somebody threw away while it was on its way does not come back.
 * @param {Entry} entry
 */
async function put(entry) {
  if (loose.includes(entry)) return;
  await stored("readwrite", (store) => {
    const known = store.get(entry.seq ?? 0);
    known.onsuccess = () => known.result && store.put(entry);
    return known;
  });
}

/** @param {Entry} entry */
async function remove(entry) {
  if (loose.includes(entry)) loose = loose.filter((one) => one !== entry);
  else await stored("readwrite", (store) => store.delete(entry.seq ?? 0));
}

// --- News

/** The other tabs of this device; the names of what changed go there, nothing else. */
const tabs = "BroadcastChannel" in window ? new BroadcastChannel("pt-outbox") : null;
tabs?.addEventListener("message", (event) => void tell(event.data));

/**
 * How this account stands: what is here as it was last read, and how many of it wait or were refused; whether somebody
 * has to sign in first; whether it is gone with this page.
 * @type {{ entries: Entry[], waiting: number, failed: number, needsSignIn: boolean, isLoose: boolean }}
 */
export const standing = { entries: [], waiting: 0, failed: 0, needsSignIn: false, isLoose: false };

async function count() {
  const mine = await entries();
  standing.entries = mine;
  standing.failed = mine.filter((entry) => entry.state === "failed").length;
  standing.waiting = mine.length - standing.failed;
  standing.isLoose = mine.some((entry) => loose.includes(entry));
  // Tells the next page that this module is wanted, whatever that page is.
  if (mine.length) localStorage.setItem("pt-outbox", "waits");
  else localStorage.removeItem("pt-outbox");
}

/** @param {News} [news] */
async function tell(news) {
  await count();
  document.dispatchEvent(new CustomEvent("pt-outbox", { detail: news }));
}

/** @param {Entry} entry @param {News["state"]} state @param {unknown} [result] */
async function announce(entry, state, result) {
  const news = { key: entry.key, command: entry.command, state, result };
  tabs?.postMessage(news);
  await tell(news);
}

// --- Sending

/**
 * Keeps a command and sends it when it can; done when it is kept. Everybody hears how it goes through the document's
 * event `pt-outbox`, whose detail is `News`, or null where what is here was only counted.
 * @param {Act} act
 */
export async function queue(act) {
  /** @type {Entry} */
  const entry = { key: newKey(), command: act.path, label: "", about: "", ...act, account: account(), state: "pending", tries: 0, sentence: "" };
  try {
    await stored("readwrite", (store) => {
      const known = store.index("key").getAll(entry.key);
      known.onsuccess = () => known.result.some((one) => one.path === entry.path) || store.add(entry);
      return known;
    });
  } catch {
    if (!loose.some((one) => one.key === entry.key && one.path === entry.path)) loose.push(entry);
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
 * One tab sends at a time; without locks (plain http) the keys alone keep it to once.
 * @param {() => Promise<void>} work
 */
function alone(work) {
  return navigator.locks ? navigator.locks.request("pt-outbox", work) : work();
}

/** Sends what waits, one after the other and in order, until none is left or the network is gone. */
export async function send() {
  isWanted = true;
  if (isSending) return;
  isSending = true;
  clearTimeout(timer);
  try {
    while (isWanted && navigator.onLine) {
      isWanted = false;
      await alone(async () => {
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
 * A command as its form, or an island, would send it.
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
  const form = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
  return { method: "POST", headers, body: form, keepalive: String(form).length < keepaliveLimit };
}

/**
 * Whether the next one may go.
 * @param {Entry} entry
 */
async function sent(entry) {
  const limit = new AbortController();
  const alarm = setTimeout(() => limit.abort(), answerLimit);
  let response;
  try {
    response = await fetch(entry.path, { ...request(entry), signal: limit.signal });
  } catch {
    return inVain(entry);
  } finally {
    clearTimeout(alarm);
  }
  if (response.status === 401) {
    standing.needsSignIn = true;
    await tell({ key: entry.key, command: entry.command, state: "pending" });
    return false;
  }
  standing.needsSignIn = false;
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
    return inVain(entry, Number(response.headers.get("Retry-After")) * 1000);
  }
  entry.state = "failed";
  await put(entry);
  await announce(entry, "failed");
  return true;
}

/**
 * It stays where it is, and goes again after a wait that doubles, spread so that a class of tablets does not come back
 * at once.
 * @param {Entry} entry @param {number} [least] milliseconds
 */
async function inVain(entry, least = 0) {
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
  tries = 0;
  entry.state = "pending";
  entry.tries = 0;
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

// A page that is closed takes with it what this device would not keep.
addEventListener("beforeunload", (event) => {
  if (loose.length) event.preventDefault();
});

async function look() {
  if (!account()) return;
  // Whoever comes from signing in may send again.
  standing.needsSignIn = false;
  await tell();
  await send();
}
onPage(() => void look());
// The page that asked for this module is there already.
void look();
