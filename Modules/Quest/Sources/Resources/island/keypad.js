// The entry to the parent mode: an invisible gesture, then a keypad that does not say what it is for.
import { element, icon, around } from "pinktower/core.js";
import { haptics } from "pinktower/feedback.js";

/** @typedef {(key: string, values?: Record<string, string | number>) => string} Say */

const length = 4;
/** Milliseconds within which three taps must follow, and for which the keys must be held. */
const tapWindow = 900;
const holdTime = 1000;

/**
 * Detects three taps on the element with `data-title`, or Ctrl, Alt and P held down.
 * @param {HTMLElement} host @param {() => void} then
 * @returns {() => void} stops the detection
 */
export function onGesture(host, then) {
  /** @type {number[]} */
  let taps = [];
  let hold = 0;
  /** @param {Event} event */
  const tap = (event) => {
    if (!around(event, "[data-title]")) return;
    taps = [...taps, event.timeStamp].filter((time) => event.timeStamp - time < tapWindow);
    if (taps.length < 3) return;
    taps = [];
    then();
  };
  /** @param {KeyboardEvent} event */
  const down = (event) => {
    if (event.code !== "KeyP" || !event.ctrlKey || !event.altKey) return;
    event.preventDefault();
    if (event.repeat || hold) return;
    hold = window.setTimeout(then, holdTime);
  };
  const up = () => {
    clearTimeout(hold);
    hold = 0;
  };
  host.addEventListener("click", tap);
  addEventListener("keydown", down);
  addEventListener("keyup", up);
  addEventListener("blur", up);
  return () => {
    up();
    host.removeEventListener("click", tap);
    removeEventListener("keydown", down);
    removeEventListener("keyup", up);
    removeEventListener("blur", up);
  };
}

/**
 * Shows the keypad.
 * @param {HTMLElement} host
 * @param {object} options
 * @param {Say} options.say
 * @param {(seconds: number) => string} options.long
 * @param {number} options.wait seconds until codes are accepted
 * @param {(code: string) => Promise<{ isOpen: boolean, wait: number, isOffline: boolean }>} options.send
 */
export function keypad(host, { say, long, wait: firstWait, send }) {
  if (host.querySelector(".pt-keypad")) return;
  let code = "";
  let isBusy = false;
  let timer = 0;
  const title = element("h2", "t-title3", say("code.prompt"));
  title.id = "pt-keypad-title";
  const dots = element("p", "pt-keypad__dots", ...Array.from({ length }, () => element("i", "")));
  dots.setAttribute("role", "img");
  const status = element("p", "pt-keypad__status t-callout");
  status.setAttribute("role", "status");
  const pad = element("div", "pt-keypad__keys");
  const dialog = element("dialog", "pt-keypad", title, dots, status, pad);
  dialog.setAttribute("aria-labelledby", title.id);

  function show() {
    for (const [place, dot] of [...dots.children].entries()) dot.toggleAttribute("data-full", place < code.length);
    dots.setAttribute("aria-label", say("code.dots", { n: code.length }));
  }
  /** @param {boolean} isOff */
  function disable(isOff) {
    for (const key of pad.querySelectorAll("[data-digit]")) if (key instanceof HTMLButtonElement) key.disabled = isOff;
  }
  /** @param {number} until in milliseconds of `performance.now` */
  function wait(until) {
    const left = Math.ceil((until - performance.now()) / 1000);
    isBusy = left > 0;
    disable(isBusy);
    status.textContent = isBusy ? say("code.wait", { time: long(left) }) : "";
    if (isBusy) timer = window.setTimeout(() => wait(until), 1000);
  }
  async function submit() {
    isBusy = true;
    const answer = await send(code);
    isBusy = false;
    code = "";
    if (answer.isOpen) return;
    show();
    if (answer.isOffline) {
      status.textContent = say("code.offline");
    } else {
      haptics("warning");
      // Removed and set again, so that a second wrong code shakes as well.
      delete dots.dataset.wrong;
      void dots.offsetWidth;
      dots.dataset.wrong = "";
      if (answer.wait > 0) wait(performance.now() + answer.wait * 1000);
      else status.textContent = say("code.wrong");
    }
  }
  /** @param {string} digit */
  function type(digit) {
    if (isBusy || code.length >= length) return;
    code += digit;
    status.textContent = "";
    show();
    haptics("lightTap");
    if (code.length === length) void submit();
  }
  function back() {
    if (isBusy) return;
    code = code.slice(0, -1);
    show();
  }
  for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "close", "0", "delete"]) {
    const isDigit = digit.length === 1;
    const key = element("button", "pt-keypad__key", isDigit ? digit : icon(digit === "close" ? "x" : "backspace", ""));
    key.type = "button";
    if (isDigit) key.dataset.digit = digit;
    else key.setAttribute("aria-label", say("code." + digit));
    key.addEventListener("click", () => (isDigit ? type(digit) : digit === "delete" ? back() : dialog.close()));
    pad.append(key);
  }
  dialog.addEventListener("keydown", (event) => {
    if (/^[0-9]$/.test(event.key)) type(event.key);
    else if (event.key === "Backspace") back();
  });
  dialog.addEventListener("close", () => {
    clearTimeout(timer);
    dialog.remove();
  });
  host.append(dialog);
  show();
  dialog.showModal();
  if (firstWait > 0) wait(performance.now() + firstWait * 1000);
}
