// The page on which cards are studied. It schedules the cards on the device and sends each rating through the outbox, so
// that it works without a network.
import { element, icon, newKey } from "pinktower/core.js";
import { haptics, toast } from "pinktower/feedback.js";
import { entries, queue } from "pinktower/outbox.js";
import { onVoices } from "pinktower/speech.js";
import { count, say } from "pinktower/texts.js";
import { boundsOf, dayOf } from "./days.js";
import { reviewed } from "./fsrs.js";
import { replayed } from "./replay.js";
import { add, change, load } from "./store.js";
import { canSpeak, prepare, sound, stop } from "./voice.js";

/** @typedef {import("./fsrs.js").Memory} Memory */
/** @typedef {{ url: string, width: number, height: number, alt: string }} Picture */
/** @typedef {{ text: string, picture?: Picture, sound?: string }} Side */
/** @typedef {{ id: string, set: string, front: Side, back: Side, memory?: Memory }} Card */
/** @typedef {{ title: string, front?: string, back?: string, frontName?: string, backName?: string, mayEdit: boolean }} Source */
/**
 * @typedef {object} Properties
 * @property {string} review the path of the command that stores a rating
 * @property {string} undo
 * @property {string} home the page to go back to
 * @property {string} edit the page of a card, with `{set}` and `{card}`
 * @property {string} language
 * @property {string} timeZone
 * @property {number} newPerDay
 * @property {number} begun the new cards of the day of the page
 * @property {string} day
 * @property {Record<string, Source>} sets
 * @property {Card[]} cards
 * @property {Record<string, string>} words
 */

const ratings = ["again", "hard", "good", "easy"];
const tints = ["clay", "sand", "leaf", "sky"];
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const month = 30.44 * day;
/** The time for which a rating can be taken back after the page was loaded again. */
const undoable = 10 * minute;
/** Seconds that a card takes on average. */
const secondsPerCard = 20;
/** The lengths of texts that are shown large and in a medium size. */
const large = 28;
const medium = 140;

class Flashcards extends HTMLElement {
  static observedAttributes = ["data-properties"];

  /** @type {Properties | null} */
  shown = null;
  /**
   * The memory of each card now.
   * @type {Map<string, Memory | null>}
   */
  memories = new Map();
  /**
   * The cards that were put off, in this order.
   * @type {string[]}
   */
  postponed = [];
  /**
   * The ratings that can be undone: those of this page, and the last ones of a page that was loaded again.
   * @type {{ id: string, card: string }[]}
   */
  given = [];
  /** @type {{ start: number, end: number } | null} */
  bounds = null;
  /** The card that is shown, by its id. */
  current = "";
  isTurned = false;
  /** The new cards that the person asked for beyond those of a day. */
  extra = 0;
  end = () => {};
  isReady = false;
  bar = element("span", "pt-fl__value");
  ofAll = element("span", "pt-fl__of");
  waiting = element("span", "pt-fl__waiting");
  status = element("p", "pt-hidden");
  undoer = element("button", "");
  /** @type {HTMLElement | null} */
  listener = null;
  stage = element("div", "pt-fl__stage");
  actions = element("div", "pt-fl__actions pt-dock");
  aside = element("aside", "pt-fl__side pt-only-wide");

  connectedCallback() {
    const ended = new AbortController();
    this.end = () => ended.abort();
    const { signal } = ended;
    document.addEventListener("keydown", (event) => this.press(event), { signal });
    document.addEventListener("pt-outbox", (event) => this.progress(/** @type {CustomEvent} */ (event).detail), { signal });
    // A card becomes due while the page is in the background.
    document.addEventListener("visibilitychange", () => document.hidden || this.render(false), { signal });
    onVoices(() => this.renderListen(), signal);
    this.build();
    this.isReady = true;
    const known = new Set(this.properties.cards.map(({ id }) => id));
    this.given = load().filter(({ card, at, before, isUndone }) => !isUndone && before !== undefined && known.has(card) && at > Date.now() - undoable);
    this.renew();
    prepare(this.properties.cards);
    void this.renderWaiting();
  }

  disconnectedCallback() {
    stop();
    this.isReady = false;
    this.end();
  }

