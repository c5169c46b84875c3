// A grid of links is one Tab stop; arrow keys move between fields.
import { around } from "./core.js";

/** @param {Element | null | undefined} cell @returns {HTMLElement | null} */
function field(cell) {
  const link = cell?.querySelector("a");
  return link instanceof HTMLElement ? link : null;
}

document.addEventListener("focusin", (event) => {
  const grid = around(event, "[data-grid]");
  if (!grid) return;
  for (const link of grid.querySelectorAll("a")) link.tabIndex = link === event.target ? 0 : -1;
});

document.addEventListener("keydown", (event) => {
  const cell = around(event, "[data-grid] td, [data-grid] tbody th");
  const row = cell?.parentElement;
  if (!cell || !row || event.ctrlKey || event.metaKey || event.altKey) return;
  const place = [...row.children].indexOf(cell);
  const steps = {
    ArrowLeft: cell.previousElementSibling, ArrowRight: cell.nextElementSibling,
    ArrowUp: row.previousElementSibling?.children[place], ArrowDown: row.nextElementSibling?.children[place],
    Home: row.firstElementChild, End: row.lastElementChild,
  };
  const next = field(steps[/** @type {keyof typeof steps} */ (event.key)]);
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
});
