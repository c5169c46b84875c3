// Turns notifications of this device on and off, and sends a test. The browser asks for permission only after a tap.
import { element, onPage, problem } from "pinktower/core.js";
import { toast } from "pinktower/feedback.js";
import { canPush, isOn, test, turnOff, turnOn } from "pinktower/push.js";

/** @typedef {{ key: string, isOn: boolean, words: Record<string, string> }} Properties */

class Push extends HTMLElement {
  /** Whether the server has a registration of this device, as far as this page knows. */
  known = false;
  isBusy = false;

  connectedCallback() {
    if (this.querySelector(".pt-push__state")) return;
    this.known = this.properties.isOn;
    this.state = element("p", "pt-push__state");
    this.state.setAttribute("role", "status");
    this.acts = element("div", "pt-push__acts");
    this.replaceChildren(this.state, this.acts);
    void this.draw();
  }

  /** @returns {Properties} */
  get properties() {
    return JSON.parse(this.dataset.properties ?? "{}");
  }

  async draw() {
    const { words } = this.properties;
    const on = this.known && (await isOn());
    if (!this.state || !this.acts) return;
    if (!canPush()) return this.show("unsupported");
    if (Notification.permission === "denied") return this.show("blocked");
    if (!on) return this.show("off", this.button(words.turnOn, "tonal", () => this.on()));
    this.show("on", this.button(words.test, "neutral", () => this.try()), this.button(words.turnOff, "quiet", () => this.off()));
  }

  /** @param {string} state @param {...HTMLElement} buttons */
  show(state, ...buttons) {
    const { words } = this.properties;
    this.dataset.state = state;
    if (this.state && this.state.textContent !== words[state]) this.state.textContent = words[state] ?? "";
    this.acts?.replaceChildren(...buttons);
  }

  /** @param {string | undefined} title @param {string} role @param {() => Promise<void>} act */
  button(title, role, act) {
    const made = element("button", "pt-button pt-button--" + role, title ?? "");
    made.type = "button";
    made.addEventListener("click", async () => {
      if (this.isBusy) return;
      this.isBusy = true;
      made.setAttribute("aria-busy", "true");
      try {
        await act();
      } catch {
        toast(this.properties.words.failed ?? "", "failure");
      } finally {
        this.isBusy = false;
        made.removeAttribute("aria-busy");
      }
    });
    return made;
  }

  async on() {
    if ((await Notification.requestPermission()) === "granted") {
      const refusal = await turnOn(this.properties.key);
      if (refusal) toast(refusal, "failure");
      else this.known = true;
    }
    await this.draw();
    this.acts?.querySelector("button")?.focus();
  }

  async off() {
    const response = await turnOff();
    if (!response.ok) toast(await problem(response), "failure");
    this.known = false;
    await this.draw();
    this.acts?.querySelector("button")?.focus();
  }

  async try() {
    const response = await test();
    if (!response.ok) toast(await problem(response), "failure");
  }
}

if (!customElements.get("pt-push")) customElements.define("pt-push", Push);
onPage(() => {
  const island = document.querySelector("pt-push");
  if (island instanceof Push) void island.draw();
});
