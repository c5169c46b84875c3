// The viewer of a material: turn, zoom, take apart, choose a part, change the size, and place it in a room.
import { button, element, icon } from "pinktower/core.js";
import { read } from "./glb.js";
import { Scene } from "./scene.js";

/** @typedef {{ name: string, title: string, short: string, facts: [string, string][] }} Part */
/**
 * @typedef {object} Properties
 * @property {string} model
 * @property {string} usdz
 * @property {string} picture
 * @property {string} title
 * @property {string} parts the name of the list of parts
 * @property {Part[]} list
 * @property {Record<string, string>} words
 */

/** A step of the arrow keys in radians, and of the keys and buttons for the zoom. */
const step = { turn: Math.PI / 16, zoom: 0.85 };
/** The distance in CSS pixels from which a tap is a drag. */
const slack = 6;
const sizes = { least: 10, greatest: 200, step: 10 };

/** @param {string} title @param {string} glyph @param {() => void} act */
function tool(title, glyph, act) {
  const made = element("button", "pt-icon-button pt-icon-button--tonal", icon(glyph, ""));
  made.type = "button";
  made.title = title;
  made.setAttribute("aria-label", title);
  made.addEventListener("click", act);
  return made;
}

class ModelViewer extends HTMLElement {
  /** @type {Scene | null} */
  scene = null;
  /** @type {AbortController | null} */
  life = null;

  connectedCallback() {
    if (this.life) return;
    this.life = new AbortController();
    /** @type {Properties} */
    this.properties = JSON.parse(this.dataset.properties ?? "{}");
    void this.load();
  }

  disconnectedCallback() {
    this.life?.abort();
    this.life = null;
    this.scene?.end();
    this.scene = null;
  }

