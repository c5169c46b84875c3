// Dictation. The school's service transcribes recordings if there is one; otherwise the browser does for adults, and the
// page says so before a person speaks.
import { element, icon, problem } from "pinktower/core.js";
import { toast } from "pinktower/feedback.js";

/** @typedef {{ language: string, usesBrowser: boolean, service?: string, words: Record<string, string> }} Properties */
/**
 * Speech recognition, which browsers have under two names and without types.
 * @typedef {object} Recognition
 * @property {string} lang
 * @property {boolean} continuous
 * @property {boolean} interimResults
 * @property {((event: any) => void) | null} onresult
 * @property {((event: { error: string }) => void) | null} onerror
 * @property {(() => void) | null} onend
 * @property {() => void} start
 * @property {() => void} stop
 */

const longest = 600_000;
const storageName = () => "pt-speech:" + (document.body.dataset.account ?? "");
/** @type {Record<string, string>} */
const places = { en: "en-US", fr: "fr-FR" };
/** The name of each language in that language. */
const names = { en: "English", fr: "Français" };

/** @returns {(new () => Recognition) | undefined} */
const recognition = () => /** @type {any} */ (window).SpeechRecognition ?? /** @type {any} */ (window).webkitSpeechRecognition;

const canRecord = () => "MediaRecorder" in window && Boolean(navigator.mediaDevices);

class Speech extends HTMLElement {
  /**
   * Stops the present recording or recognition and transcribes what was said.
   * @type {(() => unknown) | null}
   */
  ending = null;
  /**
   * A recording that could not be transcribed yet.
   * @type {Blob | null}
   */
  waiting = null;

  connectedCallback() {
    if (this.querySelector("textarea")) return;
    const { words, language } = this.properties;
    this.text = element("textarea", "pt-input");
    this.text.id = "speech-text";
    this.text.value = sessionStorage.getItem(storageName()) ?? "";
    this.text.addEventListener("input", () => this.save());
    const label = element("label", "pt-label", words.text ?? "");
    label.htmlFor = this.text.id;
    this.language = element("select", "pt-input");
    this.language.setAttribute("aria-label", words.language ?? "");
    for (const [code, name] of Object.entries(names)) this.language.add(new Option(name, code, false, code === language));
    this.main = this.button("pt-button pt-button--primary", "mic", words.speak, () => (this.ending ? this.ending() : void this.begin()));
    this.main.setAttribute("aria-pressed", "false");
    this.again = this.button("pt-button pt-button--tonal", "retry", words.again, () => void this.write());
    this.again.hidden = true;
    this.heard = element("p", "pt-speech__heard");
    this.status = element("p", "pt-speech__note");
    this.status.setAttribute("role", "status");
    const copy = this.button("pt-button pt-button--neutral", "copy", words.copy, () => void this.copy());
    const clear = this.button("pt-button pt-button--quiet", "trash", words.clear, () => this.fill(""));
    const where = element("p", "pt-speech__note", this.way === "school" ? words.school ?? "" : this.way === "browser" ? words.browser ?? "" : words.neither ?? "");
    this.main.disabled = this.way === "neither";
    this.replaceChildren(
      where, element("div", "pt-speech__acts", element("div", "pt-field__wrap pt-field__wrap--select", this.language, icon("chevron-down", "pt-icon--small")), this.main, this.again), this.status, this.heard,
      element("div", "pt-field", label, this.text), element("div", "pt-speech__acts", copy, clear));
  }

  disconnectedCallback() {
    this.ending?.();
  }

  /** @returns {Properties} */
  get properties() {
    return JSON.parse(this.dataset.properties ?? "{}");
  }

  /** @returns {"school" | "browser" | "neither"} */
  get way() {
    if (this.properties.service && canRecord()) return "school";
    return this.properties.usesBrowser && recognition() ? "browser" : "neither";
  }

  /** @param {string} look @param {string} glyph @param {string | undefined} title @param {() => void} act */
  button(look, glyph, title, act) {
    const made = element("button", look, icon(glyph, ""), element("span", "", title ?? ""));
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }

