// Rows are reordered by dragging their handle; the row's menu does the same without a pointer.
import { around } from "./core.js";
import { haptics } from "./feedback.js";

/** The distance from the window's edge at which dragging scrolls, and the step, in pixels. */
const edge = { width: 72, step: 12 };

document.addEventListener("pointerdown", (event) => {
  const handle = around(event, "form.pt-drag");
  const row = handle?.closest("li");
  const list = row?.parentElement;
  if (!(handle instanceof HTMLFormElement) || !row || !list || event.button !== 0) return;
  event.preventDefault();
  haptics("lightTap");
  handle.setPointerCapture(event.pointerId);
  list.dataset.dragging = "";
  row.dataset.dragged = "";
  const rows = /** @type {HTMLElement[]} */ ([...list.children]);
  const others = rows.filter((one) => one !== row);
  const first = rows.indexOf(row);
  const start = event.clientY + scrollY;
  const height = row.offsetHeight;
  /** @param {HTMLElement} one */
  const middle = (one) => one.getBoundingClientRect().top + scrollY + one.offsetHeight / 2;
  const own = middle(row);
  const middles = others.map(middle);
  let place = first;

  /** @param {PointerEvent} move */
  const follow = (move) => {
    if (move.clientY < edge.width) scrollBy(0, -edge.step);
    else if (move.clientY > innerHeight - edge.width) scrollBy(0, edge.step);
    const way = move.clientY + scrollY - start;
    row.style.transform = `translateY(${way}px)`;
    place = middles.filter((one) => one < own + way).length;
    for (const [index, other] of others.entries()) {
      const gap = index < first ? (index >= place ? height : 0) : (index >= place ? 0 : -height);
      other.style.transform = gap ? `translateY(${gap}px)` : "";
    }
  };
  const settle = () => {
    for (const one of rows) one.style.transform = "";
    delete list.dataset.dragging;
    delete row.dataset.dragged;
  };
  /** @param {Event} [end] */
  const drop = (end) => {
    handle.removeEventListener("pointermove", follow);
    handle.removeEventListener("pointerup", drop);
    handle.removeEventListener("pointercancel", drop);
    const before = handle.elements.namedItem("before");
    if (end?.type !== "pointerup" || place === first || !(before instanceof HTMLInputElement)) return settle();
    before.value = others[place]?.id.split("cell-").pop() ?? "";
    // The row stays where it was dropped until the server has answered.
    handle.addEventListener("reset", settle, { once: true });
    haptics("softImpact");
    handle.requestSubmit();
  };
  handle.addEventListener("pointermove", follow);
  handle.addEventListener("pointerup", drop);
  handle.addEventListener("pointercancel", drop);
});