  attributeChangedCallback() {
    this.shown = null;
    if (this.isReady) this.renew();
  }

  /** @returns {Properties} */
  get properties() {
    return (this.shown ??= JSON.parse(this.dataset.properties ?? "{}"));
  }

  get card() {
    return this.properties.cards.find(({ id }) => id === this.current) ?? null;
  }

  // --- Words

  /** @param {string} key @param {import("pinktower/texts.js").Values} [values] */
  say(key, values) {
    return say(this.properties.words, key, values);
  }

  /** @param {string} key @param {number} n */
  count(key, n) {
    return count(this.properties.words, this.properties.language, key, n);
  }

  /**
   * A time until a card is shown again, in one unit.
   * @param {number} wait milliseconds
   */
  until(wait) {
    /** @type {[string, number][]} */
    const units = [["year", 12 * month], ["month", month], ["day", day], ["hour", hour], ["minute", minute]];
    const [name, length] = units.find(([, one]) => wait >= one) ?? units[4];
    const n = Math.max(1, Math.round((wait / length) * (name === "year" ? 10 : 1)) / (name === "year" ? 10 : 1));
    return this.count("unit." + name, n);
  }

  // --- Schedule

  /** The bounds of the day at the school, in milliseconds since 1970. */
  get today() {
    const now = Date.now();
    if (!this.bounds || now < this.bounds.start || now >= this.bounds.end) this.bounds = boundsOf(now, this.properties.timeZone);
    return this.bounds;
  }

  /** Computes all memories: those of the page, and after them the ratings of this device. */
  renew() {
    /** @type {Map<string, import("./replay.js").Rated[]>} */
    const ratings = new Map();
    for (const one of load()) ratings.set(one.card, [...(ratings.get(one.card) ?? []), one]);
    this.memories = new Map(this.properties.cards.map(({ id, memory }) => [id, replayed(memory ?? null, ratings.get(id) ?? [])]));
    this.render(false);
  }

  /**
   * The cards that are left today, in the order in which they are shown, and what was done today.
   */
  get plan() {
    const { cards, newPerDay, begun, day: pageDay } = this.properties;
    const now = Date.now();
    const { start, end } = this.today;
    const known = new Set(cards.map(({ id }) => id));
    const today = load().filter(({ card, at, isUndone }) => !isUndone && at >= start && known.has(card));
    const wasNew = new Set(cards.filter(({ memory }) => !memory).map(({ id }) => id));
    const firsts = new Set(today.map(({ card }) => card).filter((id) => wasNew.has(id)));
    // A card that the page counted as begun is new again if its first rating was taken back.
    const returned = cards.filter(({ id, memory }) => memory && !this.memories.get(id)).length;
    let room = Math.max(0, newPerDay + this.extra - firsts.size - (dayOf(now, this.properties.timeZone) === pageDay ? begun - returned : 0));
    /** @type {[string, number][]} */
    const ready = [];
    /** @type {[string, number][]} */
    const soon = [];
    /** @type {string[]} */
    const fresh = [];
    let unseen = 0;
    for (const { id } of cards) {
      const memory = this.memories.get(id);
      if (!memory) {
        unseen += 1;
        if (room > 0) fresh.push(id);
        room -= 1;
      } else if (memory.due <= now || (memory.phase === "review" && memory.due < end)) {
        // Cards of the short intervals come first.
        ready.push([id, memory.phase === "review" ? memory.due : memory.due - 365 * day]);
      } else if (memory.due < end) {
        soon.push([id, memory.due]);
      }
    }
    /** @param {[string, number][]} list */
    const sorted = (list) => list.sort((a, b) => a[1] - b[1]).map(([id]) => id);
    const all = [...sorted(ready), ...fresh, ...sorted(soon)];
    const later = this.postponed.filter((id) => all.includes(id));
    const left = later.length ? [...all.filter((id) => !later.includes(id)), ...later] : all;
    const open = new Set(left);
    const done = new Set(today.map(({ card }) => card).filter((id) => !open.has(id)));
    return {
      left, done: done.size, unseen: unseen - fresh.length,
      known: new Set(today.filter(({ rating }) => rating > 2).map(({ card }) => card)).size,
      again: today.filter(({ rating }) => rating === 1).length, fresh: firsts.size,
    };
  }

