// Shows the outbox: a summary line, the list behind it, each record below its form, and a question before sign-out.
import { button, element, here, icon, onPage, onSignOut, word } from "./core.js";
import { ask, toast } from "./feedback.js";
import { refresh } from "./navigate.js";
import { drop, entries, retry, outboxStatus } from "./outbox.js";

/** @typedef {import("./outbox.js").Entry} Entry */

/** @param {Entry} entry why it is still here */
function reason({ state, tries, sentence }) {
  if (state === "failed") return sentence;
  return word(tries ? "outboxAgain" : "outboxWaiting");
}

/** @param {Entry} entry what may be done about it */
function choices(entry) {
  if (entry.state === "pending" && !entry.tries) return [];
  const again = button(word("retry"), "tonal", () => void retry(entry));
  if (entry.state === "pending") return [again];
  const away = button(word("outboxDrop"), "danger-quiet", async () => {
    const question = { title: word("outboxDropTitle"), message: word("outboxDropMessage"), yes: word("outboxDrop"), isDestructive: true };
    if (await ask(question)) await drop(entry);
  });
  return [again, away];
}

/** Shows the summary line while commands wait; an island that fills the page shows its own. */
function summary() {
  const old = document.querySelector(".pt-outbox");
  const { waiting, failed, needsSignIn, isUnstored } = outboxStatus;
  if ((!waiting && !failed) || document.querySelector("main > .pt-island")) {
    old?.remove();
    return;
  }
  const said = [];
  if (failed) said.push(word("outboxFailed") + " (" + failed + ")");
  if (waiting) said.push(word("outboxWaiting") + " (" + waiting + ")");
  const line = element("p", "pt-banner__text", element("b", "", said.join(" · ")));
  if (isUnstored) line.append(element("span", "", word("outboxLoose")));
  const box = element("div", "pt-outbox pt-offline pt-banner" + (failed ? " pt-banner--danger" : ""), line);
  if (needsSignIn && waiting) {
    const link = element("a", "pt-link", word("outboxSignIn"));
    link.href = "/sign-in?next=" + encodeURIComponent(here());
    box.append(link);
  }
  box.append(button(word("outboxShow"), "quiet", () => void list()));
  box.setAttribute("role", "status");
  box.dataset.keep = "";
  // Replaced only when its text changes, so that screen readers do not repeat it.
  if (old?.textContent !== box.textContent) {
    if (old) old.replaceWith(box);
    else document.getElementById("main")?.before(box);
  }
}

/** Shows the list of all commands with their states and actions. */
async function list() {
  const dialog = element("dialog", "pt-ask");
  const title = element("h2", "t-title3", word("outboxTitle"));
  title.id = "pt-outbox-title";
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.dataset.keep = "";
  const rows = element("ul", "pt-stack pt-stack--sm");
  const close = button(word("close"), "neutral", () => dialog.close());
  dialog.append(element("div", "pt-ask__body", title, rows), element("div", "pt-ask__buttons", close));
  const fill = async () => {
    const mine = await entries();
    if (!mine.length) dialog.close();
    rows.replaceChildren(...mine.map((entry) => {
      const name = [entry.about, entry.label].filter(Boolean).join(": ");
      const row = element("li", "pt-stack pt-stack--xs", element("b", "", name), element("span", "t-callout t-muted", reason(entry)));
      const acts = choices(entry);
      if (acts.length) row.append(element("div", "pt-row", ...acts));
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

/** Shows below each form the input that the server has not accepted yet. */
function records() {
  for (const form of document.querySelectorAll("form.pt-form[data-queue]")) {
    const mine = outboxStatus.entries.filter((entry) => entry.fields && entry.path === form.getAttribute("action"));
    const old = form.nextElementSibling?.matches(".pt-waiting") ? form.nextElementSibling : null;
    if (!mine.length) {
      old?.remove();
      continue;
    }
    const rows = mine.map((entry) => {
      const hasFailed = entry.state === "failed";
      const text = element("p", "pt-banner__text", element("b", "", entry.label), element("span", "", reason(entry)));
      text.dir = "auto";
      const row = element("li", "pt-banner " + (hasFailed ? "pt-banner--danger" : "pt-banner--info"),
        icon(hasFailed ? "alert" : "cloud-up", "pt-icon--small"), text, ...choices(entry));
      row.dataset.sync = entry.state;
      return row;
    });
    const made = element("ul", "pt-waiting pt-stack pt-stack--xs", ...rows);
    made.dataset.keep = "";
    if (old?.textContent === made.textContent) continue;
    if (old) old.replaceWith(made);
    else form.after(made);
  }
}

function renew() {
  summary();
  records();
}

document.addEventListener("pt-outbox", (event) => {
  renew();
  const { detail } = /** @type {CustomEvent<import("./outbox.js").Progress | null>} */ (event);
  if (!detail) return;
  const entry = outboxStatus.entries.find((one) => one.key === detail.key && one.command === detail.command);
  if (detail.state === "failed" && entry) toast(entry.sentence, "failure");
  /** @param {string} kind */
  const comesFrom = (kind) => [...document.querySelectorAll(kind)].some((form) => form.getAttribute("action") === detail.command);
  // Input of this page's forms is on the page from now on; deleted input is removed, taps included.
  const isOver = detail.state === "synced" && !outboxStatus.waiting && comesFrom("form[data-queue]");
  if (isOver || (detail.state === "dropped" && comesFrom("form[data-queue], form[data-tap]"))) void refresh("live");
});

// After a sign-out the commands here could not be seen or sent, so the person decides.
onSignOut((event, form) => {
  if (!outboxStatus.waiting && !outboxStatus.failed) return;
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

onPage(renew);
renew();
