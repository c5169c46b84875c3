// The page runtime. Modules listen on the document, so later pages need no setup.
import { here, onPage, pageChanged } from "./core.js";
import "./feedback.js";
import "./sheets.js";
import "./navigate.js";
import "./commands.js";
import "./taps.js";
import "./menus.js";
import "./fields.js";
import "./photos.js";
import "./grid.js";
import "./live.js";
import "./notify.js";
import "./refresh.js";

document.documentElement.classList.add("js");

// Modules for some pages only are loaded with the first such page.
onPage(() => {
  /** @param {string} selector */
  const shows = (selector) => document.querySelector(selector);
  if (shows("[data-module]")) void import("./islands.js");
  if (shows(".pt-drag")) void import("./reorder.js");
  if (shows("form[data-passkey]")) void import("./passkeys.js");
  // Queued commands and recordings are sent from any page.
  if (localStorage.getItem("pt-outbox") || shows("[data-tap], [data-queue], [data-composer]")) void import("./waiting.js");
  if (localStorage.getItem("pt-voice") || shows("[data-voice]")) void import("./voice.js");
  if (shows("[data-draft]") || Object.keys(localStorage).some((name) => name.startsWith("pt-draft:"))) void import("./drafts.js");
  if (shows("[data-video]")) void import("./video.js");
  if (shows("[data-composer], [data-receipt]")) void import("./talk.js");
  if (shows("#composer-names")) void import("./names.js");
  // Devices with push report their subscription once a day.
  if (!document.body.dataset.account) sessionStorage.removeItem("pt-push-said");
  else if (localStorage.getItem("pt-push")) void import("./push.js").then(({ renew }) => renew());
});

pageChanged();
if ("serviceWorker" in navigator) {
  // A new worker has not seen this page and its files. Where offline work is possible, they are fetched again through
  // it.
  if (!navigator.serviceWorker.controller && document.body.dataset.account) {
    /** @param {string} address @param {Record<string, string>} [headers] */
    const keep = (address, headers) => fetch(address, { headers }).catch(() => {
      // The network failed: the page is cached at its next visit.
    });
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (!document.querySelector("[data-module], [data-queue], [data-tap], [data-composer]")) return;
      void keep(here(), { Accept: "text/html", "X-PinkTower": "live" });
      // Files that are loading now bypass the worker too: the observer reports them when they have loaded, and they are
      // fetched again.
      new PerformanceObserver((list) => {
        for (const { name, initiatorType } of /** @type {PerformanceResourceTiming[]} */ (list.getEntries())) {
          if (initiatorType !== "fetch" && name.includes("/assets/")) void keep(name);
        }
      }).observe({ type: "resource", buffered: true });
    }, { once: true });
  }
  navigator.serviceWorker.register("/sw.js").catch(() => {
    // Private windows and plain http have no service worker; everything else works without it.
  });
}
