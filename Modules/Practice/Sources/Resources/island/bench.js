// What the three tools share: texts, the frame of a round, the end of a round, and its way to the school.
import { button, element, icon, newKey } from "pinktower/core.js";
import { haptics } from "pinktower/feedback.js";
import { entries, queue } from "pinktower/outbox.js";
import { count, say } from "pinktower/texts.js";
import { load, remember } from "./memory.js";

/**
 * @typedef {object} Properties
 * @property {"spelling" | "math" | "typing"} tool
 * @property {string} language of the page
 * @property {string} record the path of the command that stores a round
 * @property {Record<string, string>} words
 * @property {import("./memory.js").Known} known
 * @property {List[]} offered the word lists, for spelling
 * @property {string | null} chosen the id of the list that the address names
 */
/** @typedef {{ id: string, name: string, detail: string, language: string, count: number, words: import("./letters.js").Word[] | null }} List */
/**
 * @typedef {object} Result
 * @property {string} kind
 * @property {number} level
 * @property {string} [list]
 * @property {string} [listName]
 * @property {number} asked
 * @property {number} correct
 * @property {number} seconds
 * @property {string[]} missed
 */

export class Bench {
  /** @param {HTMLElement} host @param {Properties} properties */
  constructor(host, properties) {
    this.host = host;
    this.properties = properties;
    this.memory = load(properties.known);
    this.said = element("p", "pt-hidden");
    this.said.setAttribute("role", "status");
    this.box = element("div", "pt-pr");
    host.replaceChildren(this.box, this.said);
    /** The key of the round whose end is shown. */
    this.sent = "";
    /** Whether a round goes on, which a refreshed page must not interrupt. */
    this.isBusy = false;
    document.addEventListener("pt-outbox", () => void this.showDelivery(), { signal: this.lifetime.signal });
  }

  lifetime = new AbortController();

  stop() {
    this.lifetime.abort();
  }

  /** @param {import("./memory.js").Known} known */
  renew(known) {
    this.properties.known = known;
    this.memory = load(known);
  }

  /** @param {(memory: import("./memory.js").Memory) => void} change */
  remember(change) {
    remember(this.memory, change);
  }

  // --- Words

  /** @param {string} key @param {import("pinktower/texts.js").Values} [values] */
  say(key, values) {
    return say(this.properties.words, key, values);
  }

  /** @param {string} key @param {number} n @param {import("pinktower/texts.js").Values} [values] */
  count(key, n, values) {
    return count(this.properties.words, this.properties.language, key, n, values);
  }

  /**
   * Tells screen readers. The same text twice is told twice.
   * @param {string} text
   */
  tell(text) {
    this.said.textContent = this.said.textContent === text ? text + "\u00A0" : text;
  }

  // --- Views

  /**
   * Shows a view, and moves the focus to the element that asks for it. A view that asks for none gets the focus at its first
   * button if the one before had it.
   * @param {...Node} content
   */
  show(...content) {
    const hadFocus = this.box.contains(document.activeElement);
    this.box.replaceChildren(...content);
    const next = this.box.querySelector("[data-focus]") ?? (hadFocus ? this.box.querySelector("button:enabled") : null);
    if (next instanceof HTMLElement) next.focus();
  }

  /** @param {string} text */
  heading(text) {
    const made = element("h2", "t-title2 pt-pr__heading", text);
    made.tabIndex = -1;
    made.dataset.focus = "";
    return made;
  }

  /** @param {string} text @param {() => void} act @param {string} [glyph] */
  primary(text, act, glyph) {
    const made = button(text, "primary", act);
    made.classList.add("pt-button--large", "pt-pr__go");
    if (glyph) made.prepend(icon(glyph, ""));
    return made;
  }

  /** @param {string} text @param {() => void} act @param {string} [glyph] */
  quiet(text, act, glyph) {
    const made = button(text, "quiet", act);
    if (glyph) made.prepend(icon(glyph, "pt-icon--small"));
    return made;
  }

