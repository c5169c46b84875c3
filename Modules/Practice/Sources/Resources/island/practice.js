// The three practice tools: a spelling bee, a math quiz and a typing tutor. Each is one module, loaded on its page only. What
// asks and judges runs here, so that it works without a network; the results go through the outbox.
import { Bench } from "./bench.js";

/** @typedef {{ renew: () => void, stop: () => void }} Tool */

class Practice extends HTMLElement {
  static observedAttributes = ["data-properties"];

  /** @type {Bench | null} */
  bench = null;
  /** @type {Tool | null} */
  tool = null;

  async connectedCallback() {
    if (this.bench) return;
    const bench = (this.bench = new Bench(this, JSON.parse(this.dataset.properties ?? "{}")));
    const made = await this.make(bench);
    // The page may have been left while the module was loading.
    if (bench === this.bench) this.tool = made;
    else made.stop();
  }

  /** @param {Bench} bench @returns {Promise<Tool>} */
  async make(bench) {
    switch (bench.properties.tool) {
      case "spelling": return new (await import("./spelling.js")).Spelling(bench);
      case "math": return new (await import("./math.js")).MathQuiz(bench);
      default: return new (await import("./typing.js")).TypingTutor(bench);
    }
  }

  disconnectedCallback() {
    this.tool?.stop();
    this.bench?.stop();
    this.tool = this.bench = null;
  }

  attributeChangedCallback() {
    const { bench, tool } = this;
    if (!bench || !tool) return;
    /** @type {import("./bench.js").Properties} */
    const properties = JSON.parse(this.dataset.properties ?? "{}");
    bench.properties.offered = properties.offered;
    bench.renew(properties.known);
    if (!bench.isBusy && !bench.sent) tool.renew();
  }
}

customElements.define("pt-practice", Practice);
