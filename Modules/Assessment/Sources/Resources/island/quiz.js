// A quiz while it is taken: one question at a time. Each answer goes through the outbox as soon as it is given, so that
// none is lost without a network. The end of time is the server's.
import { button, element, icon, newKey } from "pinktower/core.js";
import { toast } from "pinktower/feedback.js";
import { refresh } from "pinktower/navigate.js";
import { entries, queue } from "pinktower/outbox.js";
import { filled } from "pinktower/texts.js";
import { Countdown, minutesLeft } from "./countdown.js";
import { readings } from "./numbers.js";
import { line, load, richText } from "./rich.js";

/** @typedef {{ optionIds: string[], texts: string[], number?: string }} Answer */
/**
 * @typedef {object} Question
 * @property {string} id
 * @property {"multipleChoice" | "trueFalse" | "numeric" | "fillInTheBlank" | "shortAnswer"} kind
 * @property {{ blocks: any[] }} text
 * @property {{ id: string, text: string, parts?: any[] }[]} options
 * @property {boolean} several
 * @property {number} blanks the number of texts of an answer
 * @property {string} points
 * @property {Answer} [answer]
 * @property {boolean} isMarked
 * @property {string} [saved] when the answer was stored
 * @property {number} [savedAt] the same in milliseconds since 1970
 */
/**
 * @typedef {object} Properties
 * @property {string} api the path of the attempt in the API
 * @property {boolean} isPreview
 * @property {number} started
 * @property {number} [ends] in milliseconds since 1970 of the server's clock
 * @property {number} now
 * @property {string} language
 * @property {Question[]} questions
 * @property {Record<string, string>} words
 */
/** @typedef {"none" | "pending" | "saved" | "failed"} Storing */

/** How long a person may pause while typing before the text is stored. */
const pause = 900;

/** @param {Answer} answer */
const isEmpty = (answer) => !answer.optionIds.length && answer.texts.every((text) => !text.trim());

/** @param {Answer} one @param {Answer} other */
const isSame = (one, other) =>
  [...one.optionIds].sort().join() === [...other.optionIds].sort().join() && one.texts.join("\n") === other.texts.join("\n") && one.number === other.number;

class Quiz extends HTMLElement {
  static observedAttributes = ["data-properties"];

  /** @type {Properties | null} */
  shown = null;
  place = 0;
  /** @type {Map<string, Answer>} */
  answers = new Map();
  /** @type {Set<string>} */
  marked = new Set();
  /** @type {Map<string, { state: Storing, text: string }>} */
  stored = new Map();
  /**
   * When the server stored the answers that are shown, by its clock.
   * @type {Map<string, number>}
   */
  times = new Map();
  /**
   * The question of each command that was not confirmed yet.
   * @type {Map<string, string>}
   */
  sent = new Map();
  handIn = "";
  isAsking = false;
  isOver = false;
  isTimeHidden = false;
  timer = 0;
  /** @type {Countdown | null} */
  countdown = null;
  end = () => {};

