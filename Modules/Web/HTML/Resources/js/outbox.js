// The outbox: what was done stays on this device, in its order, until the server has it. It is sent when there is a
// network, at each start and after growing waits; what the server refuses stays here with its sentence until somebody
// sends it again or deletes it.
import { element, here, newKey, onPage, word } from "./core.js";
import { problem } from "./commands.js";
import { ask } from "./feedback.js";

/**
 * @typedef {object} Entry
 * @property {number} [seq] its place in the order
 * @property {string} key under which the server takes it once, however often it comes
 * @property {string} account
 * @property {string} command
 * @property {string} path
 * @property {unknown} body
 * @property {string} label what a person knows it by
 * @property {"pending" | "failed"} state
 * @property {string} sentence why it was refused
 */
/** @typedef {{ key: string, command: string, state: "pending" | "failed" | "synced" | "dropped", result?: any }} News */

const longestWait = 300_000;
const answerLimit = 30_000;

const account = () => document.body.dataset.account ?? "";

// --- On the device

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

/** @returns {Promise<IDBDatabase>} */
function database() {
  opened ??= new Promise((done, fail) => {
    const request = indexedDB.open("pt-outbox", 1);
    request.onupgradeneeded = () => {
      const store = request.result.createObjectStore("entries", { keyPath: "seq", autoIncrement: true });
      store.createIndex("key", "key", { unique: true });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  return opened;
}

/**
 * Done when it is on the disk.
 * @template T
 * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} work @returns {Promise<T>}
 */
async function stored(mode, work) {
  const transaction = (await database()).transaction("entries", mode, { durability: "strict" });
  const request = work(transaction.objectStore("entries"));
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done(request.result);
    transaction.onerror = transaction.onabort = () => fail(transaction.error);
  });
}

/**
 * What this account has here, in order.
 * @returns {Promise<Entry[]>}
 */
export async function entries() {
  /** @type {Entry[]} */
  const all = await stored("readonly", (store) => store.getAll());
  return all.filter((entry) => entry.account === account());
}

// --- News

/** The other tabs of this device; the names of what changed go there, nothing else. */
const tabs = "BroadcastChannel" in window ? new BroadcastChannel("pt-outbox") : null;
tabs?.addEventListener("message", (event) => void tell(event.data));

/** How this account stands: how many wait, how many were refused, and whether somebody has to sign in first. */
export const standing = { waiting: 0, failed: 0, needsSignIn: false };

async function count() {
  const mine = await entries();
  standing.failed = mine.filter((entry) => entry.state === "failed").length;
  standing.waiting = mine.length - standing.failed;
  // Tells the next page that this module is wanted, whatever that page is.
  if (mine.length) localStorage.setItem("pt-outbox", "waits");
  else localStorage.removeItem("pt-outbox");
  summary();
}

/** @param {News} news */
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
 * event `pt-outbox`, whose detail is `News`.
 * @param {string} command @param {string} path @param {unknown} body
 * @param {{ key?: string, label?: string }} [options] the same key is the same command: it is kept once
 */
export async function queue(command, path, body, options) {
  const { key = newKey(), label = "" } = options ?? {};
  /** @type {Entry} */
  const entry = { key, account: account(), command, path, body, label, state: "pending", sentence: "" };
  await stored("readwrite", (store) => {
    const known = store.index("key").getKey(key);
    known.onsuccess = () => known.result === undefined && store.add(entry);
    return known;
  });
  await announce(entry, "pending");
  void send();
  return key;
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
 * Whether the next one may go.
 * @param {Entry} entry
 */
async function sent(entry) {
  const limit = new AbortController();
  const alarm = setTimeout(() => limit.abort(), answerLimit);
  let response;
  try {
    response = await fetch(entry.path, {
      method: "POST", body: JSON.stringify(entry.body), signal: limit.signal,
      headers: {
        Accept: "application/json", "Content-Type": "application/json", "Idempotency-Key": entry.key,
        "X-PinkTower": "command",
      },
    });
  } catch {
    later();
    return false;
  } finally {
    clearTimeout(alarm);
  }
  if (response.status === 401) {
    standing.needsSignIn = true;
    summary();
    document.dispatchEvent(new CustomEvent("pt-outbox", { detail: { key: entry.key, command: entry.command, state: "pending" } }));
    return false;
  }
  standing.needsSignIn = false;
  if (response.ok) {
    tries = 0;
    const result = await response.json().catch(() => null);
    await stored("readwrite", (store) => store.delete(entry.seq ?? 0));
    await announce(entry, "synced", result);
    return true;
  }
  if (response.status >= 500 || [408, 425, 429].includes(response.status)) {
    later(Number(response.headers.get("Retry-After")) * 1000);
    return false;
  }
  entry.state = "failed";
  entry.sentence = await problem(response);
  await stored("readwrite", (store) => store.put(entry));
  await announce(entry, "failed");
  return true;
}

/**
 * Tries again after a wait that doubles, spread so that a class of tablets does not come back at once.
 * @param {number} [least]
 */
function later(least = 0) {
  const wait = Math.min(longestWait, 1000 * 2 ** tries) * (0.5 + Math.random() / 2);
  tries += 1;
  clearTimeout(timer);
  timer = window.setTimeout(() => void send(), Math.max(wait, least || 0));
}

/** @param {Entry} entry */
export async function retry(entry) {
  entry.state = "pending";
  await stored("readwrite", (store) => store.put(entry));
  await announce(entry, "pending");
  void send();
}

/** @param {Entry} entry */
export async function drop(entry) {
  await stored("readwrite", (store) => store.delete(entry.seq ?? 0));
  await announce(entry, "dropped");
}

// --- What people see

/** The line that any page shows while something is here; an island that is the page tells it in its own way. */
function summary() {
  const old = document.querySelector(".pt-outbox");
  const { waiting, failed, needsSignIn } = standing;
  if ((!waiting && !failed) || document.querySelector("main > .pt-island")) {
    old?.remove();
    return;
  }
  const said = [];
  if (failed) said.push(word("outboxFailed") + " (" + failed + ")");
  if (waiting) said.push(word("outboxWaiting") + " (" + waiting + ")");
  const line = element("p", "pt-banner__text", element("b", "", said.join(" · ")));
  const look = element("button", "pt-button pt-button--quiet", word("outboxShow"));
  look.type = "button";
  look.addEventListener("click", () => void list());
  const box = element("div", "pt-outbox pt-offline pt-banner" + (failed ? " pt-banner--danger" : ""), line);
  if (needsSignIn && waiting) {
    const link = element("a", "pt-link", word("outboxSignIn"));
    link.href = "/sign-in?next=" + encodeURIComponent(here());
    box.append(link);
  }
  box.append(look);
  box.setAttribute("role", "status");
  box.dataset.keep = "";
  // Replaced only where it says something new, so that it is not read out again.
  if (old?.textContent !== box.textContent) {
    if (old) old.replaceWith(box);
    else document.getElementById("main")?.before(box);
  }
}

/** Everything that is here, each with its state and what can be done about it. */
async function list() {
  const dialog = element("dialog", "pt-ask");
  const title = element("h2", "t-title3", word("outboxTitle"));
  title.id = "pt-outbox-title";
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.dataset.keep = "";
  const rows = element("ul", "pt-stack pt-stack--sm");
  const close = element("button", "pt-button pt-button--neutral", word("close"));
  close.onclick = () => dialog.close();
  dialog.append(element("div", "pt-ask__body", title, rows), element("div", "pt-ask__buttons", close));
  const fill = async () => {
    const mine = await entries();
    if (!mine.length) dialog.close();
    rows.replaceChildren(...mine.map((entry) => {
      const hasFailed = entry.state === "failed";
      const row = element("li", "pt-stack pt-stack--xs", element("b", "", entry.label),
        element("span", "t-callout t-muted", hasFailed ? entry.sentence : word("outboxWaiting")));
      if (!hasFailed) return row;
      const again = element("button", "pt-button pt-button--tonal", word("retry"));
      again.onclick = () => void retry(entry);
      const away = element("button", "pt-button pt-button--danger-quiet", word("outboxDrop"));
      away.onclick = async () => {
        const question = { title: word("outboxDropTitle"), message: word("outboxDropMessage"), yes: word("outboxDrop"), isDestructive: true };
        if (await ask(question)) await drop(entry);
      };
      row.append(element("div", "pt-row", again, away));
      return row;
    }));
  };
  await fill();
  const renew = () => void fill();
  document.addEventListener("pt-outbox", renew);
  dialog.onclose = () => {
    document.removeEventListener("pt-outbox", renew);
    dialog.remove();
  };
  document.body.append(dialog);
  dialog.showModal();
}

// Signing out would leave here what nobody else may see or send: whoever signs out decides.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.action.endsWith("/sign-out")) return;
  if (!standing.waiting && !standing.failed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { submitter } = event;
  void ask({
    title: word("outboxLeaveTitle"), message: word("outboxLeaveMessage"), yes: word("outboxLeaveYes"), isDestructive: true,
  }, submitter).then(async (isSure) => {
    if (!isSure) return;
    for (const entry of await entries()) await drop(entry);
    form.requestSubmit(submitter);
  });
}, true);

addEventListener("online", () => {
  tries = 0;
  void send();
});

function look() {
  if (!account()) return;
  // Whoever comes from signing in may send again.
  standing.needsSignIn = false;
  void count().then(send);
}
onPage(look);
// The page that asked for this module is there already.
look();
