// Sheets: modal on phones, a panel on wide screens. The address names the open sheet, so Back closes it and a reload
// restores it.
import { around, here, onPage, plain, swallowClick } from "./core.js";
import { haptics } from "./feedback.js";

const wide = matchMedia("(min-width: 60em)");
/**
 * The element that had the focus before a sheet opened.
 * @type {Element | null}
 */
let opener = null;

/**
 * The sheets that were opened as modal dialogs.
 * @type {WeakSet<HTMLDialogElement>}
 */
const modal = new WeakSet();

/**
 * The sheets that were shown by script; one that came open with its page is not among them yet.
 * @type {WeakSet<HTMLDialogElement>}
 */
const entered = new WeakSet();

/** @returns {HTMLDialogElement[]} */
function sheets() {
  return /** @type {HTMLDialogElement[]} */ ([...document.querySelectorAll("dialog.pt-sheet")]);
}

/** @param {HTMLDialogElement} sheet */
function idOf(sheet) {
  return sheet.id.slice("sheet-".length);
}

/** Opens and closes sheets to match the address. */
export function syncSheets() {
  const wanted = new URLSearchParams(location.search).get("sheet");
  let isOpen = false;
  for (const sheet of sheets()) {
    if (idOf(sheet) === wanted) {
      isOpen = true;
      if (sheet.open && modal.has(sheet) === wide.matches) sheet.close();
      if (sheet.open && entered.has(sheet)) continue;
      entered.add(sheet);
      if (!sheet.contains(document.activeElement)) opener = document.activeElement;
      sheet.close();
      if (wide.matches) {
        modal.delete(sheet);
        sheet.show();
      } else {
        modal.add(sheet);
        sheet.showModal();
      }
      // The first field, since the dialog would focus the invisible grip. Of options, the checked one is in the order of Tab.
      const found = sheet.querySelector("[aria-invalid=true], [autofocus]") ?? sheet.querySelector(".pt-sheet__body :is(.pt-options input, input:not([type=hidden], [type=radio], [type=checkbox]), select, textarea)");
      const first = found?.closest(".pt-options")?.querySelector("input[type=radio]:checked") ?? found;
      if (first instanceof HTMLElement) first.focus();
    } else if (sheet.open) {
      sheet.close();
      entered.delete(sheet);
      delete sheet.dataset.detent;
      sheet.style.transform = "";
      haptics("softImpact");
      // A newer page may have replaced the element that opened the sheet.
      const back = opener?.isConnected ? opener : document.querySelector(`[data-sheet="${CSS.escape(idOf(sheet))}"]`);
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
      opener = null;
    }
  }
  document.body.classList.toggle("pt-app--panel", isOpen && wide.matches);
  document.documentElement.classList.toggle("pt-locked", isOpen && !wide.matches);
}

/** @param {string} id @param {string} address */
export function present(id, address) {
  history.pushState({ sheet: id, from: here(), scroll: scrollY }, "", address);
  syncSheets();
}

export function closeSheet() {
  if (history.state?.sheet || history.state?.from === plain(here())) history.back();
  else {
    history.replaceState(history.state, "", plain(here()));
    syncSheets();
  }
}

document.addEventListener("click", (event) => {
  const link = around(event, "[data-sheet]");
  if (link instanceof HTMLAnchorElement && !event.defaultPrevented && !isModified(event)) {
    // A page in a sheet is fetched each time, like every page.
    if (link.dataset.sheet?.startsWith("/") || !document.getElementById("sheet-" + link.dataset.sheet)) return;
    event.preventDefault();
    present(link.dataset.sheet ?? "", link.href);
  } else if (around(event, "dialog.pt-sheet [data-close]")) {
    event.preventDefault();
    closeSheet();
  } else if (event.target instanceof HTMLDialogElement && event.target.matches(".pt-sheet")) {
    const box = event.target.getBoundingClientRect();
    if (event.clientY < box.top || event.clientX < box.left || event.clientX > box.right) closeSheet();
  }
});

/** @param {MouseEvent} event */
function isModified(event) {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
}

// Escape: a modal dialog fires `cancel`, a panel only a key event. Neither bubbles from a dialog.
document.addEventListener("cancel", (event) => {
  if (!(event.target instanceof HTMLDialogElement) || !event.target.matches(".pt-sheet")) return;
  event.preventDefault();
  closeSheet();
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  const sheet = sheets().find((one) => one.open && !modal.has(one));
  if (sheet && !document.querySelector("details[data-menu][open], details[data-fan][open], .pt-ask[open]")) closeSheet();
});

// Dragging the head down closes the sheet, up expands it.
document.addEventListener("pointerdown", (event) => {
  const head = around(event, ".pt-sheet__head");
  const sheet = head?.closest("dialog");
  if (!head || !(sheet instanceof HTMLDialogElement) || wide.matches || around(event, "a, input")) return;
  const start = event.clientY;
  let moved = 0;
  /** @param {PointerEvent} move */
  const follow = (move) => {
    moved = move.clientY - start;
    if (Math.abs(moved) < 6) return;
    sheet.dataset.moving = "";
    sheet.style.transform = `translateY(${Math.max(moved, -24)}px)`;
  };
  const end = () => {
    document.removeEventListener("pointermove", follow);
    document.removeEventListener("pointerup", end);
    document.removeEventListener("pointercancel", end);
    delete sheet.dataset.moving;
    sheet.style.transform = "";
    if (moved > 110) closeSheet();
    else if (moved < -40 && sheet.hasAttribute("data-stretches")) sheet.dataset.detent = "large";
    if (Math.abs(moved) > 6) swallowClick();
  };
  document.addEventListener("pointermove", follow);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
});

wide.addEventListener("change", syncSheets);
onPage(syncSheets);