  connectedCallback() {
    const ended = new AbortController();
    this.end = () => ended.abort();
    const { signal } = ended;
    document.addEventListener("pt-outbox", (event) => this.progress(/** @type {CustomEvent} */ (event).detail), { signal });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.flush() : void this.sync()), { signal });
    addEventListener("online", () => void this.sync(), { signal });
    addEventListener("offline", () => this.renew(), { signal });
    addEventListener("pagehide", () => this.flush(), { signal });
    this.start();
  }

  disconnectedCallback() {
    this.flush();
    this.countdown?.stop();
    this.end();
  }

  attributeChangedCallback() {
    if (!this.countdown) return;
    // The end may have changed, and answers that were given on another device. What was typed here stays.
    const { ends, now, questions } = /** @type {Properties} */ (JSON.parse(this.dataset.properties ?? "{}"));
    this.countdown.set(ends, now);
    this.merge(questions);
  }

  /**
   * Takes over the answers of another device that are later than those of this one.
   * @param {Question[]} questions
   */
  merge(questions) {
    const changed = new Set();
    for (const { id, answer, isMarked, saved, savedAt } of questions) {
      const waits = [...this.sent.values()].includes(id) || this.typing === id;
      if (waits || !answer || !savedAt || savedAt <= (this.times.get(id) ?? 0)) continue;
      this.times.set(id, savedAt);
      const own = this.answers.get(id);
      if (own && isSame(answer, own) && isMarked === this.marked.has(id)) continue;
      this.answers.set(id, answer);
      if (isMarked) this.marked.add(id);
      else this.marked.delete(id);
      this.stored.set(id, { state: "saved", text: filled(this.words.saved, { time: saved ?? "" }) });
      changed.add(id);
    }
    if (!changed.size) return;
    toast(this.words.changedElsewhere, "info");
    // A question that is being answered keeps its focus.
    if (changed.has(this.question.id)) this.build();
    else this.renew();
  }

  /** @returns {Properties} */
  get properties() {
    this.shown ??= JSON.parse(this.dataset.properties ?? "{}");
    return /** @type {Properties} */ (this.shown);
  }

  get words() {
    return this.properties.words;
  }

  get question() {
    return this.properties.questions[this.place];
  }

  start() {
    for (const question of this.properties.questions) {
      this.answers.set(question.id, question.answer ?? { optionIds: [], texts: [] });
      if (question.isMarked) this.marked.add(question.id);
      if (question.savedAt) this.times.set(question.id, question.savedAt);
      if (question.saved) this.stored.set(question.id, { state: "saved", text: filled(this.words.saved, { time: question.saved }) });
    }
    const { ends, now, started, isPreview } = this.properties;
    this.countdown = new Countdown(started, ends, now, {
      tick: () => this.showTime(),
      warn: (key) => this.say(this.words[key]),
      over: () => (isPreview ? this.say(this.words.previewEnd) : this.timeIsOver()),
    });
    this.build();
    load(this.properties.questions);
    void this.recover();
  }

  /** Shows what waits in the outbox over what the server has: the page was loaded again, or made without a network. */
  async recover() {
    if (this.properties.isPreview) return;
    for (const entry of await entries()) {
      if (!entry.path.startsWith(this.properties.api + "/")) continue;
      if (entry.path.endsWith("/hand-in")) {
        this.handIn = entry.key;
        continue;
      }
      const body = /** @type {{ questionId: string, optionIds: string[], texts: { text: string }[], number?: string, isMarked: boolean }} */ (entry.body);
      this.answers.set(body.questionId, { optionIds: body.optionIds, texts: body.texts.map(({ text }) => text), number: body.number });
      if (body.isMarked) this.marked.add(body.questionId);
      else this.marked.delete(body.questionId);
      this.sent.set(entry.key, body.questionId);
      const failed = entry.state === "failed";
      this.stored.set(body.questionId, { state: failed ? "failed" : "pending", text: failed ? entry.sentence : this.words.kept });
    }
    this.build();
  }

  /** Asks the server for its time and the end, because this device may have slept or its clock may have changed. */
  async sync() {
    this.renew();
    if (this.properties.isPreview || !navigator.onLine) return;
    const response = await fetch(this.properties.api, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!response?.ok) return;
    const { attempt, now } = await response.json();
    if (attempt.closedAt) return void refresh("live");
    this.countdown?.set(attempt.endsAt ? Date.parse(attempt.endsAt) : undefined, Date.parse(now));
  }

  // --- Storing

  /** @param {import("pinktower/outbox.js").Progress | null} progress */
  progress(progress) {
    if (!progress) return;
    if (progress.key === this.handIn) {
      if (progress.state === "synced" || progress.state === "failed") void refresh("live");
      return this.build();
    }
    const id = this.sent.get(progress.key);
    if (!id || progress.state === "pending") return this.renew();
    this.sent.delete(progress.key);
    if ([...this.sent.values()].includes(id)) return;
    if (progress.state === "failed") {
      void entries().then((all) => {
        const sentence = all.find((entry) => entry.key === progress.key)?.sentence ?? this.words.failed;
        this.stored.set(id, { state: "failed", text: sentence });
        this.renew();
      });
      return;
    }
    const result = progress.result;
    if (!result?.savedAt) return;
    this.times.set(id, Date.parse(result.savedAt));
    const time = new Date(result.savedAt).toLocaleTimeString(this.properties.language, { hour: "numeric", minute: "2-digit" });
    this.stored.set(id, { state: "saved", text: filled(result.isLate ? this.words.late : this.words.saved, { time }) });
    if (result.replacedOtherDevice) toast(this.words.otherDevice, "info");
    this.renew();
  }

  /** @param {string} id */
  store(id) {
    if (this.properties.isPreview || this.isOver) return;
    const answer = this.answers.get(id) ?? { optionIds: [], texts: [] };
    const key = newKey();
    this.sent.set(key, id);
    this.stored.set(id, { state: "pending", text: navigator.onLine ? this.words.saving : this.words.kept });
    const number = this.properties.questions.findIndex((question) => question.id === id) + 1;
    void queue({
      path: this.properties.api + "/answers", key, label: this.words.yourAnswer, about: filled(this.words.number, { number }),
      body: { questionId: id, optionIds: answer.optionIds, texts: answer.texts.map((text) => ({ text })), number: answer.number, isMarked: this.marked.has(id) },
    });
    this.renew();
  }

  typing = "";

  /** @param {string} id */
  storeLater(id) {
    if (this.typing && this.typing !== id) this.flush();
    this.typing = id;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.flush(), pause);
  }

  /** Stores the text that is being typed. */
  flush() {
    clearTimeout(this.timer);
    const id = this.typing;
    this.typing = "";
    if (id) this.store(id);
  }

  timeIsOver() {
    this.flush();
    this.isOver = true;
    this.say(this.words.end);
    this.send();
  }

  send() {
    this.flush();
    this.isAsking = false;
    this.handIn = newKey();
    void queue({ path: this.properties.api + "/hand-in", key: this.handIn, label: this.words.handIn, body: {} });
    this.build();
  }

  // --- Showing

  /** @param {string} text */
  say(text) {
    const line = this.querySelector(".pt-qz__said");
    if (line) line.textContent = text;
    toast(text, "info");
  }

  showTime() {
    const shown = this.querySelector(".pt-qz__time");
    const seconds = this.countdown?.seconds;
    if (!(shown instanceof HTMLElement) || seconds === undefined) return;
    const { words } = this;
    shown.textContent = this.isTimeHidden && seconds > 60 ? words.time
      : seconds > 60 ? filled(words.left, { minutes: minutesLeft(seconds) })
      : filled(words.seconds, { seconds });
  }

  /** @param {number} place @param {boolean} [focuses] */
  open(place, focuses = true) {
    this.flush();
    this.isAsking = false;
    this.place = Math.max(0, Math.min(this.properties.questions.length - 1, place));
    this.build();
    if (focuses) this.querySelector("h2")?.focus({ preventScroll: false });
  }

  /** Shows the states of storing again, without touching what is being answered. */
  renew() {
    const saved = this.querySelector(".pt-qz__saved");
    if (saved) saved.replaceWith(this.savedLine());
    const map = this.querySelector(".pt-qz__map");
    if (map) map.replaceChildren(...this.mapItems());
    const count = this.querySelector(".pt-qz__count");
    if (count) count.textContent = this.countText;
  }

  get countText() {
    const all = this.properties.questions;
    const done = all.filter(({ id }) => !isEmpty(this.answers.get(id) ?? { optionIds: [], texts: [] })).length;
    return filled(this.words.answered, { done, count: all.length });
  }

  build() {
    const { words } = this;
    const said = element("p", "pt-hidden pt-qz__said");
    said.setAttribute("role", "status");
    if (this.handIn) {
      const wait = element("section", "pt-card pt-card--roomy pt-qz__end", element("h2", "t-title3", words.handInWaits));
      wait.setAttribute("role", "status");
      if (!navigator.onLine) wait.append(element("p", "t-muted", words.kept));
      return this.replaceChildren(wait, said);
    }
    const map = element("ol", "pt-qz__map pt-strip", ...this.mapItems());
    const nav = element("nav", "pt-qz__nav", map);
    nav.setAttribute("aria-label", words.questions);
    const main = element("div", "pt-qz__main", this.card(), this.isAsking ? this.confirmation() : this.bar());
    const side = element("aside", "pt-qz__side", ...(this.properties.ends ? [this.timeBox()] : []), nav, this.handInButton("pt-only-wide"));
    side.setAttribute("aria-label", words.questions);
    this.replaceChildren(element("div", "pt-with-side", side, main), said);
    this.showTime();
  }

  timeBox() {
    const { words } = this;
    const when = element("div", "pt-qz__when", element("span", "pt-qz__time"));
    const box = element("div", "pt-card pt-qz__timer", icon("clock", "pt-icon--small"), when);
    if (this.properties.ends) {
      const time = new Date(this.properties.ends).toLocaleTimeString(this.properties.language, { hour: "numeric", minute: "2-digit" });
      when.append(element("span", "t-muted pt-only-wide", filled(words.ends, { time })));
    }
    const hide = button(this.isTimeHidden ? words.show : words.hide, "quiet", () => {
      this.isTimeHidden = !this.isTimeHidden;
      this.build();
    });
    box.append(hide);
    return box;
  }

  mapItems() {
    const { words } = this;
    return this.properties.questions.map(({ id }, index) => {
      const to = element("button", "pt-qz__to", String(index + 1));
      to.type = "button";
      const isDone = !isEmpty(this.answers.get(id) ?? { optionIds: [], texts: [] });
      const isMarked = this.marked.has(id);
      if (isDone) to.dataset.done = "";
      const state = this.stored.get(id)?.state;
      if (state === "pending" || state === "failed") to.dataset.sync = state;
      if (index === this.place) to.setAttribute("aria-current", "step");
      if (isMarked) to.append(icon("pin", "pt-icon--tiny"));
      const parts = [filled(words.number, { number: index + 1 }), isDone ? words.isAnswered : words.isOpen, isMarked ? words.isMarked : "", state === "pending" ? words.kept : ""];
      to.setAttribute("aria-label", parts.filter(Boolean).join(", "));
      to.addEventListener("click", () => this.open(index));
      return element("li", "", to);
    });
  }

  savedLine() {
    const stored = this.stored.get(this.question.id);
    const kind = stored?.state ?? "none";
    const glyph = kind === "saved" ? "check" : kind === "failed" ? "alert" : "cloud-off";
    const line = element("span", "pt-qz__saved", ...(stored ? [icon(glyph, "pt-icon--tiny"), stored.text] : []));
    line.dataset.state = kind;
    line.setAttribute("role", "status");
    return line;
  }

  card() {
    const { words, question } = this;
    const top = element("div", "pt-qz__top", element("p", "t-callout t-muted", `${filled(words.number, { number: this.place + 1 })} · ${question.points}`), this.savedLine());
    const title = element("h2", "pt-hidden", filled(words.question, { number: this.place + 1, count: this.properties.questions.length }));
    title.tabIndex = -1;
    const answer = this.answers.get(question.id) ?? { optionIds: [], texts: [] };
    const text = element("div", "pt-rich pt-qz__ask");
    text.id = "pt-qz-ask";
    let blank = 0;
    text.append(...richText(question.text.blocks, () => this.field(question, answer, blank++)));
    const card = element("section", "pt-card pt-card--roomy pt-qz__card", top, title, text);
    if (question.options.length) card.append(this.choices(question, answer));
    else if (question.kind !== "fillInTheBlank") card.append(this.field(question, answer, 0), ...this.meaning(question, answer));
    const isMarked = this.marked.has(question.id);
    const mark = element("button", "pt-chip", icon("pin", "pt-icon--small"), isMarked ? words.unmark : words.mark);
    mark.type = "button";
    mark.setAttribute("aria-pressed", String(isMarked));
    mark.addEventListener("click", () => {
      this.flush();
      if (isMarked) this.marked.delete(question.id);
      else this.marked.add(question.id);
      this.store(question.id);
      this.build();
      const next = this.querySelector(".pt-qz__card > .pt-chip");
      if (next instanceof HTMLElement) next.focus();
    });
    card.append(mark);
    return card;
  }

  /** @param {Question} question @param {Answer} answer */
  choices(question, answer) {
    const { words } = this;
    const set = element("fieldset", "pt-qz__choices", element("legend", "t-callout t-muted", question.several ? words.chooseSeveral : words.chooseOne));
    set.disabled = this.isOver;
    set.setAttribute("aria-describedby", "pt-qz-ask");
    question.options.forEach((option, index) => {
      const input = element("input", "");
      input.type = question.several ? "checkbox" : "radio";
      input.name = "answer-" + question.id;
      input.value = option.id;
      input.checked = answer.optionIds.includes(option.id);
      input.addEventListener("change", () => {
        const chosen = [...set.querySelectorAll("input")].filter((one) => one.checked).map((one) => one.value);
        this.answers.set(question.id, { optionIds: chosen, texts: [] });
        this.store(question.id);
      });
      const letter = element("i", "", String.fromCharCode(65 + index));
      letter.setAttribute("aria-hidden", "true");
      set.append(element("label", "pt-qz__choice", input, letter, element("span", "", ...(option.parts ? line(option.parts, () => document.createTextNode("")) : [option.text]))));
    });
    return set;
  }

  /** @param {Question} question @param {Answer} answer @param {number} index of the blank */
  field(question, answer, index) {
    const { words } = this;
    const isBlank = question.kind === "fillInTheBlank";
    const field = element("input", "pt-input" + (isBlank ? " pt-qz__blank" : " pt-qz__text"));
    field.value = answer.texts[index] ?? "";
    field.disabled = this.isOver;
    field.maxLength = 2000;
    field.autocomplete = "off";
    field.spellcheck = false;
    field.setAttribute("autocapitalize", "off");
    field.setAttribute("autocorrect", "off");
    if (question.kind === "numeric") field.inputMode = "decimal";
    if (isBlank) field.setAttribute("aria-label", filled(words.blank, { number: index + 1 }));
    else {
      field.setAttribute("aria-label", words.yourAnswer);
      field.setAttribute("aria-describedby", "pt-qz-ask");
      field.placeholder = words.yourAnswer;
    }
    field.addEventListener("input", () => {
      const texts = Array.from({ length: question.blanks }, (_, at) => this.answers.get(question.id)?.texts[at] ?? "");
      texts[index] = field.value;
      const before = this.answers.get(question.id);
      this.answers.set(question.id, { optionIds: [], texts });
      const asked = this.querySelector(".pt-qz__meaning");
      if (question.kind === "numeric" && (before?.texts[0] !== field.value || asked)) {
        asked?.remove();
        field.after(...this.meaning(question, { optionIds: [], texts }));
      }
      this.storeLater(question.id);
    });
    field.addEventListener("blur", () => this.flush());
    return field;
  }

  /**
   * Asks which number is meant if a text can be read as two.
   * @param {Question} question @param {Answer} answer
   */
  meaning(question, answer) {
    const both = question.kind === "numeric" ? readings(answer.texts[0] ?? "") : null;
    if (!both) return [];
    const set = element("fieldset", "pt-qz__meaning", element("legend", "", filled(this.words.meaning, { text: answer.texts[0] })));
    for (const number of both) {
      const input = element("input", "");
      input.type = "radio";
      input.name = "meaning";
      input.checked = answer.number === number;
      input.addEventListener("change", () => {
        const texts = this.answers.get(question.id)?.texts ?? answer.texts;
        this.answers.set(question.id, { optionIds: [], texts, number });
        this.flush();
        this.store(question.id);
      });
      const shown = new Intl.NumberFormat(this.properties.language, { maximumFractionDigits: 3 }).format(Number(number));
      set.append(element("label", "", input, shown));
    }
    return [set];
  }

  bar() {
    const { words } = this;
    const last = this.place === this.properties.questions.length - 1;
    const back = button(words.back, "neutral", () => this.open(this.place - 1));
    back.disabled = this.place === 0;
    const next = last ? this.handInButton("") : button(words.next, "primary", () => this.open(this.place + 1));
    const count = element("span", "pt-qz__count t-callout t-muted", this.countText);
    return element("div", "pt-qz__bar", back, count, next);
  }

  /** @param {string} className */
  handInButton(className) {
    const { words } = this;
    const isPreview = this.properties.isPreview;
    const made = button(words.handIn, className ? "tonal" : "primary", () => {
      if (isPreview) return toast(words.previewEnd, "info");
      this.flush();
      this.isAsking = true;
      this.build();
      const ask = this.querySelector(".pt-qz__confirm h3");
      if (ask instanceof HTMLElement) ask.focus();
    });
    if (className) made.classList.add(className);
    return made;
  }

  confirmation() {
    const { words } = this;
    const open = this.properties.questions.filter(({ id }) => isEmpty(this.answers.get(id) ?? { optionIds: [], texts: [] })).length;
    const title = element("h3", "", words.handInAsk);
    title.tabIndex = -1;
    const box = element("section", "pt-card pt-qz__confirm", title);
    if (open) box.append(element("p", "t-muted", filled(words.handInOpen, { count: open })));
    box.append(element("div", "pt-qz__acts", button(words.handIn, "primary", () => this.send()), button(words.stay, "quiet", () => this.open(this.place))));
    return box;
  }
}

customElements.define("pt-quiz", Quiz);
