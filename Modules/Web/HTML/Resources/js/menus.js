// Row menus (long press, right click, menu key, button), the floating button's fan, and swipes.
import { around, delay, swallowClick } from "./core.js";

/** @returns {HTMLDetailsElement[]} */
function opened() {
  return /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("details[data-menu][open], details[data-fan][open]")]);
}

/** @param {HTMLDetailsElement} menu @param {boolean} [returnsFocus] */
function close(menu, returnsFocus = false) {
  menu.open = false;
  const list = menu.querySelector(".pt-menu");
  if (list instanceof HTMLElement) {
    delete list.dataset.placed;
    list.style.left = list.style.top = "";
  }
  if (!returnsFocus) return;
  const isHidden = menu.classList.contains("pt-more--context");
  const place = isHidden ? menu.closest("[data-context]")?.querySelector("a, button") : menu.querySelector("summary");
  if (place instanceof HTMLElement) place.focus({ preventScroll: true });
}

/**
 * Places the menu near a point, inside the window.
 * @param {HTMLDetailsElement} menu
 * @param {number} x
 * @param {number} y
 */
function place(menu, x, y) {
  const list = menu.querySelector(".pt-menu");
  if (!(list instanceof HTMLElement) || !menu.classList.contains("pt-more")) return;
  list.dataset.placed = "";
  const { offsetWidth: width, offsetHeight: height } = list;
  list.style.left = Math.max(8, Math.min(x, innerWidth - width - 8)) + "px";
  list.style.top = Math.max(8, y + height > innerHeight - 8 ? y - height - 8 : y) + "px";
}

/** @param {HTMLElement} row @param {number} x @param {number} y @param {boolean} byKey */
function openAt(row, x, y, byKey) {
  const menu = row.querySelector("details[data-menu]");
  if (!(menu instanceof HTMLDetailsElement)) return;
  for (const other of opened()) close(other);
  menu.dataset.at = "";
  menu.open = true;
  place(menu, x, y);
  if (byKey) items(menu)[0]?.focus();
}

/** @param {HTMLDetailsElement} menu @returns {HTMLElement[]} */
function items(menu) {
  return /** @type {HTMLElement[]} */ ([...menu.querySelectorAll(".pt-menu__item, .pt-fan__item")]);
}

document.addEventListener("toggle", (event) => {
  const menu = event.target;
  if (!(menu instanceof HTMLDetailsElement) || !menu.matches("[data-menu], [data-fan]") || !menu.open) return;
  for (const other of opened()) if (other !== menu) close(other);
  if (menu.dataset.at !== undefined) {
    delete menu.dataset.at;
    return;
  }
  const button = menu.querySelector("summary")?.getBoundingClientRect();
  const width = menu.querySelector(".pt-menu")?.clientWidth ?? 0;
  if (button) place(menu, button.right - width, button.bottom + 4);
  if (menu.querySelector("summary:focus-visible")) items(menu)[0]?.focus();
}, true);

document.addEventListener("click", (event) => {
  const inside = around(event, "details[data-menu], details[data-fan]");
  const isItem = around(event, ".pt-menu__item, .pt-fan__item");
  for (const menu of opened()) if (menu !== inside || isItem) close(menu);
}, true);

document.addEventListener("keydown", (event) => {
  const menu = opened()[0];
  if (!menu) return;
  const all = items(menu);
  const index = all.findIndex((item) => item === document.activeElement);
  if (event.key === "Escape") {
    event.preventDefault();
    close(menu, true);
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : all.length - 1;
    all[index < 0 ? 0 : (index + step) % all.length]?.focus();
  } else if (event.key === "Tab") {
    close(menu);
  }
});

document.addEventListener("scroll", (event) => {
  // Scrolling inside a long menu does not close it.
  if (event.target instanceof Element && event.target.matches(".pt-menu")) return;
  for (const menu of opened()) if (menu.classList.contains("pt-more")) close(menu);
}, { passive: true, capture: true });

// Right click and the menu key, whose event has no point of its own.
document.addEventListener("contextmenu", (event) => {
  const row = around(event, "[data-context]");
  if (!row || around(event, "input, textarea")) return;
  event.preventDefault();
  const box = row.getBoundingClientRect();
  const byKey = event.button !== 2 || (event.clientX === 0 && event.clientY === 0);
  openAt(row, byKey ? box.left + 72 : event.clientX, byKey ? box.bottom - 8 : event.clientY, byKey);
});

/** @param {HTMLElement} row @param {number} shown how much of the actions shows, from 0 to 1 */
function slide(row, shown) {
  const actions = row.querySelector(".pt-swipe__actions");
  if (!(actions instanceof HTMLElement)) return;
  actions.hidden = false;
  actions.style.transform = shown >= 1 ? "none" : `translateX(${100 - shown * 100}%)`;
}

/** @param {HTMLElement} row */
function conceal(row) {
  const actions = row.querySelector(".pt-swipe__actions");
  delete row.dataset.open;
  if (!(actions instanceof HTMLElement)) return;
  actions.style.transform = "";
  setTimeout(() => (actions.hidden = row.dataset.open === undefined), 300);
}

document.addEventListener("pointerdown", (event) => {
  for (const row of document.querySelectorAll(".pt-swipe[data-open]")) {
    if (row instanceof HTMLElement && !row.contains(/** @type {Node} */ (event.target))) conceal(row);
  }
  if (event.pointerType === "mouse") return;
  const row = around(event, "[data-context]");
  const swiped = around(event, "[data-swipe]");
  if (!row && !swiped) return;
  const { clientX: x, clientY: y } = event;
  const wasOpen = swiped?.dataset.open !== undefined;
  const actions = swiped?.querySelector(".pt-swipe__actions");
  let isSwiping = false;
  let shown = wasOpen ? 1 : 0;
  // iOS has no contextmenu event for a long press.
  const press = setTimeout(() => {
    if (!row || isSwiping || around(event, "button, summary")) return;
    swallowClick();
    openAt(row, x, y, false);
    end();
  }, delay("long-press"));
  /** @param {PointerEvent} move */
  const follow = (move) => {
    const dx = move.clientX - x;
    const dy = move.clientY - y;
    if (Math.hypot(dx, dy) > 10) clearTimeout(press);
    if (!swiped || !(actions instanceof HTMLElement)) return;
    if (!isSwiping) {
      if (Math.abs(dx) < 12 || Math.abs(dx) < Math.abs(dy) * 1.5) return;
      isSwiping = true;
      actions.hidden = false;
      actions.dataset.moving = "";
    }
    const width = actions.offsetWidth || 1;
    shown = Math.max(0, Math.min(1, (wasOpen ? 1 : 0) - dx / width));
    slide(swiped, shown);
  };
  const end = () => {
    clearTimeout(press);
    document.removeEventListener("pointermove", follow);
    document.removeEventListener("pointerup", end);
    document.removeEventListener("pointercancel", end);
    if (!isSwiping || !swiped || !(actions instanceof HTMLElement)) return;
    swallowClick();
    delete actions.dataset.moving;
    if (shown > 0.4) {
      swiped.dataset.open = "true";
      actions.style.transform = "";
    } else {
      conceal(swiped);
    }
  };
  document.addEventListener("pointermove", follow);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
});
