// Stands in place of a page that is slow to come, as `SkeletonView` is drawn.
import { element, onPage, word } from "./core.js";

/** @typedef {"list" | "grid" | "stack"} Shape */

/** @type {Record<Shape, string[]>} */
const looks = { list: ["pt-list--avatars", ""], grid: ["", "card"], stack: ["pt-stack--xs", "row"] };

/**
 * The shapes of pages that were seen, by their paths without ids: a page looks as its sisters do.
 * @type {Map<string, Shape>}
 */
const shapes = new Map();

/** @param {string} address */
function kind(address) {
  return new URL(address, location.href).pathname.replace(/[0-9a-f-]{36}/gi, "");
}

function learn() {
  /** @param {string} classes */
  const has = (classes) => document.querySelector("#main :is(" + classes + ")");
  shapes.set(kind(document.body.dataset.path ?? "/"), has(".pt-list") ? "list" : has(".pt-grid, .pt-card") ? "grid" : "stack");
}
onPage(learn);
learn();

/** @param {string} name @param {"span" | "li"} tag */
function bone(name, tag = "span") {
  return element(tag, "pt-skeleton pt-skeleton--" + name);
}

function row() {
  const text = element("span", "pt-list-cell__text pt-skeleton-text", bone("title"), bone("line"));
  return element("li", "", element("div", "pt-list-cell", element("span", "pt-list-cell__main", bone("avatar"), text)));
}

/**
 * Shows the shape of a page in place of the present one, which is as it was once the result is called.
 * @param {string} address
 */
export function wait(address) {
  const shape = shapes.get(kind(address)) ?? "list";
  const [style, name] = looks[shape];
  const bones = element("ul", `pt-${shape} ${style} pt-waiting`, ...Array.from({ length: 8 }, () => name ? bone(name, "li") : row()));
  bones.ariaBusy = "true";
  bones.ariaLabel = word("loading");
  const main = document.getElementById("main");
  const [focused, scroll] = [document.activeElement, scrollY];
  main?.append(bones);
  main?.setAttribute("data-waiting", "");
  scrollTo(0, 0);
  return () => {
    bones.remove();
    main?.removeAttribute("data-waiting");
    scrollTo(0, scroll);
    if (focused instanceof HTMLElement && main?.contains(focused)) focused.focus({ preventScroll: true });
  };
}