  async load() {
    const { words = {}, model = "" } = this.properties ?? {};
    const signal = this.life?.signal;
    this.note?.remove();
    if (!document.createElement("canvas").getContext("webgl")) return this.tell(words.noViewer ?? "");
    try {
      const answer = await fetch(model, { signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const content = read(await answer.arrayBuffer());
      if (!signal?.aborted) this.show(content);
    } catch (error) {
      if (signal?.aborted) return;
      console.warn("the model was not loaded", error);
      this.tell(words.failed ?? "", button(words.again ?? "", "tonal", () => void this.load()));
    }
  }

  /**
   * Says above the picture and the list why there is no viewer.
   * @param {string} text @param {...Node} more
   */
  tell(text, ...more) {
    this.note = element("div", "pt-model__note", element("p", "", text), ...more);
    this.note.setAttribute("role", "status");
    this.prepend(this.note);
  }

  /** @param {import("./glb.js").Model} model */
  show(model) {
    if (!this.properties) return;
    const { words, list, title, parts } = this.properties;
    const code = this.querySelector(".pt-codecard");
    this.canvas = element("canvas", "pt-model__canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", (words.stage ?? "").replace("{title}", () => title));
    const keys = element("p", "pt-model__keys", words.keys ?? "");
    keys.id = "pt-model-keys";
    this.canvas.setAttribute("aria-describedby", keys.id);
    const scene = new Scene(this.canvas, model);
    if (!scene.isReady) return this.tell(words.noViewer ?? "");
    this.scene = scene;
    this.ruler = element("span", "pt-model__ruler");
    this.ruler.setAttribute("aria-hidden", "true");
    const squares = element("span", "pt-model__squares", (words.squares ?? "").replace("{size}", this.length(scene.square)));
    const tools = element(
      "div", "pt-model__tools", tool(words.turn ?? "", "rotate", () => scene.turnBy(Math.PI / 4)), tool(words.closer ?? "", "plus", () => scene.zoom(step.zoom)),
      tool(words.farther ?? "", "minus", () => scene.zoom(1 / step.zoom)), tool(words.reset ?? "", "retry", () => scene.reset()));
    this.chips = list.map((part, place) => {
      const chip = element("button", "pt-chip", part.short);
      chip.type = "button";
      chip.setAttribute("aria-label", part.title);
      chip.setAttribute("aria-pressed", "false");
      chip.addEventListener("click", () => this.choose(scene.chosen === place ? -1 : place));
      return element("li", "", chip);
    });
    const chips = element("ul", "pt-chips", ...this.chips);
    chips.setAttribute("aria-label", parts);
    this.facts = element("div", "pt-model__facts");
    this.facts.setAttribute("role", "status");
    const side = element(
      "aside", "pt-model__side", this.forms(), this.slider(),
      element("section", "pt-card pt-model__parts", element("h2", "t-headline", parts), chips, this.facts), ...this.room(code));
    this.replaceChildren(element(
      "div", "pt-with-side", element("div", "pt-model__main", element("div", "pt-model__stage", this.canvas, this.ruler, squares), tools, keys), side));
    scene.onDraw = () => this.place();
    this.listen(this.canvas, scene);
    this.choose(-1);
    this.resize(100);
    const draw = () => scene.request();
    const size = new ResizeObserver(draw);
    size.observe(this.canvas);
    // The colors of the page may change while it is open.
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributes: true });
    const signal = this.life?.signal;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw, { signal });
    signal?.addEventListener("abort", () => {
      size.disconnect();
      theme.disconnect();
    });
  }

  /** Together or apart. */
  forms() {
    const { words = {} } = this.properties ?? {};
    const group = element("fieldset", "pt-segmented", element("legend", "pt-hidden", words.form ?? ""));
    for (const [place, name] of ["together", "apart"].entries()) {
      const input = element("input", "");
      input.type = "radio";
      input.name = "pt-model-form";
      input.checked = place === 0;
      input.addEventListener("change", () => this.scene?.take(place === 1));
      group.append(element("label", "", input, words[name] ?? ""));
    }
    return group;
  }

  // --- The size

  /**
   * A length in centimetres in the reader's language.
   * @param {number} metres
   */
  length(metres) {
    const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 }).format(metres * 100);
    return (this.properties?.words.cm ?? "").replace("{length}", number);
  }

  slider() {
    const { words = {} } = this.properties ?? {};
    this.range = element("input", "pt-model__range");
    this.range.type = "range";
    this.range.id = "pt-model-size";
    [this.range.min, this.range.max, this.range.step] = [String(sizes.least), String(sizes.greatest), "5"];
    this.range.addEventListener("input", () => this.resize(Number(this.range?.value)));
    this.size = element("output", "t-callout t-muted");
    const label = element("label", "t-headline", words.size ?? "");
    label.htmlFor = this.range.id;
    const by = (/** @type {number} */ change) => () => this.resize(Number(this.range?.value) + change);
    return element(
      "div", "pt-card pt-model__size", element("div", "pt-model__row", label, this.size),
      element("div", "pt-model__row", tool(words.smaller ?? "", "minus", by(-sizes.step)), this.range, tool(words.larger ?? "", "plus", by(sizes.step))));
  }

  /** @param {number} percent */
  resize(percent) {
    const { scene, range, size } = this;
    if (!scene || !range || !size) return;
    const { words = {} } = this.properties ?? {};
    range.value = String(percent);
    scene.scale = Number(range.value) / 100;
    const share = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(scene.scale);
    const text = (scene.scale === 1 ? words.real : words.scaled)?.replace("{size}", this.length(scene.length)).replace("{percent}", share) ?? "";
    size.textContent = text;
    range.setAttribute("aria-valuetext", text);
    scene.request();
  }

  /** Puts the label of the ruler to its place. */
  place() {
    const { scene, ruler } = this;
    if (!scene || !ruler) return;
    ruler.hidden = !scene.ruler;
    if (!scene.ruler) return;
    ruler.textContent = this.length(scene.length);
    ruler.style.left = scene.ruler.x + "px";
    ruler.style.top = scene.ruler.y + "px";
  }

  // --- Parts

  /** @param {number} place the place of the part in the list; -1 for none */
  choose(place) {
    const { scene, facts, properties } = this;
    if (!scene || !facts || !properties) return;
    scene.chosen = place;
    scene.request();
    this.chips?.forEach((one, other) => one.firstElementChild?.setAttribute("aria-pressed", String(other === place)));
    const part = properties.list[place];
    facts.replaceChildren(...(part ? [
      element("p", "t-headline", part.title),
      element("dl", "pt-facts", ...part.facts.map(([term, value]) => element("div", "", element("dt", "", term), element("dd", "", value)))),
    ] : [element("p", "t-callout t-muted", properties.words.none ?? "")]));
  }

  // --- A room

  /**
   * How this device places the material in a room: with its own viewer, or with a phone that reads the code.
   * @param {Element | null} code @returns {Node[]}
   */
  room(code) {
    const { words = {}, usdz = "", model = "", picture = "", title = "" } = this.properties ?? {};
    const link = element("a", "");
    if (link.relList.supports?.("ar")) {
      // Quick Look opens links whose only child is a picture.
      link.rel = "ar external";
      link.href = usdz;
      const image = element("img", "");
      image.src = picture;
      image.alt = (words.roomPicture ?? "").replace("{title}", () => title);
      link.append(image);
      return [element("section", "pt-card pt-model__room", element("h2", "t-headline", words.room ?? ""), link, element("p", "t-callout t-muted", words.roomTap ?? ""))];
    }
    if (/Android/.test(navigator.userAgent)) {
      // The device's viewer gets the address of the file, which says nothing about the person, and the name of the material.
      const asked = new URLSearchParams({ file: new URL(model, location.href).href, mode: "ar_preferred", resizable: "false", title });
      link.className = "pt-button pt-button--primary";
      link.rel = "external";
      link.href = `intent://arvr.google.com/scene-viewer/1.0?${asked}#Intent;scheme=https;package=com.google.android.googlequicksearchbox;action=android.intent.action.VIEW;S.browser_fallback_url=${encodeURIComponent(location.href)};end;`;
      link.append(words.room ?? "");
      return [link];
    }
    return code ? [code] : [];
  }

  // --- Pointers and keys

  /** @param {HTMLCanvasElement} canvas @param {Scene} scene */
  listen(canvas, scene) {
    /** @type {Map<number, { x: number, y: number }>} */
    const fingers = new Map();
    let way = 0;
    const spread = () => {
      const [one, other] = [...fingers.values()];
      return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      if (!fingers.size) way = 0;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const before = spread();
      const [x, y] = [event.clientX - last.x, event.clientY - last.y];
      way += Math.abs(x) + Math.abs(y);
      [last.x, last.y] = [event.clientX, event.clientY];
      if (before) scene.zoom(before / Math.max(1, spread()));
      // Two fingers move at once, so each of them counts half.
      const share = (2 * Math.PI) / canvas.clientWidth / fingers.size;
      scene.turn(-x * share, y * share);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, (event) => {
        if (!(event instanceof PointerEvent) || !fingers.delete(event.pointerId) || end !== "pointerup" || way > slack) return;
        const box = canvas.getBoundingClientRect();
        this.choose(scene.pick(event.clientX - box.x, event.clientY - box.y));
      });
    }
    canvas.addEventListener("wheel", (event) => {
      // At the limit the page scrolls.
      if (scene.zoom(Math.exp(within(event.deltaY) / 500))) event.preventDefault();
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = {
        ArrowLeft: () => scene.turn(step.turn, 0), ArrowRight: () => scene.turn(-step.turn, 0),
        ArrowUp: () => scene.turn(0, step.turn), ArrowDown: () => scene.turn(0, -step.turn),
        "+": () => scene.zoom(step.zoom), "=": () => scene.zoom(step.zoom), "-": () => scene.zoom(1 / step.zoom),
        Home: () => scene.reset(), 0: () => scene.reset(), Escape: () => this.choose(-1),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }
}

/**
 * A wheel's step, limited because some report whole pages.
 * @param {number} delta
 */
const within = (delta) => Math.max(-100, Math.min(100, delta));

customElements.define("pt-model", ModelViewer);