  // --- Acts

  turn() {
    if (!this.card || this.isTurned) return;
    this.isTurned = true;
    this.render(true);
  }

  /** @param {number} rating */
  rate(rating) {
    const { card } = this;
    if (!card || !this.isTurned) return;
    const at = Date.now();
    const id = newKey();
    const text = card.front.text || card.front.picture?.alt || "";
    const before = this.memories.get(card.id) ?? null;
    add({ id, card: card.id, rating, at, before });
    this.memories.set(card.id, reviewed(before, rating, at));
    this.given.push({ id, card: card.id });
    this.postponed = this.postponed.filter((one) => one !== card.id);
    haptics("lightTap");
    this.current = "";
    this.isTurned = false;
    this.render(true);
    const next = this.card;
    this.announce(next ? this.say("rated", { rating: this.say(ratings[rating - 1]), text: next.front.text || next.front.picture?.alt || "" }) : this.say("done"));
    void queue({
      path: this.properties.review, command: "flashcards.review", key: id, label: this.say(ratings[rating - 1]), about: text.slice(0, 60),
      body: { reviewId: id, cardId: card.id, rating, reviewedAt: new Date(at).toISOString() },
    });
  }

  undo() {
    const last = this.given.pop();
    if (!last) return;
    change(last.id, { isUndone: true });
    this.renew();
    this.current = last.card;
    this.isTurned = false;
    this.render(true);
    this.announce(this.say("undone"));
    void queue({
      path: this.properties.undo, command: "flashcards.undo", label: this.say("undo"), about: "",
      body: { reviewId: last.id, cardId: last.card },
    });
  }

  later() {
    if (!this.current) return;
    this.postponed = [...this.postponed.filter((id) => id !== this.current), this.current];
    this.current = "";
    this.isTurned = false;
    this.render(true);
  }