  /** @param {boolean} isOn */
  show(isOn) {
    const { words } = this.properties;
    const title = this.main?.querySelector("span");
    if (title) title.textContent = (isOn ? words.stop : words.speak) ?? "";
    this.main?.setAttribute("aria-pressed", String(isOn));
    if (this.language) this.language.disabled = isOn;
    if (this.status) this.status.textContent = isOn ? words.listening ?? "" : "";
    if (!isOn) this.ending = null;
  }

  async begin() {
    if (this.way === "school") await this.record();
    else this.listen();
  }

  // --- The school's service

  async record() {
    /** @type {MediaStream} */
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      return this.say(this.properties.words.refused);
    }
    const type = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg"].find((one) => MediaRecorder.isTypeSupported(one));
    const recorder = new MediaRecorder(stream, type ? { mimeType: type, audioBitsPerSecond: 32000 } : {});
    /** @type {Blob[]} */
    const parts = [];
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    const limit = setTimeout(() => this.ending?.(), longest);
    recorder.addEventListener("stop", () => {
      clearTimeout(limit);
      for (const track of stream.getTracks()) track.stop();
      this.show(false);
      this.waiting = new Blob(parts, { type: recorder.mimeType });
      void this.write();
    });
    this.ending = () => recorder.state !== "inactive" && recorder.stop();
    this.show(true);
    recorder.start();
  }

  /** Sends the recording. A recording that could not be sent can be sent again. */
  async write() {
    const { service, words } = this.properties;
    const sound = this.waiting;
    if (!service || !sound?.size || !this.again || !this.main) return;
    this.again.hidden = true;
    this.main.disabled = true;
    this.say(words.writing);
    const body = new FormData();
    body.append("audio", sound, "speech");
    body.append("language", this.language?.value ?? "");
    let fault = words.failed;
    try {
      const response = await fetch(service, {
        method: "POST", body, headers: { Accept: "application/json", "X-PinkTower": "command" },
      });
      if (response.ok) {
        const { text } = await response.json();
        this.waiting = null;
        this.add(text);
        fault = "";
      } else fault = await problem(response);
    } catch {
      // Without a network the recording can be sent again.
    }
    this.say(fault);
    this.again.hidden = !this.waiting;
    this.main.disabled = false;
    (this.waiting ? this.again : this.main).focus();
  }

  // --- The browser's recognition

  listen() {
    const made = recognition();
    if (!made) return;
    const { words } = this.properties;
    const ear = new made();
    let fault = "";
    ear.lang = places[this.language?.value ?? "en"] ?? "en-US";
    ear.continuous = true;
    ear.interimResults = true;
    ear.onresult = (event) => {
      let soFar = "";
      for (let place = event.resultIndex; place < event.results.length; place += 1) {
        const said = event.results[place];
        if (said.isFinal) this.add(said[0].transcript.trim());
        else soFar += said[0].transcript;
      }
      if (this.heard) this.heard.textContent = soFar;
    };
    ear.onerror = ({ error }) => {
      if (error === "no-speech" || error === "aborted") return;
      fault = (error === "not-allowed" || error === "audio-capture" ? words.refused : words.failed) ?? "";
    };
    ear.onend = () => {
      this.show(false);
      // Recognition that is not final is used as well.
      const rest = this.heard?.textContent?.trim();
      if (rest) this.add(rest);
      if (this.heard) this.heard.textContent = "";
      this.say(fault);
    };
    this.ending = () => ear.stop();
    this.show(true);
    ear.start();
  }

  // --- The text

  /** @param {string | undefined} sentence */
  say(sentence) {
    if (this.status) this.status.textContent = sentence ?? "";
  }

  /** @param {string} said */
  add(said) {
    const before = this.text?.value.trimEnd() ?? "";
    if (said) this.fill(before ? before + " " + said : said);
  }

  /** @param {string} text */
  fill(text) {
    if (this.text) this.text.value = text;
    this.save();
    this.text?.focus();
  }

  /** Stores the text for when this page is loaded again by the same account. */
  save() {
    if (this.text?.value) sessionStorage.setItem(storageName(), this.text.value);
    else sessionStorage.removeItem(storageName());
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.text?.value ?? "");
      toast(this.properties.words.copied ?? "", "success");
    } catch {
      this.text?.select();
    }
  }
}

customElements.define("pt-speech", Speech);
