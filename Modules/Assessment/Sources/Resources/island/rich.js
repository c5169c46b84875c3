// The text of a question: its structure comes from the server, which has read the Markdown.
import { element } from "pinktower/core.js";

const mark = "{{blank}}";

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
function line(parts, blank) {
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
    return part.lineBreak ? [element("br", "")] : [];
  });
}