  listen() {
    const side = this.side;
    if (!side) return;
    const reason = this.silence;
    if (reason) return toast(reason, "info");
    sound(side.side, side.language ?? this.properties.language);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target } = event;
    const isTyping = target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select, [role=textbox]"));
    if (isTyping || document.querySelector("dialog[open]")) return;
    const isControl = target instanceof HTMLElement && target.closest("a, button, summary, audio") !== null;
    const key = event.key.toLowerCase();
    if (event.key === " ") {
      // On a button, the space bar presses it.
      if (isControl || this.isTurned) return;
      this.turn();
    } else if (["1", "2", "3", "4"].includes(key)) {
      if (!this.isTurned) return;
      this.rate(Number(key));
    } else if (key === "l") this.listen();
    else if (key === "u") this.undo();
    else return;
    event.preventDefault();
  }

  /** @param {import("pinktower/outbox.js").Progress | null} progress */
  progress(progress) {
    if (progress && !progress.command.startsWith("flashcards.")) return;
    // The server bounds the time of a device whose clock is ahead.
    if (progress?.state === "synced" && progress.result?.reviewedAt) change(progress.key, { at: Date.parse(progress.result.reviewedAt) });
    void this.renderWaiting();
  }

  // --- The page

  /** @param {string} text */
  announce(text) {
    this.status.textContent = text;
  }

  /** Makes the parts that stay. */
  build() {
    this.status.setAttribute("role", "status");
    const track = element("div", "pt-fl__track", this.bar);
    track.setAttribute("aria-hidden", "true");
    this.undoer = this.button("pt-button pt-button--quiet pt-fl__undo", this.say("undo"), () => this.undo(), "retry");
    const head = element("div", "pt-fl__head", this.ofAll, this.waiting, this.undoer);
    const main = element("div", "pt-fl__main", head, track, this.stage, this.actions, this.status);
    this.aside.setAttribute("aria-label", this.say("today"));
    this.replaceChildren(element("div", "pt-fl pt-with-side", main, this.aside));
  }

  /** @param {string} look @param {string} title @param {() => void} act @param {string} [glyph] */
  button(look, title, act, glyph) {
    const made = element("button", look, ...(glyph ? [icon(glyph, "pt-icon--small")] : []), title);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }

  /** @param {string} title @param {string} glyph @param {() => void} act */
  iconButton(title, glyph, act) {
    const made = element("button", "pt-icon-button pt-icon-button--muted", icon(glyph, ""));
    made.type = "button";
    made.setAttribute("aria-label", title);
    made.title = title;
    made.addEventListener("click", act);
    return made;
  }

  /** The side that is shown, with its language. */
  get side() {
    const { card } = this;
    if (!card) return null;
    const set = this.properties.sets[card.set];
    return this.isTurned
      ? { side: card.back, language: set?.back, name: set?.backName }
      : { side: card.front, language: set?.front, name: set?.frontName };
  }

  /** Why the side cannot be heard; empty if it can. */
  get silence() {
    const shown = this.side;
    if (!shown || shown.side.sound) return "";
    if (canSpeak(shown.language ?? this.properties.language)) return "";
    return shown.name && canSpeak("") ? this.say("noVoiceFor", { language: shown.name }) : this.say("noVoice");
  }

  /** @param {boolean} moves whether the focus follows */
  render(moves) {
    const plan = this.plan;
    if (!plan.left.includes(this.current)) {
      this.current = plan.left[0] ?? "";
      this.isTurned = false;
    }
    const { card } = this;
    stop();
    this.renderHead(plan);
    if (card) this.renderCard(card);
    else this.renderDone(plan);
    const target = moves ? this.stage.querySelector("[tabindex='-1']") : null;
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  /** @param {Flashcards["plan"]} plan */
  renderHead(plan) {
    const all = plan.done + plan.left.length;
    this.bar.style.inlineSize = (all ? (100 * plan.done) / all : 100) + "%";
    this.ofAll.textContent = this.say("progress", { done: plan.done, all });
    this.undoer.hidden = !this.given.length;
    const left = element("div", "pt-card pt-fl__left", element("b", "", this.count("left", plan.left.length)),
      element("span", "", plan.left.length ? this.say("minutes", { n: Math.ceil((plan.left.length * secondsPerCard) / 60) }) : ""));
    this.aside.replaceChildren(left, this.facts(this.say("today"), [
      [this.say("known"), String(plan.known)], [this.say("repeat"), String(plan.again)], [this.say("new"), String(plan.fresh)],
    ]), this.facts(this.say("keys"), [
      [this.say("turn"), [this.say("space")]], [this.say("rateKeys"), ["1", "2", "3", "4"]], [this.say("listen"), ["L"]], [this.say("undo"), ["U"]],
    ]));
  }

  /** @param {string} title @param {[string, string | string[]][]} rows a text, or the names of keys */
  facts(title, rows) {
    const list = element("dl", "pt-fl__facts");
    for (const [term, value] of rows) {
      const cell = element("dd", "", ...(typeof value === "string" ? [value] : value.map((key) => element("kbd", "", key))));
      list.append(element("div", "", element("dt", "", term), cell));
    }
    return element("section", "pt-fl__section", element("h2", "", title), element("div", "pt-card", list));
  }

  /** @param {Card} card */
  renderCard(card) {
    const set = this.properties.sets[card.set];
    const shown = /** @type {NonNullable<Flashcards["side"]>} */ (this.side);
    const top = element("div", "pt-fl__top", this.isTurned
      ? this.text("span", "pt-fl__front", card.front.text || card.front.picture?.alt || "", set?.front)
      : element("span", "pt-tag", set?.frontName ?? this.say("frontOf")));
    this.listener = this.iconButton(this.say("listen"), "wave", () => this.listen());
    top.append(this.listener);
    const middle = element("div", "pt-fl__middle");
    middle.tabIndex = -1;
    const { picture } = shown.side;
    if (picture) {
      const image = element("img", "pt-fl__picture");
      image.width = picture.width;
      image.height = picture.height;
      image.alt = picture.alt;
      image.src = picture.url;
      middle.append(image);
    }
    const [first = "", ...rest] = shown.side.text.split("\n");
    const size = first.length <= large ? "large" : first.length <= medium ? "medium" : "small";
    if (first) middle.append(this.text("p", "pt-fl__text pt-fl__text--" + size, first, shown.language));
    if (rest.length) middle.append(this.text("p", "pt-fl__rest", rest.join("\n"), shown.language));
    const foot = element("div", "pt-fl__foot", this.iconButton(this.say("later"), "clock", () => this.later()),
      this.text("span", "", set?.title ?? ""));
    if (set?.mayEdit) {
      const edit = element("a", "pt-icon-button pt-icon-button--muted", icon("edit", ""));
      edit.href = this.properties.edit.replace("{set}", card.set).replace("{card}", card.id);
      edit.setAttribute("aria-label", this.say("edit"));
      foot.append(edit);
    }
    const box = element("section", "pt-fl__card", top, middle, foot);
    box.dataset.side = this.isTurned ? "back" : "front";
    box.setAttribute("aria-label", this.say(this.isTurned ? "backOf" : "frontOf"));
    // A tap anywhere on the front turns it.
    if (!this.isTurned) {
      box.addEventListener("click", (event) => {
        if (!(event.target instanceof Element && event.target.closest("a, button"))) this.turn();
      });
    }
    this.stage.replaceChildren(element("div", "pt-fl__deck", box));
    this.renderListen();
    this.actions.replaceChildren(this.isTurned ? this.rates(card)
      : this.button("pt-button pt-button--primary pt-button--large pt-fl__show", this.say("show"), () => this.turn()));
  }

  renderListen() {
    if (!this.listener) return;
    const reason = this.silence;
    const label = reason || this.say("listen");
    this.listener.setAttribute("aria-label", label);
    this.listener.title = label;
    this.listener.toggleAttribute("data-silent", reason !== "");
  }

  /** @param {Card} card */
  rates(card) {
    const now = Date.now();
    const memory = this.memories.get(card.id) ?? null;
    const group = element("div", "pt-fl__rates");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", this.say("rate"));
    for (const [place, name] of ratings.entries()) {
      const wait = reviewed(memory, place + 1, now).due - now;
      const made = this.button("pt-fl__rate pt-fl__rate--" + tints[place], "", () => this.rate(place + 1));
      made.dataset.rating = name;
      const key = element("kbd", "pt-only-wide", String(place + 1));
      key.setAttribute("aria-hidden", "true");
      made.append(element("b", "", this.say(name)), element("span", "", this.until(wait)), key);
      group.append(made);
    }
    return group;
  }

  /** @param {Flashcards["plan"]} plan */
  renderDone(plan) {
    this.listener = null;
    const title = element("h2", "", this.say("done"));
    title.tabIndex = -1;
    const back = element("a", "pt-button pt-button--primary", this.say("back"));
    back.href = this.properties.home;
    const box = element("section", "pt-fl__card pt-fl__done", icon("check", "pt-fl__check"), title, element("p", "", this.say("doneTip")));
    this.stage.replaceChildren(element("div", "pt-fl__deck", box));
    const more = this.button("pt-button pt-button--neutral", this.say("more"), () => {
      this.extra += this.properties.newPerDay;
      this.render(true);
    });
    this.actions.replaceChildren(element("div", "pt-fl__ends", back, ...(plan.unseen > 0 ? [more] : [])));
  }

  /**
   * A text in its own direction and language.
   * @param {"p" | "span"} tag @param {string} look @param {string} content @param {string} [language]
   */
  text(tag, look, content, language) {
    const made = element(tag, look, content);
    made.dir = "auto";
    if (language) made.lang = language;
    return made;
  }

  /** Shows the ratings that wait in the outbox. */
  async renderWaiting() {
    const mine = (await entries()).filter(({ command }) => command.startsWith("flashcards."));
    const failed = mine.some(({ state }) => state === "failed");
    const reviews = mine.filter(({ command, state }) => command === "flashcards.review" && state === "pending").length;
    // A rating that is on its way needs no word.
    const text = failed ? this.say("failed") : reviews && !navigator.onLine ? this.count("waiting", reviews) : "";
    if (this.waiting.textContent !== text) this.waiting.textContent = text;
  }
}

if (!customElements.get("pt-flashcards")) customElements.define("pt-flashcards", Flashcards);
