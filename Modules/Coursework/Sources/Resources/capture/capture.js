// Makes a file for a hand-in, or to keep: a drawing, or a document of photographed pages.
import { element } from "pinktower/core.js";
import { toast } from "pinktower/feedback.js";

/**
 * The tool, the name of the file field that takes the result (without one it is downloaded), and the texts.
 * @typedef {{ kind: "drawing" | "scan", target?: string, words: Record<string, string> }} Properties
 */

class Capture extends HTMLElement {
  /** @type {unknown} */
  tool;

  async connectedCallback() {
    if (this.tool) return;
    this.tool = "loading";
    const fold = this.closest("details:not([open])");
    if (fold) await new Promise((opened) => fold.addEventListener("toggle", opened, { once: true }));
    /** @type {Properties} */
    const properties = JSON.parse(this.dataset.properties ?? "{}");
    /** @param {File} file */
    const deliver = (file) => this.deliver(file, properties);
    this.tool = properties.kind === "scan"
      ? new (await import("./scan.js")).Scan(this, properties, deliver)
      : new (await import("./drawing.js")).Drawing(this, properties, deliver);
  }

  /**
   * Adds a file to the field of the page, or downloads it.
   * @param {File} file @param {Properties} properties
   */
  deliver(file, { target, words }) {
    const field = target && document.querySelector(`#main input[type=file][name="${target}"]`);
    if (field instanceof HTMLInputElement) {
      const all = new DataTransfer();
      for (const one of [...(field.files ?? []), file]) all.items.add(one);
      field.files = all.files;
      field.dispatchEvent(new Event("change", { bubbles: true }));
      field.focus();
      return toast(words.added ?? "", "success");
    }
    const link = element("a", "");
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
}

customElements.define("pt-capture", Capture);
