// The clock of a study room. It counts down for all people, and confirms regularly that this page is still open.
import { element } from "pinktower/core.js";
import { refresh } from "pinktower/navigate.js";

/** @typedef {{ stay: string, endsAt?: number, people: number, label: string, over: string }} Properties */

/** The interval of confirmations in milliseconds. The server removes a person after five minutes without one. */
const stayEvery = 60000;
const second = 1000;

class Study extends HTMLElement {
  static observedAttributes = ["data-properties"];

  /**
   * Milliseconds by which the server's clock is ahead of this device's; `undefined` before the first answer.
   * @type {number | undefined}
   */
  ahead;
  ticking = 0;
  staying = 0;

  connectedCallback() {
    this.time = element("p", "pt-study__time");
    this.time.setAttribute("role", "timer");
    this.time.setAttribute("aria-label", this.properties.label);
    this.over = element("p", "pt-study__over");
    this.over.setAttribute("role", "status");
    this.replaceChildren(this.time, this.over);
    this.draw();
    this.ticking = window.setInterval(() => this.draw(), second / 4);
    this.staying = window.setInterval(() => this.stay(), stayEvery);
    void this.stay();
  }

  disconnectedCallback() {
    clearInterval(this.ticking);
    clearInterval(this.staying);
  }

  attributeChangedCallback() {
    this.draw();
  }

  /** @returns {Properties} */
  get properties() {
    return JSON.parse(this.dataset.properties ?? "{}");
  }

  draw() {
    const { endsAt, over } = this.properties;
    if (!this.time || !this.over) return;
    const left = endsAt === undefined ? 0 : Math.max(0, Math.ceil((endsAt - Date.now() - (this.ahead ?? 0)) / second));
    const text = left ? Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0") : "";
    if (this.time.textContent !== text) this.time.textContent = text;
    this.time.hidden = !text;
    // The notice that the time is over stays until the next focus time.
    if (left) this.over.textContent = "";
    // Without the server's time, a wrong clock could show the notice at once.
    if (endsAt === undefined || left || this.ahead === undefined || this.over.textContent) return;
    this.over.textContent = over;
    void refresh();
  }

  async stay() {
    try {
      const response = await fetch(this.properties.stay, {
        method: "POST", body: "{}",
        headers: { Accept: "application/json", "Content-Type": "application/json", "X-PinkTower": "command" },
      });
      if (!response.ok || !this.isConnected) return;
      const { isIn, people, focusEndsAt, now } = await response.json();
      const { endsAt, people: shown } = this.properties;
      this.ahead = Date.parse(now) - Date.now();
      // Another person closed their device without leaving.
      if (!isIn || people !== shown || (focusEndsAt === undefined) !== (endsAt === undefined)) void refresh();
    } catch {
      // Without a network, the next confirmation tries again.
    }
  }
}

if (!customElements.get("pt-study")) customElements.define("pt-study", Study);