  /**
   * A large choice: a sign, a name and a line about it.
   * @param {Node | string} sign @param {string} title @param {string} detail @param {(() => void) | null} act
   */
  tile(sign, title, detail, act) {
    const mark = element("span", "pt-pr__sign", sign);
    mark.setAttribute("aria-hidden", "true");
    const about = element("span", "pt-pr__about", element("b", "", title), ...(detail ? [element("span", "t-muted", detail)] : []));
    const made = element("button", "pt-pr__tile", mark, about);
    made.type = "button";
    made.disabled = !act;
    if (act) made.addEventListener("click", act);
    return element("li", "", made);
  }

  /** @param {HTMLElement[]} items @param {string} label */
  tiles(items, label) {
    const list = element("ul", "pt-pr__tiles", ...items);
    list.setAttribute("aria-label", label);
    return list;
  }

  /**
   * The line above a round: how far it is, and the button that ends it.
   * @param {number} done @param {number} all @param {() => void} leave
   */
  top(done, all, leave) {
    const bar = element("progress", "pt-pr__bar");
    [bar.max, bar.value] = [all, done];
    bar.setAttribute("aria-label", this.say("progress"));
    const end = this.quiet(this.say("stop"), leave, "x");
    return element("div", "pt-pr__top", bar, end);
  }

  /**
   * A text field without the help of the keyboard: no suggestions, no corrections, no pasted text.
   * @param {string} label @param {() => void} enter @param {() => void} [pasted]
   */
  field(label, enter, pasted = () => {}) {
    const made = element("input", "pt-input pt-pr__field");
    made.setAttribute("aria-label", label);
    for (const name of ["autocapitalize", "autocorrect", "autocomplete"]) made.setAttribute(name, "off");
    made.spellcheck = false;
    made.maxLength = 80;
    made.dataset.focus = "";
    // Names of attributes with which password managers and writing aids leave a field alone.
    for (const name of ["data-1p-ignore", "data-lpignore", "data-gramm"]) made.setAttribute(name, name === "data-gramm" ? "false" : "true");
    made.addEventListener("keydown", (event) => {
      // The Enter of an input method only ends its composition.
      if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      enter();
    });
    made.addEventListener("beforeinput", (event) => {
      if (!["insertFromPaste", "insertFromDrop", "insertFromYank"].includes(event.inputType)) return;
      event.preventDefault();
      pasted();
    });
    return made;
  }

  // --- The end of a round

  /**
   * Stores a round, and shows how it went.
   * @param {Result} result @param {(string | Node)[]} lines @param {() => void} again @param {() => void} leave
   */
  finish(result, lines, again, leave) {
    this.isBusy = false;
    haptics("success");
    this.sent = newKey();
    const delivery = element("p", "pt-pr__delivery t-muted");
    delivery.setAttribute("role", "status");
    const missed = result.missed.length && this.properties.tool !== "typing"
      ? [element("h3", "t-headline", this.say("again.title")), element("p", "pt-pr__missed", ...result.missed.map((text) => this.item(text)))] : [];
    const acts = element("div", "pt-pr__acts", this.primary(this.say("again"), again, "retry"), this.quiet(this.say("leave"), leave));
    this.show(element("section", "pt-card pt-card--roomy pt-pr__card pt-pr__end",
      icon("check", "pt-pr__check"), this.heading(this.say("end")), ...lines.map((line) => (typeof line === "string" ? element("p", "pt-pr__line", line) : line)),
      ...missed, acts, delivery));
    const { tool, record } = this.properties;
    const body = { round: this.sent, tool, finishedAt: new Date().toISOString(), ...result };
    void queue({ command: "practice.record", path: record, key: this.sent, body, label: this.say("title"), about: this.count("about", result.asked) });
  }

  /** @param {string} text */
  item(text) {
    const made = element("bdi", "pt-pr__item", text);
    return made;
  }

  async showDelivery() {
    const line = this.box.querySelector(".pt-pr__delivery");
    if (!line) return;
    const entry = (await entries()).find((one) => one.key === this.sent);
    const text = !entry ? this.say("sent") : entry.state === "failed" ? entry.sentence : this.say(navigator.onLine ? "sending" : "waits");
    if (line.textContent !== text) line.textContent = text;
  }
}
