// Pull to refresh, and space for the on-screen keyboard.
import { element, icon } from "./core.js";
import { haptics } from "./feedback.js";
import { refresh } from "./navigate.js";

const far = 72;

document.addEventListener("touchstart", (event) => {
  if (scrollY > 0 || event.touches.length > 1 || document.querySelector("dialog[open]")) return;
  if (!(event.target instanceof Element) || event.target.closest("input, textarea, select, .pt-table-box")) return;
  const start = event.touches[0].clientY;
  const startX = event.touches[0].clientX;
  /** @type {HTMLElement | null} */
  let sign = null;
  let pulled = 0;
  /** @param {TouchEvent} move */
  const follow = (move) => {
    pulled = (move.touches[0].clientY - start) / 2;
    if (Math.abs(move.touches[0].clientX - startX) > 24 && !sign) return end();
    if (pulled < 12 || scrollY > 0) return;
    if (!sign) {
      sign = element("div", "pt-pull", icon("sync", "pt-icon--small"));
      sign.dataset.keep = "";
      document.body.append(sign);
    }
    sign.style.transform = `translateY(${Math.min(pulled, far)}px) rotate(${pulled * 3}deg)`;
  };
  const end = () => {
    document.removeEventListener("touchmove", follow);
    document.removeEventListener("touchend", end);
    document.removeEventListener("touchcancel", end);
    const mine = sign;
    if (!mine) return;
    if (pulled < far) return mine.remove();
    mine.dataset.busy = "";
    haptics("lightTap");
    void refresh().finally(() => mine.remove());
  };
  document.addEventListener("touchmove", follow, { passive: true });
  document.addEventListener("touchend", end);
  document.addEventListener("touchcancel", end);
}, { passive: true });

// Where the keyboard covers the page, the floating button moves above it.
const view = window.visualViewport;
view?.addEventListener("resize", () => {
  const covered = Math.max(0, innerHeight - view.height * view.scale);
  document.documentElement.toggleAttribute("data-keyboard", covered > 120);
  document.documentElement.style.setProperty("--keyboard", covered > 120 ? covered + "px" : "0px");
});
