// Shared by all modules: the page's texts, delays, hooks and requests.

/**
 * A text of the runtime in the reader's language.
 * @param {string} name
 */
export function word(name) {
  return document.getElementById("pt-words")?.dataset[name] ?? "";
}

/**
 * A duration of the design tokens, in milliseconds.
 * @param {string} name
 */
export function delay(name) {
  return parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--delay-" + name)) || 0;
}

/** The current address within this site. */
export function here() {
  return location.pathname + location.search;
}

/**
 * The address without the parameter `sheet`.
 * @param {string} address
 */
export function plain(address) {
  const url = new URL(address, location.href);
  url.searchParams.delete("sheet");
  return url.pathname + url.search;
}

/** @type {Array<() => void>} */
const hooks = [];

/**
 * Runs a function now and after each change of the page.
 * @param {() => void} hook
 */
export function onPage(hook) {
  hooks.push(hook);
}

export function pageChanged() {
  for (const hook of hooks) hook();
}

/**
 * The closest ancestor of an event's target that matches a selector.
 * @param {Event} event @param {string} selector @returns {HTMLElement | null}
 */
export function around(event, selector) {
  const target = event.target;
  const found = target instanceof Element ? target.closest(selector) : null;
  return found instanceof HTMLElement ? found : null;
}

/**
 * Runs a function when the sign-out form is sent.
 * @param {(event: SubmitEvent, form: HTMLFormElement) => void} hook @param {boolean} [capture] before the others, which
 * it
 * may keep from running
 */
export function onSignOut(hook, capture) {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form instanceof HTMLFormElement && form.action.endsWith("/sign-out")) hook(event, form);
  }, capture);
}

/** Suppresses the click that may follow a gesture, until the next touch. */
export function swallowClick() {
  /** @param {Event} event */
  const stop = (event) => {
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  const end = () => {
    removeEventListener("click", stop, true);
    removeEventListener("pointerdown", end, true);
  };
  addEventListener("click", stop, true);
  addEventListener("pointerdown", end, true);
}

/**
 * Counts what this page does: requests after which it is as new (a page, a command of the outbox), and commands that
 * the server has answered, to recognize pages that were read before the latest. Whatever sends a command by itself
 * counts it too.
 */
export const commands = { busy: 0, answered: 0 };

/**
 * The message of a problem document (RFC 9457), with its faults, for places without fields.
 * @param {Response} response
 */
export async function problem(response) {
  try {
    const body = await response.json();
    /** @type {{ message: string }[]} */
    const faults = body.errors ?? [];
    return faults.map((fault) => fault.message).join(" ") || body.detail || body.title || word("failed");
  } catch {
    return word("failed");
  }
}

/** A unique key: a UUID of version 7 (RFC 9562), which sorts by time. */
export function newKey() {
  const time = Date.now().toString(16).padStart(12, "0");
  const chance = [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return (time + "7" + chance.slice(15) + "8" + chance.slice(0, 15)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The account and school of this page; empty without a session. */
export const account = () => document.body.dataset.account ?? "";

/**
 * Posts JSON to an endpoint.
 * @param {string} path @param {object} [body] @param {boolean} [keepalive] whether it goes on when the page is left
 */
export function post(path, body = {}, keepalive) {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-PinkTower": "command" };
  return fetch(path, { method: "POST", keepalive, headers, body: JSON.stringify(body) });
}

/**
 * An icon of the sprite.
 * @param {string} name
 * @param {string} size
 */
export function icon(name, size) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "pt-icon " + size);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", word("icons") + "#i-" + name);
  svg.append(use);
  return svg;
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {string} className @param {...(Node | string)} content
 */
export function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

/** @param {string} text @param {string} kind the variant of the style sheet: `quiet` @param {() => void} act */
export function button(text, kind, act) {
  const made = element("button", "pt-button pt-button--" + kind, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/**
 * Encodes bytes as base64url (RFC 4648 section 5) without padding.
 * @param {ArrayBuffer | null} buffer
 */
export function encoded(buffer) {
  const text = String.fromCharCode(...new Uint8Array(buffer ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Decodes base64url.
 * @param {string} text
 */
export function decoded(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
