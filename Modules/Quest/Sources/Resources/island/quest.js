// The child's page: guess, do, compare. It works without a network, and sessions are sent through the outbox.
import { element, icon, newKey } from "pinktower/core.js";
import { haptics } from "pinktower/feedback.js";
import { refresh, visit } from "pinktower/navigate.js";
import { entries, queue, outboxStatus as outbox } from "pinktower/outbox.js";
import { count, say } from "pinktower/texts.js";
import { dial } from "./dial.js";
import { calibrationLeft, choose, course, isCalibration, long, score, short, weekday } from "./engine.js";
import { keypad, onGesture } from "./keypad.js";
import { bar, confetti, landscape, steps, sun, thing, tower } from "./scenery.js";
import * as stopwatch from "./stopwatch.js";
import { load, onOtherTab, save } from "./store.js";

/** @typedef {import("./store.js").Quest} Quest */
/** @typedef {{ id: string, displayName: string, referenceSeconds: number | null }} Task */
/** @typedef {{ id: string, displayName: string, activeDays: number[], completedSessions: number, tasks: Task[] }} Routine */
/**
 * @typedef {object} Properties
 * @property {{ id: string, name: string }} player
 * @property {{ id: string, name: string }[]} players
 * @property {string} timeZone
 * @property {string} language
 * @property {Routine[]} routines
 * @property {string[]} discoveries
 * @property {import("./engine.js").Message[]} messages
 * @property {Record<string, string>} words
 * @property {string} record the path of the command that records sessions
 * @property {{ path: string, close: string, signIn: string }} gate
 */

const command = "quest.recordSession";
/** The first position of the dial in seconds: short, and not a hint. */
const firstGuess = 120;

/**
 * Makes an element from the markup of this block's own pictures.
 * @param {string} markup
 */
function picture(markup) {
  const box = document.createElement("template");
  box.innerHTML = markup;
  return box.content;
}

