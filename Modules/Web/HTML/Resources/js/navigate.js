// Navigates between pages without a full reload.
import { around, commands, element, here, onPage, pageChanged, plain, word } from "./core.js";
import { ask, toast } from "./feedback.js";
import { isChanged, morph } from "./morph.js";
import { syncSheets } from "./sheets.js";

/** @typedef {{ history?: "push" | "replace" | "none", scroll?: number | "keep", focus?: boolean }} Way */

/**
 * The current visit; a newer one aborts it.
 * @type {AbortController | null}
 */
let running = null;

/** The sites whose videos this document may show: the policy of the fully loaded page applies to later ones. */
const media = document.body.dataset.media;

/** @param {Document} page @returns {string | undefined} */
function runtimeOf(page) {
  return page.querySelector("script[type=module]")?.getAttribute("src") ?? undefined;
}

/**
 * Shows a page from the server.
 * @param {string} source @param {string} address @param {Way} [way]
 */
export function show(source, address, way = {}) {
  const page = new DOMParser().parseFromString(source, "text/html");
  const target = new URL(address, location.href);
  if (runtimeOf(page) !== runtimeOf(document)) {
    // Another version of the product, or not one of our pages: the browser loads it fully.
    location.assign(target.href);
    return;
  }
  if (page.body.dataset.media && page.body.dataset.media !== media) {
    if (target.href === location.href) location.reload();
    else location.assign(target.href);
    return;
  }
  const isSame = plain(target.href) === plain(location.href);
  const change = way.history ?? "push";
  if (change === "push" && target.pathname + target.search !== here()) {
    history.replaceState({ ...history.state, scroll: scrollY }, "");
    history.pushState({ from: here() }, "", target);
  } else if (change !== "none") {
    history.replaceState(history.state, "", target);
  }
  document.title = page.title;
  for (const name of ["lang", "data-theme", "data-appearance"]) {
    const value = page.documentElement.getAttribute(name);
    if (value !== null) document.documentElement.setAttribute(name, value);
  }
  for (const meta of document.head.querySelectorAll("meta[name=theme-color], meta[name=color-scheme]")) meta.remove();
  document.head.append(...page.head.querySelectorAll("meta[name=theme-color], meta[name=color-scheme]"));
  morph(document.body, page.body);
  if (way.scroll === undefined) {
    if (!isSame) scrollTo(0, 0);
  } else if (way.scroll !== "keep") {
    scrollTo(0, way.scroll);
  }
  pageChanged();
  const place = target.hash ? document.getElementById(target.hash.slice(1)) : null;
  place?.scrollIntoView();
  const hasFocus = document.activeElement && document.activeElement !== document.body;
  if (way.focus !== false && (!isSame || !hasFocus)) {
    // The page below an open sheet does not get the focus.
    const sheet = document.querySelector("dialog.pt-sheet[open]");
    if (sheet instanceof HTMLElement) sheet.tabIndex = -1;
    const next = place instanceof HTMLAnchorElement ? place : sheet ?? document.getElementById("main");
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }
}

/**
 * Whether a response is a page.
 * @param {Response} response
 */
export function isPage(response) {
  return (response.headers.get("Content-Type") ?? "").startsWith("text/html");
}

/** @param {string} address whether it is of another page than the one that is shown */
function isOther(address) {
  const path = document.body.dataset.path ?? "/";
  return new URL(address, location.href).pathname !== new URL(path, location.href).pathname;
}

/** A line at the top while the page that is shown comes again. */
function progress() {
  const line = element("div", "pt-progress");
  line.dataset.keep = "";
  document.body.append(line);
  return () => line.remove();
}

/**
 * Opens a page of this site.
 * @param {string} address @param {Way & { header?: string }} [way]
 */
export async function visit(address, way = {}) {
  running?.abort();
  const mine = (running = new AbortController());
  commands.busy += 1;
  let undo = () => {};
  // Without a network the shapes cannot be loaded either; then the line at the top is enough.
  const shapes = import("./skeleton.js").catch(() => null);
  const slow = setTimeout(async () => {
    const shape = await shapes;
    if (running === mine) undo = shape && isOther(address) ? shape.wait(address) : progress();
  }, 150);
  try {
    const headers = { Accept: "text/html", "X-PinkTower": way.header ?? "visit" };
    const response = await fetch(address, { headers, signal: mine.signal });
    if (new URL(response.url).origin !== location.origin || !isPage(response)) {
      location.assign(address);
      return;
    }
    const source = await response.text();
    if (running !== mine) return;
    const hash = new URL(address, location.href).hash;
    undo();
    undo = () => {};
    show(source, response.url + hash, way);
  } catch (error) {
    if (mine.signal.aborted) return;
    toast(word("offline"), "failure");
  } finally {
    clearTimeout(slow);
    undo();
    commands.busy -= 1;
    if (running === mine) running = null;
  }
}

/**
 * Fetches the current page again and morphs into it.
 * @param {string} [header]
 */
export function refresh(header) {
  return visit(here(), { history: "none", scroll: "keep", focus: false, header });
}

/** Whether leaving the page would lose input; drafts are stored, but without their files. */
function isUnsaved() {
  return document.body.dataset.account !== undefined &&
    [...document.querySelectorAll("form.pt-form:not(.pt-form--inline, .pt-form--instant)")].some((form) => !form.closest("dialog:not([open])") &&
      [.../** @type {HTMLFormElement} */ (form).elements].some((field) => isChanged(field) && !field.matches("[type=password]") &&
        (!form.hasAttribute("data-draft") || field.matches("[type=file]"))));
}

/** Asks before input is lost. */
async function mayLeave() {
  return !isUnsaved() || ask({ title: word("leave"), message: word("leaveMessage"), yes: word("leaveYes"), isDestructive: true });
}

addEventListener("beforeunload", (event) => {
  if (isUnsaved()) event.preventDefault();
});

document.addEventListener("click", async (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = around(event, "a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
  if (link.rel.includes("external") || link.origin !== location.origin) return;
  if (link.getAttribute("href")?.startsWith("#")) return;
  if (/^\/(assets|api)\//.test(link.pathname)) return;
  event.preventDefault();
  const address = link.pathname + link.search;
  if (plain(address) !== document.body.dataset.path && !(await mayLeave())) return;
  if (link.hasAttribute("data-back") && history.state?.from === address) history.back();
  else if (address === here() && !link.hash) void refresh();
  else void visit(address + link.hash);
});

/** The address of the shown page, even while the browser has moved to another. */
let place = here();
onPage(() => (place = here()));

window.addEventListener("popstate", async (event) => {
  const sheet = new URLSearchParams(location.search).get("sheet");
  const isHere = plain(location.href) === document.body.dataset.path && (!sheet || document.getElementById("sheet-" + sheet));
  if (isHere) {
    place = here();
    syncSheets();
  } else if (await mayLeave()) void visit(here(), { history: "none", scroll: event.state?.scroll ?? 0 });
  else history.pushState({}, "", place);
});

history.scrollRestoration = "manual";
addEventListener("pagehide", () => history.replaceState({ ...history.state, scroll: scrollY }, ""));
if (typeof history.state?.scroll === "number") scrollTo(0, history.state.scroll);

/** Reflects the browser's network state on the page. */
function network() {
  for (const banner of document.querySelectorAll("[data-offline]")) {
    if (banner instanceof HTMLElement) banner.hidden = navigator.onLine;
  }
}
addEventListener("online", () => {
  network();
  void refresh();
});
addEventListener("offline", network);
onPage(network);
