// The text of a question: its structure comes from the server, which has read the Markdown and the formulas.
import { element } from "pinktower/core.js";

const mark = "{{blank}}";

/**
 * The pictures that were loaded, by address. They stay as elements, so that they are there without a network.
 * @type {Map<string, HTMLImageElement>}
 */
const pictures = new Map();

/** @param {{ url: string, width: number, height: number, alt: string }} image */
function picture({ url, width, height, alt }) {
  const known = pictures.get(url);
  // One element is in one place: a picture that is shown twice has two.
  const shown = known && !known.isConnected ? known : element("img", "");
  shown.width = width;
  shown.height = height;
  shown.alt = alt;
  if (shown !== known) shown.src = url;
  if (!known) pictures.set(url, shown);
  return shown;
}

/**
 * Loads the pictures of a quiz before they are shown.
 * @param {any} value properties, in which pictures are anywhere
 */
export function load(value) {
  if (!value || typeof value !== "object") return;
  if (value.picture?._0?.url) picture(value.picture._0);
  else for (const part of Object.values(value)) load(part);
}

/** @param {{ name: string, text: string, children: any[], attributes: Record<string, string> }} node of MathML */
function math({ name, text, children, attributes }) {
  const made = document.createElementNS("http://www.w3.org/1998/Math/MathML", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(text, ...children.map(math));
  return made;
}

/** @param {{ typed: string, isDisplay: boolean, root: any }} formula */
function formula({ typed, isDisplay, root }) {
  const made = math({ name: "math", text: "", children: [root], attributes: { alttext: typed } });
  if (isDisplay) made.setAttribute("display", "block");
  return made;
}

/**
 * @param {any[]} blocks of a rich text (`PTRichText.Block`)
 * @param {() => Node} blank makes the field of the next blank
 * @returns {Node[]}
 */
export function richText(blocks, blank) {
  return blocks.map((block) => {
    if (block.paragraph) return element("p", "", ...line(block.paragraph._0, blank));
    if (block.heading) return element("p", "t-headline", ...line(block.heading.text, blank));
    if (block.codeBlock) return element("pre", "", element("code", "", block.codeBlock._0));
    if (block.quote) return element("blockquote", "", ...richText(block.quote._0, blank));
    if (block.list) {
      const { items, start } = block.list._0;
      const list = start === undefined ? element("ul", "") : element("ol", "");
      if (list instanceof HTMLOListElement) list.start = start;
      list.append(...items.map((/** @type {any} */ item) => element("li", "", ...richText(item.body, blank))));
      return list;
    }
    if (block.table) {
      const { head, rows } = block.table._0;
      const body = element("table", "");
      /** @param {any[][]} cells @param {"td" | "th"} tag */
      const row = (cells, tag) => element("tr", "", ...cells.map((cell) => element(tag, "", ...line(cell, blank))));
      body.append(element("thead", "", row(head, "th")), element("tbody", "", ...rows.map((/** @type {any[][]} */ cells) => row(cells, "td"))));
      return body;
    }
    return element("hr", "");
  });
}

/** @param {any[]} parts (`PTRichText.Inline`) @param {() => Node} blank @returns {Node[]} */
export function line(parts, blank) {
  return parts.flatMap((part) => {
    if (part.text) {
      return part.text._0.split(mark).flatMap((/** @type {string} */ text, /** @type {number} */ index) =>
        index ? [blank(), document.createTextNode(text)] : [document.createTextNode(text)]);
    }
    if (part.code) return [element("code", "", part.code._0)];
    if (part.emphasis) return [element("em", "", ...line(part.emphasis._0, blank))];
    if (part.strong) return [element("strong", "", ...line(part.strong._0, blank))];
    if (part.strikethrough) return [element("s", "", ...line(part.strikethrough._0, blank))];
    if (part.link) {
      const link = element("a", "", ...line(part.link.text, blank));
      link.href = part.link.address;
      return [link];
    }
    if (part.picture) return [picture(part.picture._0)];
    if (part.formula) return [formula(part.formula._0)];
    return part.lineBreak ? [element("br", "")] : [];
  });
}
