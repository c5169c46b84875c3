// The page of a gate: a read of a tag becomes a passage at once, with or without a network. Passages are sent through the
// outbox, each once.
import { element, icon, newKey } from "pinktower/core.js";
import { haptics } from "pinktower/feedback.js";
import { drop, entries, outboxStatus as outbox, queue } from "pinktower/outbox.js";
import { count, say } from "pinktower/texts.js";
import { decide, find, latest, repeatWindow } from "./decide.js";
import { camera, keyboard, nfc } from "./readers.js";
import { brand, reader, ring, unknown } from "./scenery.js";
import { play, wake } from "./sound.js";
import { Store } from "./store.js";

/** @typedef {import("./decide.js").Resident} Resident */
/** @typedef {import("./decide.js").Known} Known */
/**
 * @typedef {object} Properties
 * @property {string} language
 * @property {string} list `GateList` as JSON
 * @property {{ list: string, record: string, takeBack: string, codes: string }} paths
 * @property {Record<string, string>} words
 */
/**
 * @typedef {object} Passage
 * @property {string} id
 * @property {Resident} resident
 * @property {Known} before where the resident was before it
 */

/** The milliseconds for which a card is shown, and can be taken back. */
const shown = 10_000;
/** The milliseconds for which a card without a passage is shown. */
const shownShortly = 5_000;
/** The milliseconds between two looks at the server's list. */
const refreshing = 60_000;

/**
 * Makes an element from the markup of this block's own pictures.
 * @param {string} markup
 */
function picture(markup) {
  const box = document.createElement("template");
  box.innerHTML = markup;
  return box.content;
}

class GatePage extends HTMLElement {
  static observedAttributes = ["data-properties"];

  store = new Store();
  /** @type {Properties | null} */
  cached = null;
  /** @type {AbortController | null} */
  life = null;
  /** @type {AbortController | null} */
  cameraLife = null;
  /**
   * The time at which each resident's tag, or an unknown code, was read last.
   * @type {Map<string, number>}
   */
  reads = new Map();
  timer = 0;
  refreshTimer = 0;
  /** Whether the server refuses this device. */
  isSignedOut = false;
  /** The tag reads, one after the other. */
  turn = Promise.resolve();

  connectedCallback() {
    this.life = new AbortController();
    const { signal } = this.life;
    this.takeFromPage();
    keyboard((codes, method) => this.read(codes, method), signal);
    document.addEventListener("pointerdown", wake, { signal });
    document.addEventListener("pt-outbox", (event) => {
      const { detail } = /** @type {CustomEvent<import("pinktower/outbox.js").Progress | null>} */ (event);
      void this.foot();
      if (detail?.state === "synced") this.refreshSoon(1000);
    }, { signal });
    for (const name of ["online", "offline"]) addEventListener(name, () => {
      void this.foot();
      this.refreshSoon(0);
    }, { signal });
    document.addEventListener("visibilitychange", () => document.hidden || this.refreshSoon(0), { signal });
    const ticker = setInterval(() => this.tick(), 1000);
    signal.addEventListener("abort", () => clearInterval(ticker));
    this.style.setProperty("--gate-shown", shown + "ms");
    this.build();
    this.refreshSoon(0);
    void this.keepAwake();
    void this.keepPage();
  }

  disconnectedCallback() {
    this.life?.abort();
    this.cameraLife?.abort();
    clearTimeout(this.timer);
    clearTimeout(this.refreshTimer);
  }

  attributeChangedCallback() {
    this.cached = null;
    if (this.life) this.takeFromPage();
  }

  /** @returns {Properties} */
  get properties() {
    return (this.cached ??= JSON.parse(this.dataset.properties ?? "{}"));
  }

  get list() {
    return /** @type {import("./decide.js").List} */ (this.store.memory.list);
  }

