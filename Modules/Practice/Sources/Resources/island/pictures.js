// Pictures of the math quiz: numbers with fractions, bars of beads, and bars in equal parts.
import { element } from "pinktower/core.js";

const svg = "http://www.w3.org/2000/svg";
const mathML = "http://www.w3.org/1998/Math/MathML";

/**
 * @param {string} tag @param {Record<string, string | number>} attributes @param {...Node} content
 */
function drawn(tag, attributes, ...content) {
  const made = document.createElementNS(svg, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...content);
  return made;
}

/** @param {string} tag @param {...(Node | string)} content */
function formula(tag, ...content) {
  const made = document.createElementNS(mathML, tag);
  made.append(...content);
  return made;
}

/**
 * A number as text in the reader's notation.
 * @param {import("./sums.js").Fraction} value @param {string} mark the decimal mark
 */
export function shownNumber({ n, d }, mark) {
  if (d === 1) return String(n);
  return d === 10 || d === 100 ? String(n / d).replace(".", mark) : n + "/" + d;
}

/**
 * A calculation. The part that comes first is marked.
 * @param {import("./sums.js").Token[]} shown @param {string} mark the decimal mark @param {[number, number] | null} active
 */
export function tokens(shown, mark, active) {
  const parts = shown.map((token) => {
    if (typeof token === "string") return element("span", "", token.replace(".", mark));
    const made = formula("math", formula("mfrac", formula("mn", String(token.n)), formula("mn", String(token.d))));
    return element("span", "pt-pr__fraction", made);
  });
  const first = active ? element("mark", "pt-pr__first", ...parts.slice(...active)) : null;
  return element("span", "pt-pr__tokens", ...(first && active ? [...parts.slice(0, active[0]), first, ...parts.slice(active[1])] : parts));
}

/** The radius of a bead and the distances of beads and bars. */
const [radius, step, row] = [7, 16, 22];

/**
 * Bars of beads or bars in parts; `null` where there is nothing to show. The lines beside them say the same in numbers.
 * @param {import("./sums.js").Way} way
 */
export function materials({ bars, parts }) {
  if (!bars.length && !parts.length) return null;
  const picture = bars.length ? beadBars(bars) : dividedBars(parts);
  picture.setAttribute("aria-hidden", "true");
  return picture;
}

/** @param {import("./sums.js").Bar[]} bars */
function beadBars(bars) {
  const longest = Math.max(...bars.map(({ beads }) => beads));
  const width = Math.min(longest, 10) * step;
  // Each bar has ten beads at most; `from` is the place of the first bead that is taken away.
  const rows = bars.flatMap(({ beads, taken = 0 }) => {
    /** @type {{ beads: number, from: number }[]} */
    const made = [];
    for (let start = 0; start < beads; start += 10) made.push({ beads: Math.min(10, beads - start), from: beads - taken - start });
    return made;
  });
  return drawn("svg", { class: "pt-pr__beads", viewBox: `0 0 ${width} ${rows.length * row}`, width, height: rows.length * row },
    ...rows.flatMap(({ beads, from }, at) => [
      drawn("line", { x1: step / 2, x2: beads * step - step / 2, y1: at * row + row / 2, y2: at * row + row / 2 }),
      ...Array.from({ length: beads }, (_, place) => drawn("circle", {
        cx: place * step + step / 2, cy: at * row + row / 2, r: radius, "data-bar": beads, ...(place >= from ? { "data-taken": "" } : {}),
      })),
    ]));
}

/** @param {import("./sums.js").Parts[]} all */
function dividedBars(all) {
  const [width, height, gap] = [240, 30, 10];
  return drawn("svg", { class: "pt-pr__beads", viewBox: `0 0 ${width} ${all.length * (height + gap)}`, width, height: all.length * (height + gap) },
    ...all.flatMap(({ parts, filled }, at) => Array.from({ length: parts }, (_, place) => drawn("rect", {
      x: (place * width) / parts + 1, y: at * (height + gap) + 1, width: width / parts - 2, height: height - 2, rx: 3, ...(place < filled ? { "data-filled": "" } : {}),
    }))));
}