/** @param {string} look @param {string} title @param {() => void} act @param {string} [glyph] */
function button(look, title, act, glyph) {
  const made = element("button", look, ...(glyph ? [icon(glyph, "")] : []), title);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** @param {string} title @param {() => void} act @param {string} [glyph] */
const primary = (title, act, glyph) => button("pt-button pt-button--primary pt-quest__go", title, act, glyph);
/** @param {string} title @param {() => void} act @param {string} [glyph] */
const quiet = (title, act, glyph) => button("pt-button pt-quest__quiet", title, act, glyph);

class QuestStage extends HTMLElement {
  static observedAttributes = ["data-properties"];

  /** @type {Properties | null} */
  shown = null;
  memory = load();
  /**
   * The number of sessions of each routine that wait in the outbox.
   * @type {Record<string, number>}
   */
  waiting = {};
  /**
   * The state of sending the present session.
   * @type {"pending" | "failed" | "synced"}
   */
  delivery = "pending";
  /** @type {(() => void)[]} */
  ends = [];
  ticker = 0;
  /** The time of the last save. */
  savedAt = 0;

  connectedCallback() {
    const { signal, end } = this.lifetime();
    this.ends = [end, onGesture(this, () => void this.openKeypad())];
    document.addEventListener("pt-outbox", (event) => {
      const { detail } = /** @type {CustomEvent<import("pinktower/outbox.js").Progress | null>} */ (event);
      // The server finds new results in sent sessions, so the page is loaded again, also for the service worker's
      // cache.
      void this.countWaiting();
      if (detail?.state === "synced" && detail.command === command) void refresh("live");
    }, { signal });
    document.addEventListener("visibilitychange", () => this.tick(), { signal });
    addEventListener("pagehide", () => {
      this.tick();
      this.save();
    }, { signal });
    // Each launch starts in player mode, on the server as well; without a network, at the next launch.
    void this.post(this.properties.gate.close, {}).catch(() => {});
    // The service worker caches the other players' pages, so that they can play without a network as well.
    for (const other of this.properties.players) {
      if (other.id !== this.properties.player.id) void fetch(this.pageOf(other.id), { headers: { Accept: "text/html" } }).catch(() => {});
    }
    void this.countWaiting();
    this.render();
  }

  lifetime() {
    const control = new AbortController();
    onOtherTab(() => {
      if (control.signal.aborted) return;
      const before = this.quest;
      this.memory = load();
      const { quest } = this;
      const isSame = before?.session === quest?.session && before?.step === quest?.step && before?.index === quest?.index;
      if (!isSame) this.render(false);
    });
    return { signal: control.signal, end: () => control.abort() };
  }

  disconnectedCallback() {
    this.tick();
    clearInterval(this.ticker);
    for (const end of this.ends) end();
    this.ends = [];
  }

  attributeChangedCallback() {
    this.shown = null;
    // Loading the page again must not interrupt a guess.
    if (this.ends.length && !this.quest) this.render(false);
  }

  /** @returns {Properties} */
  get properties() {
    return (this.shown ??= JSON.parse(this.dataset.properties ?? "{}"));
  }

  get quest() {
    return this.memory.quests[this.properties.player.id] ?? null;
  }

  /** @param {string} player */
  pageOf(player) {
    return location.pathname + "?player=" + player;
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

  /** @param {number} seconds */
  short(seconds) {
    return short(seconds, (unit, digits) => this.say("unit." + unit[0], { n: digits }));
  }

  /** @param {number} seconds */
  long(seconds) {
    return long(seconds, (unit, n) => this.count(unit, n));
  }

  /**
   * A guess as the dial shows it.
   * @param {number} seconds
   */
  dialed(seconds) {
    const minutes = Math.floor(seconds / 60);
    const rest = seconds % 60;
    const number = minutes ? minutes + (rest ? ":" + String(rest).padStart(2, "0") : "") : String(seconds);
    const unit = minutes ? this.count("dial.minutes", rest ? 2 : minutes) : this.count("dial.seconds", seconds);
    return { number, unit, spoken: this.long(seconds) };
  }

  // --- Steps

  async countWaiting() {
    const mine = (await entries()).filter((entry) => entry.command === command);
    const before = JSON.stringify(this.waiting);
    this.waiting = {};
    for (const { body } of mine) {
      const { routine } = /** @type {{ routine: string }} */ (body);
      this.waiting[routine] = (this.waiting[routine] ?? 0) + 1;
    }
    const quest = this.quest;
    const former = this.delivery;
    const own = quest && mine.find((entry) => entry.key === quest.session);
    this.delivery = own ? own.state : "synced";
    if (quest?.step === "path" ? this.delivery !== former : !quest && JSON.stringify(this.waiting) !== before) this.render(false);
  }

  /** @param {Partial<Quest>} change */
  go(change) {
    const quest = this.quest;
    if (!quest) return;
    this.memory.quests[quest.player] = { ...quest, ...change };
    this.save();
    this.render();
  }

  /** @param {Routine} routine */
  start(routine) {
    const player = this.properties.player.id;
    this.memory.quests[player] = {
      session: newKey(), player, routine: routine.id, routineDisplayName: routine.displayName,
      startedAt: new Date().toISOString(), tasks: routine.tasks.map(({ id, displayName }) => ({ id, displayName })),
      completed: routine.completedSessions + (this.waiting[routine.id] ?? 0),
      index: 0, step: "guess", guess: firstGuess, watch: null, doubt: "", message: null, estimations: [],
    };
    this.isHome = false;
    this.save();
    this.render();
  }

  /** Abandons the quest. Nothing of it was sent. */
  abandon() {
    delete this.memory.quests[this.properties.player.id];
    this.save();
    this.render();
  }

  /** Goes to the home view. A running task pauses meanwhile. */
  leave() {
    this.isHome = true;
    this.tick();
    if (this.quest?.step === "run") this.go({ step: "pause" });
    else this.render();
  }

  /** Whether the child is in the home view during a quest. */
  isHome = false;

  /** Reads the clocks during a running task. */
  tick() {
    const quest = this.quest;
    if (quest?.step !== "run" || !quest.watch) return;
    quest.watch = stopwatch.read(quest.watch, stopwatch.now());
    // A save is correct regardless of its age. Saving regularly limits the effect of a changed clock.
    if (document.hidden || Math.abs(Date.now() - this.savedAt) > 5000) this.save();
    const number = this.querySelector("[role=timer] b");
    const text = this.counting(quest.watch.spent);
    if (number && number.textContent !== text) number.textContent = text;
  }

  /** @param {number} spent in milliseconds */
  counting(spent) {
    const whole = Math.floor(spent / 1000);
    const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
    const rest = String(seconds).padStart(2, "0");
    return hours ? hours + ":" + String(minutes).padStart(2, "0") + ":" + rest : minutes + ":" + rest;
  }

  save() {
    this.savedAt = Date.now();
    save(this.memory);
  }

  /** Ends the task. */
  finishTask() {
    this.tick();
    const watch = this.quest?.watch;
    if (!watch) return;
    const doubt = stopwatch.doubt(watch);
    if (doubt) this.go({ step: "told", doubt });
    else if (watch.spent < stopwatch.shortest) this.go({ step: "told", doubt: "quick" });
    else this.found(watch.spent / 1000, false);
  }

  /** @param {number} actual in seconds @param {boolean} wasStopped whether the child entered the time, not a clock */
  found(actual, wasStopped) {
    const quest = this.quest;
    if (!quest) return;
    const { id, displayName } = quest.tasks[quest.index];
    // To a tenth of a second, and never 0.
    const actualSeconds = Math.max(0.1, Math.round(actual * 10) / 10);
    const result = score(quest.guess, actualSeconds);
    const place = quest.player + " " + id;
    const before = this.memory.shown[quest.player] ?? { id: null, turn: 0 };
    const phase = isCalibration(quest.completed) ? "calibration" : "play";
    const message = choose(this.properties.messages, result, phase, course(result, this.memory.results[place] ?? null), before);
    this.memory.results[place] = { accuracy: result.accuracy, rating: result.rating };
    this.memory.shown[quest.player] = { id: message?.id ?? null, turn: before.turn + 1 };
    haptics("success");
    this.go({
      step: "found", message: message ?? null, watch: null,
      estimations: [...quest.estimations, {
        task: id, taskDisplayName: displayName, estimatedSeconds: quest.guess, actualSeconds, orderIndex: quest.index,
        recordedAt: new Date().toISOString(), wasStopped,
      }],
    });
  }

  /** Continues with the next task, or with the summary. */
  next() {
    const quest = this.quest;
    if (!quest) return;
    if (quest.index + 1 < quest.tasks.length) {
      this.go({ index: quest.index + 1, step: "guess", guess: firstGuess, watch: null, message: null });
    } else if (quest.estimations.length) {
      void this.finish();
    } else {
      this.abandon();
    }
  }

  /** Saves the session before showing it as finished. */
  async finish() {
    const quest = this.quest;
    if (!quest) return;
    const { session, player, routine, routineDisplayName, startedAt, estimations } = quest;
    const completedAt = new Date().toISOString();
    this.delivery = "pending";
    const body = { session, player, routine, routineDisplayName, startedAt, completedAt, estimations };
    await queue({ command, path: this.properties.record, body, key: session, label: routineDisplayName });
    this.go({ step: "path" });
  }

  /** Shows the keypad after the gesture, or the sign-in page on a device without a code. */
  async openKeypad() {
    const { gate } = this.properties;
    const gateState = await fetch(gate.path, { headers: { Accept: "application/json" } })
      .then((response) => (response.ok ? response.json() : { asks: response.status === 401 ? "signIn" : "code" }), () => ({ asks: "code" }));
    if (gateState.asks === "signIn") return void visit(gate.signIn);
    const wait = Math.max(0, (Date.parse(gateState.lockedUntil ?? "") - Date.now()) / 1000) || 0;
    keypad(this, { say: (key, values) => this.say(key, values), long: (seconds) => this.long(seconds), wait, send: (code) => this.tryCode(code) });
  }

  /** @param {string} code */
  async tryCode(code) {
    const { gate } = this.properties;
    let response;
    try {
      response = await this.post(gate.path, { code });
    } catch {
      return { isOpen: false, wait: 0, isOffline: true };
    }
    const answer = await response.json().catch(() => ({}));
    const place = response.ok ? answer.path : response.status === 401 || response.status === 409 ? gate.signIn : null;
    if (place) void visit(place);
    return { isOpen: Boolean(place), wait: Number(response.headers.get("Retry-After") ?? answer.retryAfter) || 0, isOffline: response.status >= 500 };
  }

  /** @param {string} path @param {unknown} body */
  post(path, body) {
    const headers = { Accept: "application/json", "Content-Type": "application/json", "X-PinkTower": "command" };
    return fetch(path, { method: "POST", body: JSON.stringify(body), headers });
  }

  // --- Views

  /** @param {boolean} [movesFocus] */
  render(movesFocus = true) {
    clearInterval(this.ticker);
    const quest = this.quest;
    const open = this.querySelector(".pt-keypad");
    const stage = quest && !this.isHome ? this.step(quest) : this.home();
    const former = this.querySelector(".pt-quest");
    const isFirst = !former;
    const held = former?.contains(document.activeElement) ? document.activeElement : null;
    const box = element("div", "pt-quest pt-stage", picture(landscape), stage);
    for (const old of [...this.children]) if (old !== open) old.remove();
    this.prepend(box);
    // An update keeps the focus, so that a screen reader stays at its position.
    const match = held && [...stage.querySelectorAll(held.localName)].find((one) => one.textContent === held.textContent);
    const next = /** @type {HTMLElement | null} */ (movesFocus ? stage.querySelector("h1") : held && (match ?? stage.querySelector("h1")));
    if (!isFirst) next?.focus({ preventScroll: true });
    if (!isFirst && movesFocus) scrollTo(0, 0);
    if (quest?.step === "run" && !this.isHome) this.ticker = window.setInterval(() => this.tick(), 250);
  }

  /** @param {Quest} quest */
  step(quest) {
    if (quest.step === "guess") return this.guess(quest);
    if (quest.step === "run" || quest.step === "pause") return this.run(quest);
    if (quest.step === "told") return this.told(quest);
    return quest.step === "found" ? this.discovery(quest) : this.path(quest);
  }

  /** @param {string} name @param {...Node} parts */
  stage(name, ...parts) {
    const wide = name === "home" || name === "path" ? " pt-stage__column--wide" : "";
    const made = element("section", "pt-quest__stage pt-stage__column" + wide, ...parts);
    made.dataset.step = name;
    const title = made.querySelector("h1");
    if (title) {
      title.id = "pt-quest-title";
      title.tabIndex = -1;
      made.setAttribute("aria-labelledby", title.id);
    }
    return made;
  }

  /** @param {Quest} quest @param {number} done */
  kicker(quest, done) {
    const spoken = element("span", "pt-hidden", this.say("step", { n: quest.index + 1, m: quest.tasks.length }));
    return element("p", "pt-quest__kicker", quest.routineDisplayName + " ", picture(steps(done, quest.tasks.length)), spoken);
  }

  /** @param {Quest} quest */
  head(quest) {
    const away = element("button", "pt-quest__away", icon("chevron-left", ""));
    away.type = "button";
    away.setAttribute("aria-label", this.say("home"));
    away.addEventListener("click", () => this.leave());
    const title = element("h1", "t-title1", quest.tasks[quest.index].displayName);
    title.dir = "auto";
    return element("header", "pt-quest__head", away, picture(thing(quest.index)), element("div", "", this.kicker(quest, quest.index + 1), title));
  }

  home() {
    const { player, players, routines, discoveries, timeZone } = this.properties;
    const today = weekday(new Date(), timeZone);
    const now = routines.filter((routine) => routine.tasks.length && routine.activeDays.includes(today));
    const title = element("h1", "t-display", this.say("title"));
    title.dataset.title = "";
    /** @type {Node[]} */
    const parts = [element("header", "pt-quest__hello", title, element("p", "t-title3", this.say("hello", { name: player.name })))];
    if (players.length > 1) {
      const names = players.map((one) => {
        const isChosen = one.id === player.id;
        const name = button("pt-chip pt-quest__name", one.name, () => isChosen || void visit(this.pageOf(one.id)));
        name.setAttribute("aria-pressed", String(isChosen));
        return name;
      });
      const who = element("div", "pt-quest__names", ...names);
      who.setAttribute("role", "group");
      who.setAttribute("aria-label", this.say("who"));
      parts.push(who);
    }
    const quest = this.quest;
    if (quest) {
      parts.push(element("section", "pt-quest__card", element("h2", "t-title3", this.say("goOn.title", { routine: quest.routineDisplayName })),
        primary(this.say("goOn"), () => {
          this.isHome = false;
          this.render();
        }, "play"),
        quiet(this.say("drop"), () => this.abandon())));
    } else if (now.length) {
      parts.push(element("h2", "t-title3", this.say("today")), element("ul", "pt-quest__list", ...now.map((routine, place) => {
        const name = element("b", "", routine.displayName);
        name.dir = "auto";
        const about = element("span", "", this.count("tasks", routine.tasks.length));
        const go = element("button", "pt-quest__pick", picture(thing(place)), element("span", "pt-quest__about", name, about), icon("play", ""));
        go.type = "button";
        go.addEventListener("click", () => this.start(routine));
        return element("li", "", go);
      })));
    } else {
      parts.push(element("p", "pt-quest__card pt-quest__none", this.say("none")));
    }
    const waiting = Object.values(this.waiting).reduce((sum, one) => sum + one, 0);
    if (waiting) parts.push(this.note("cloud-up", this.say(outbox.isUnstored ? "loose" : "kept")));
    if (discoveries.length) {
      parts.push(element("section", "pt-quest__card", element("h2", "t-title3", this.say("discoveries")),
        element("ul", "pt-quest__found", ...discoveries.map((text) => element("li", "", icon("sparkle", "pt-icon--small"), element("span", "", text))))));
    }
    return this.stage("home", ...parts);
  }

  /** @param {string} glyph @param {string} text */
  note(glyph, text) {
    const made = element("p", "pt-quest__note", icon(glyph, "pt-icon--small"), element("span", "", text));
    made.setAttribute("role", "status");
    return made;
  }

  /** @param {number} seconds @param {string} label @param {(seconds: number) => void} changed */
  dial(seconds, label, changed) {
    return dial({ seconds, words: { label, less: this.say("less"), more: this.say("more") }, say: (guess) => this.dialed(guess), changed });
  }

  /** @param {Quest} quest */
  guess(quest) {
    const parts = this.dial(quest.guess, this.say("guess"), (seconds) => {
      quest.guess = seconds;
      this.save();
    });
    return this.stage("guess", this.head(quest),
      element("div", "pt-stage__middle", element("p", "t-title3 pt-quest__ask", this.say("ask")), ...parts),
      primary(this.say("start"), () => this.go({ step: "run", watch: stopwatch.started(stopwatch.now()) }), "play"),
      quiet(this.say("skip"), () => this.next()));
  }

  /** @param {Quest} quest */
  run(quest) {
    const isRunning = quest.step === "run";
    const number = element("b", "t-num", this.counting(quest.watch?.spent ?? 0));
    const timer = element("p", "pt-quest__number", number, element("span", "", this.say(isRunning ? "counting" : "resting")));
    timer.setAttribute("role", "timer");
    const box = element("div", "pt-quest__dialbox pt-quest__sunbox", picture(sun), timer);
    box.toggleAttribute("data-resting", !isRunning);
    const rest = isRunning
      ? quiet(this.say("pause"), () => {
        this.tick();
        this.go({ step: "pause" });
      }, "pause")
      : quiet(this.say("goOn"), () => this.resume(), "play");
    return this.stage("run", this.head(quest),
      element("div", "pt-stage__middle", box, element("p", "t-title3 pt-quest__ask", this.say("guessed", { time: this.long(quest.guess) }))),
      primary(this.say("done"), () => this.finishTask(), "check"),
      element("div", "pt-quest__quiets", rest, quiet(this.say("forgot"), () => {
        this.tick();
        this.go({ step: "told", doubt: "" });
      })));
  }

  resume() {
    const watch = this.quest?.watch;
    if (watch) this.go({ step: "run", watch: stopwatch.resumed(watch, stopwatch.now()) });
  }

  /** @param {Quest} quest */
  told(quest) {
    const spent = (quest.watch?.spent ?? 0) / 1000;
    // The child's guess is the best estimate for now.
    let told = quest.guess;
    const parts = this.dial(told, this.say("told.label"), (seconds) => (told = seconds));
    const kickers = element("div", "pt-quest__kickers", this.kicker(quest, quest.index + 1));
    if (quest.doubt === "quick") {
      // Nothing was done that could be compared, so the child continues or leaves the task out.
      return this.stage("told", kickers,
        element("div", "pt-stage__middle", element("h1", "t-title1", this.say("quick.title")), element("p", "t-title3 pt-quest__ask", this.say("quick.text"))),
        primary(this.say("goOn"), () => this.resume(), "play"),
        element("div", "pt-quest__quiets", quiet(this.say("told.leave"), () => this.next())));
    }
    const reason = quest.doubt === "clock" ? "told.clock" : quest.doubt === "long" ? "told.long" : "told.ask";
    const title = element("h1", "t-title1", this.say("told.title"));
    const isPossible = quest.doubt === "long" && spent < 86_400;
    return this.stage("told", kickers,
      element("div", "pt-stage__middle", title, element("p", "t-title3 pt-quest__ask", this.say(reason)), ...parts),
      primary(this.say("told.take"), () => this.found(told, true), "check"),
      element("div", "pt-quest__quiets",
        ...(isPossible ? [quiet(this.say("told.measured", { time: this.long(spent) }), () => this.found(spent, false))] : []),
        quiet(this.say("told.leave"), () => this.next())));
  }

  /**
   * Shows guess and real time as bars, the longer one over the whole width.
   * @param {import("./store.js").Estimation} one @param {number} round
   */
  bars(one, round) {
    const most = Math.max(one.estimatedSeconds, one.actualSeconds);
    /** @param {string} label @param {number} seconds @param {string} color */
    const row = (label, seconds, color) => {
      const time = element("b", "", element("span", "pt-hidden", this.long(seconds)));
      const seen = element("span", "", this.short(seconds));
      seen.setAttribute("aria-hidden", "true");
      time.prepend(seen);
      return element("div", "", element("dt", "", label), element("dd", "", picture(bar(seconds / most, color, round)), time));
    };
    return element("dl", "pt-found__bars", row(this.say("found.guess"), one.estimatedSeconds, "sky"), row(this.say("found.real"), one.actualSeconds, "berry"));
  }

  /** @param {import("./store.js").Estimation} one @param {string} [glyph] */
  chip(one, glyph) {
    const { rating } = score(one.estimatedSeconds, one.actualSeconds);
    const color = rating === "spot_on" || rating === "close" ? "leaf" : "sky";
    return element("span", "pt-tag pt-tag--" + color, ...(glyph ? [icon(glyph, "pt-icon--tiny")] : []), this.say("rating." + rating));
  }

  /** @param {Quest} quest */
  discovery(quest) {
    const one = quest.estimations[quest.estimations.length - 1];
    const title = element("h1", "t-title1", this.say("found.title"));
    const text = element("p", "t-balance", (quest.message?.text ?? "").replaceAll("{task}", () => one.taskDisplayName));
    const isLast = quest.index + 1 === quest.tasks.length;
    const onward = primary(this.say(isLast ? "finish" : "next"), () => this.next());
    onward.append(icon("arrow-right", ""));
    return this.stage("found", element("div", "pt-quest__kickers", this.kicker(quest, quest.index + 1)),
      element("div", "pt-stage__middle", element("div", "pt-found", picture(confetti),
        element("div", "pt-found__top", picture(tower(quest.estimations.length)), element("div", "", title, text)),
        this.bars(one, 14),
        element("p", "pt-found__tag", this.chip(one, quest.message?.icon ?? "star"), element("span", "", this.say("cube"))))),
      onward);
  }

  /** @param {Quest} quest */
  path(quest) {
    const left = calibrationLeft(quest.completed + 1);
    const title = element("h1", "t-title1", this.say("path.title"));
    /** @type {Node[]} */
    const parts = [element("div", "pt-found__top", picture(tower(quest.estimations.length)), element("div", "", title, element("p", "t-balance", this.say("path.text"))))];
    const stops = quest.estimations.map((one) => {
      const name = element("b", "", one.taskDisplayName);
      name.dir = "auto";
      return element("li", "", element("p", "pt-quest__stop", name, this.chip(one)), this.bars(one, 7));
    });
    parts.push(element("ol", "pt-quest__trail", ...stops));
    if (isCalibration(quest.completed)) parts.push(this.note("leaf", left ? this.count("calibration", left) : this.say("calibration.last")));
    if (this.delivery === "synced") parts.push(this.note("check", this.say("sent")));
    else if (this.delivery === "pending") parts.push(this.note("cloud-up", this.say(outbox.isUnstored ? "loose" : "kept")));
    else parts.push(this.note("moon", this.say("resting.here")));
    return this.stage("path", element("div", "pt-quest__kickers", this.kicker(quest, quest.tasks.length)),
      element("div", "pt-stage__middle", element("div", "pt-found", picture(confetti), ...parts)),
      primary(this.say("home"), () => this.abandon(), "home"));
  }
}

customElements.define("pt-quest", QuestStage);
