// Live events: a page refreshes when data that it shows has changed.
import { commands, delay, here, onPage } from "./core.js";
import { isPage, show } from "./navigate.js";
import { notify } from "./notify.js";

/** @type {EventSource | null} */
let stream = null;
/**
 * The account of the current stream.
 * @type {string | undefined}
 */
let owner;
let last = 0;
/** The last event after which this page must be read again. */
let needed = 0;
let wait = 1000;
let retry = 0;
let due = 0;
let isReading = false;
let isDirty = false;

function pageSeq() {
  return Number(document.body.dataset.seq ?? 0);
}

function connect() {
  clearTimeout(retry);
  stream?.close();
  if (document.body.dataset.seq === undefined) return;
  last = Math.max(last, pageSeq());
  const mine = (stream = new EventSource("/api/v1/live?after=" + last));
  mine.onopen = () => (wait = 1000);
  mine.onmessage = (message) => receive(message.data);
  mine.onerror = () => {
    // EventSource would reconnect at once; a thousand tablets would do so together.
    mine.close();
    if (stream !== mine) return;
    stream = null;
    retry = window.setTimeout(connect, wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, 30000);
  };
}

/** @param {string} data */
function receive(data) {
  /** @type {{ seq?: any, topics?: string[], isNews?: boolean }} */
  const event = JSON.parse(data);
  const { seq, topics, isNews } = event;
  // An event without a number is a signal that is not logged: typing or presence.
  if (seq === undefined) document.dispatchEvent(new CustomEvent("pt-signal", { detail: event }));
  else last = Math.max(last, seq);
  const shown = new Set((document.body.dataset.live ?? "").split(" ").filter(Boolean));
  if (isNews) void notify();
  // Notifications light the bell, which every page has.
  if (!isNews && !topics?.some((topic) => shown.has(topic))) return;
  if (seq <= pageSeq()) return;
  needed = seq;
  clearTimeout(due);
  due = window.setTimeout(read, delay("coalesce"));
}

async function read() {
  // The page may have been fetched meanwhile, after a command of its own.
  if (needed <= pageSeq()) return;
  if (isReading || commands.busy || document.querySelector("form[aria-busy]")) {
    isDirty = true;
    if (!isReading) due = window.setTimeout(read, 100);
    return;
  }
  isReading = true;
  isDirty = false;
  const address = here();
  const { answered } = commands;
  const wanted = last;
  try {
    const response = await fetch(address, { headers: { Accept: "text/html", "X-PinkTower": "live" } });
    // A page that is deleted or forbidden must leave the screen.
    const isOurs = (response.ok || response.status === 404) && isPage(response) && !response.redirected;
    if (isOurs) {
      const source = await response.text();
      // A command was answered meanwhile; this older page would undo its effect.
      if (answered !== commands.answered) isDirty = true;
      else {
        if (here() === address) show(source, address, { history: "none", scroll: "keep", focus: false });
        // The worker had no network and returned its cached page.
        if (pageSeq() < wanted) throw 0;
      }
    }
  } catch {
    // Events since the page was rendered are sent again.
    last = 0;
    retry = window.setTimeout(connect, wait);
  } finally {
    isReading = false;
    if (isDirty) due = window.setTimeout(read, delay("coalesce"));
  }
}

onPage(() => {
  const account = document.body.dataset.account;
  const wants = document.body.dataset.seq !== undefined;
  if (!wants || account !== owner) {
    stream?.close();
    stream = null;
    last = needed = 0;
    owner = account;
  }
  if (wants && !stream) connect();
});
addEventListener("online", connect);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !stream) connect();
});