  takeFromPage() {
    this.store.take(JSON.parse(this.properties.list), false);
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

  /** @param {number} at @param {Intl.DateTimeFormatOptions} options */
  format(at, options) {
    return new Intl.DateTimeFormat(this.properties.language, { timeZone: this.list.timeZone, ...options }).format(at);
  }

  /**
   * The date. In French the first day of a month is an ordinal, which the formats of the browser lack.
   * @param {number} at
   */
  date(at) {
    const date = this.format(at, { weekday: "long", day: "numeric", month: "long" });
    return this.properties.language === "fr" ? date.replace(/\b1\s/, "1er ") : date;
  }

  /** @param {number} at */
  time(at) {
    return this.format(at, { hour: "numeric", minute: "2-digit" });
  }

  /**
   * A time, with its weekday where it is not soon.
   * @param {number} at
   */
  until(at) {
    const isFar = Math.abs(at - this.store.now()) > 12 * 3_600_000;
    return isFar ? this.format(at, { weekday: "long", hour: "numeric", minute: "2-digit" }) : this.time(at);
  }

  // --- The server

  /** @param {number} wait milliseconds */
  refreshSoon(wait) {
    clearTimeout(this.refreshTimer);
    this.refreshTimer = window.setTimeout(() => void this.refresh(), wait);
  }

  /** Reads the list anew: who moved in, whose tag is lost, what other gates recorded. */
  async refresh() {
    const asked = this.store.now();
    const wasSettled = outbox.waiting === 0;
    try {
      const answer = await fetch(this.properties.paths.list, { headers: { Accept: "application/json" }, signal: this.life?.signal });
      this.isSignedOut = [401, 403, 404].includes(answer.status);
      if (answer.ok) {
        this.store.take(await answer.json(), true, asked, wasSettled && outbox.waiting === 0 ? asked : undefined);
        this.keepPhotos();
        this.head();
      }
    } catch {
      // Without a network the gate goes on with the list that it has.
    }
    void this.foot();
    this.refreshSoon(refreshing);
  }

  /** Loads the photos once, so that the service worker has them without a network. */
  keepPhotos() {
    for (const { photo } of this.list.residents) {
      if (photo) new Image().src = photo;
    }
  }

  /**
   * Lets the service worker fetch this page and its files: a page that follows a form is not in its cache, and a gate
   * must start without a network.
   */
  async keepPage() {
    const { serviceWorker } = navigator;
    if (!serviceWorker) return;
    try {
      if (!serviceWorker.controller) await new Promise((done) => serviceWorker.addEventListener("controllerchange", done, { once: true }));
      const used = performance.getEntriesByType("resource").map(({ name }) => name.split("#")[0]).filter((name) => name.includes("/assets/"));
      for (const address of new Set(used)) await fetch(address);
      await fetch(location.pathname, { headers: { Accept: "text/html", "X-PinkTower": "live" } });
    } catch {
      // Without a network the cache stays as it is.
    }
  }

  /** Keeps the screen on, where the browser can. */
  async keepAwake() {
    try {
      await /** @type {any} */ (navigator).wakeLock?.request("screen");
    } catch {
      // The battery is low, or the page is hidden: the device may sleep.
    }
  }

  // --- Reading

  /** @param {string[]} codes @param {import("./readers.js").Method} method */
  read(codes, method) {
    this.turn = this.turn.then(() => this.take(codes, method));
  }

  /** @param {string[]} codes @param {import("./readers.js").Method} method */
  async take(codes, method) {
    const found = await find(this.list, codes);
    const now = this.store.now();
    const key = found?.resident.id ?? codes.join(" ");
    const isRepeated = now - (this.reads.get(key) ?? -Infinity) < (found ? repeatWindow : shownShortly);
    // A code that stays before the camera counts as one read.
    this.reads.set(key, now);
    if (isRepeated) return;
    if (!found) return this.refuse("unknown");
    if (found.tag.isLost) return this.refuse("lost");
    const { resident } = found;
    const before = latest(resident, this.store.memory.known[resident.id]);
    const decision = decide(this.list, resident, before, now);
    const id = newKey();
    // The passage is stored first: a device that goes off in between must not believe in a passage that it never sends.
    await queue({
      command: "gate.record", path: this.properties.paths.record, key: id, label: resident.name,
      body: { id, studentId: resident.id, type: decision.type, method, at: new Date(now).toISOString(), tagId: found.tag.id },
    });
    this.store.note(resident.id, { type: decision.type, at: now, changed: now });
    this.card({ id, resident, before }, decision, now);
  }

  /** @param {Passage} passage */
  async takeBack({ id, resident, before }) {
    const now = this.store.now();
    this.reads.set(resident.id, now);
    await queue({
      command: "gate.takeBack", path: this.properties.paths.takeBack.replace("{recordId}", id), key: newKey(), body: {},
      label: resident.name,
    });
    this.store.note(resident.id, { ...before, at: now });
    play("back");
    this.show(this.wait("takenBack", "takenBackTip", reader, "sync"), shownShortly);
  }

  // --- Parts of the page

  build() {
    this.replaceChildren(element("div", "pt-gate", element("header", "pt-gate__head"), element("section", "pt-gate__main"), element("footer", "pt-gate__foot")));
    this.head();
    this.rest();
    void this.foot();
  }

  /** @param {string} name @returns {HTMLElement} */
  piece(name) {
    return /** @type {HTMLElement} */ (this.querySelector(".pt-gate__" + name));
  }

  head() {
    const place = element("p", "pt-gate__place", picture(brand), element("span", "", element("b", "", this.list.residence), element("small", "", this.list.gate.name)));
    place.dir = "auto";
    const clock = element("p", "pt-gate__clock", element("time", ""), element("small", ""));
    this.piece("head").replaceChildren(place, clock);
    this.tick();
  }

  tick() {
    const now = this.store.now();
    const [time, date] = this.querySelectorAll(".pt-gate__clock > *");
    if (time) time.textContent = this.time(now);
    if (date) date.textContent = this.date(now);
  }

  /** @param {HTMLElement} content @param {number} [milliseconds] */
  show(content, milliseconds) {
    clearTimeout(this.timer);
    this.piece("main").replaceChildren(content);
    if (milliseconds) this.timer = window.setTimeout(() => this.rest(), milliseconds);
  }

  /** The page between two reads. The picture of the camera stays where it is. */
  rest() {
    const text = this.list.residents.length ? ["ask", "askCode"] : ["none", "askCode"];
    this.show(this.wait(text[0], text[1], reader, "scan"));
  }

  /** @param {string} title @param {string} more @param {string} art @param {string} glyph */
  wait(title, more, art, glyph) {
    const text = element("div", "pt-gate__text", element("h1", "pt-gate__name", this.say(title)), element("p", "pt-gate__more", icon(glyph, ""), this.say(more)));
    return element("section", "pt-gate__wait", picture(art), text);
  }

  /** @param {"unknown" | "lost"} reason */
  refuse(reason) {
    play("refused");
    haptics("warning");
    const word = element("p", "pt-gate__word pt-gate__word--unknown", element("span", "pt-gate__icon", icon("alert", "")), this.say("refused"));
    const text = element("div", "pt-gate__text", word, element("h1", "pt-gate__name", this.say(reason)), element("p", "pt-gate__more", this.say(reason + "Tip")));
    const section = element("section", "pt-gate__wait", picture(unknown), text);
    section.setAttribute("role", "alert");
    this.show(section, shownShortly);
  }

  /** @param {Resident} resident */
  photo(resident) {
    const box = element("div", "pt-photo");
    if (resident.photo) {
      const image = element("img", "");
      image.src = resident.photo;
      image.alt = this.say("photo", { name: resident.name });
      image.addEventListener("error", () => box.replaceChildren(resident.initials));
      box.append(image);
    } else {
      box.append(resident.initials);
      box.setAttribute("aria-hidden", "true");
    }
    return box;
  }

  /** @param {Passage} passage @param {import("./decide.js").Decision} decision @param {number} now */
  card(passage, decision, now) {
    const { resident } = passage;
    const isIn = decision.type === "checkIn";
    const state = decision.due !== null ? "late" : isIn ? "in" : "out";
    play(state);
    haptics(state === "late" ? "warning" : "success");
    const glyph = state === "late" ? "clock" : isIn ? "door" : "logout";
    const name = element("h1", "pt-gate__name", resident.name);
    name.dir = "auto";
    const text = element("div", "pt-gate__text",
      element("p", "pt-gate__word", element("span", "pt-gate__icon", icon(glyph, "")), this.say(isIn ? "welcome" : "bye")), name);
    if (decision.leave !== null) {
      text.append(element("p", "pt-gate__tag pt-gate__tag--leave", icon("calendar", ""), this.say("leave", { time: this.until(decision.leave) })));
    }
    if (decision.due !== null) {
      const minutes = Math.max(1, Math.round((now - decision.due) / 60_000));
      const late = this.say(minutes < 60 ? "late.minutes" : "late.hours", { h: Math.floor(minutes / 60), m: minutes % 60 });
      text.append(element("p", "pt-gate__tag pt-gate__tag--late", icon("clock", ""), late));
    }
    const facts = element("dl", "pt-gate__facts");
    /** @param {string} key @param {string} value */
    const fact = (key, value) => facts.append(element("div", "", element("dt", "", this.say(key)), element("dd", "", value)));
    if (resident.room) fact("room", resident.room);
    if (decision.due !== null) fact("due", this.until(decision.due));
    fact(isIn ? "in" : "out", this.time(now));
    text.append(facts);
    const card = element("section", "pt-gate__card", this.photo(resident), text, this.takeBackButton(passage));
    card.dataset.state = state;
    card.setAttribute("role", "status");
    this.show(card, shown);
  }

  /** @param {Passage} passage */
  takeBackButton(passage) {
    const button = element("button", "pt-button pt-button--outline pt-button--large pt-gate__take", picture(ring), this.say("takeBack"));
    button.type = "button";
    button.addEventListener("click", () => {
      button.disabled = true;
      void this.takeBack(passage);
    });
    return button;
  }

  // --- The foot: what waits, what was refused, the camera

  async foot() {
    const foot = this.piece("foot");
    const mine = (await entries()).filter(({ command }) => command.startsWith("gate."));
    const failed = mine.find(({ state }) => state === "failed");
    const waiting = mine.filter(({ state, command }) => state === "pending" && command === "gate.record").length;
    /** @type {(string | Node)[]} */
    let said = [icon("checks", ""), this.say("sent")];
    let look = "";
    if (this.isSignedOut || outbox.needsSignIn) [said, look] = [[icon("alert", ""), this.say("signedOut")], "danger"];
    else if (failed) [said, look] = [[icon("alert", ""), failed.label + ": " + failed.sentence], "danger"];
    else if (!navigator.onLine || waiting) {
      const text = waiting ? this.count("saved", waiting) : "";
      [said, look] = [[icon("cloud-off", ""), element("span", "", ...(navigator.onLine ? [] : [element("b", "", this.say("offline"), " ")]), text)], "offline"];
    }
    const line = element("p", "pt-gate__sync" + (look ? " pt-gate__sync--" + look : ""), ...said);
    line.setAttribute("role", "status");
    const old = foot.querySelector(".pt-gate__sync");
    // Replaced only when its text changes, so that screen readers do not repeat it.
    if (old?.textContent !== line.textContent || old?.className !== line.className) {
      if (old) old.replaceWith(line);
      else foot.prepend(line);
    }
    foot.querySelector(".pt-gate__dismiss")?.remove();
    if (failed && look === "danger" && !this.isSignedOut) {
      const dismiss = this.button("dismiss", "x", () => void drop(failed));
      dismiss.classList.add("pt-gate__dismiss");
      foot.append(dismiss);
    }
    if (!foot.querySelector(".pt-gate__camera") && "mediaDevices" in navigator) this.cameraBox(foot);
  }

  /** @param {string} key @param {string} glyph @param {() => void} act */
  button(key, glyph, act) {
    const made = element("button", "pt-button pt-button--neutral pt-button--large", icon(glyph, "pt-icon--small"), this.say(key));
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }

  /** @param {HTMLElement} foot */
  cameraBox(foot) {
    const box = element("div", "pt-gate__camera");
    const off = () => {
      this.cameraLife?.abort();
      this.cameraLife = null;
      box.replaceChildren(this.button("camera", "camera", on));
    };
    const on = async () => {
      wake();
      const life = (this.cameraLife = new AbortController());
      const read = this.read.bind(this);
      nfc(read, life.signal).catch(() => {
        // The device has no NFC, or the warden refused it: the other readers remain.
      });
      const video = element("video", "");
      video.muted = true;
      video.playsInline = true;
      box.replaceChildren(video, this.button("cameraOff", "x", off));
      try {
        await camera(video, this.properties.paths.codes, read, life.signal);
      } catch {
        life.abort();
        box.replaceChildren(element("p", "pt-gate__sync", icon("camera", ""), this.say("cameraNo")), this.button("camera", "retry", on));
      }
    };
    off();
    foot.append(box);
  }
}

customElements.define("pt-gate", GatePage);
