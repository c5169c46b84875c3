// The page runtime. Each module listens on the document, so a page that came later needs no set-up.
import { here, onPage, pageChanged } from "./core.js";
import "./feedback.js";
import "./sheets.js";
import "./navigate.js";
import "./passkeys.js";
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

// What only some pages hold comes with the first of them.
onPage(() => {
  /** @param {string} selector */
  const shows = (selector) => document.querySelector(selector);
  if (shows("[data-module]")) void import("./islands.js");
  if (shows(".pt-drag")) void import("./reorder.js");
  // What can be done without a network may wait on any page to be sent, and so may a recording.
  if (localStorage.getItem("pt-outbox") || shows("[data-tap], [data-queue], [data-composer]")) void import("./waiting.js");
  if (localStorage.getItem("pt-voice") || shows("[data-voice]")) void import("./voice.js");
  if (shows("[data-draft]") || Object.keys(localStorage).some((name) => name.startsWith("pt-draft:"))) void import("./drafts.js");
  if (shows("[data-video]")) void import("./video.js");
  if (shows("[data-composer], [data-receipt]")) void import("./talk.js");
  if (shows("#composer-names")) void import("./names.js");
  // Few devices get notifications; those say each day where they are.
  if (!document.body.dataset.account) sessionStorage.removeItem("pt-push-said");
  else if (localStorage.getItem("pt-push")) void import("./push.js").then(({ renew }) => renew());
});

pageChanged();
if ("serviceWorker" in navigator) {
  // The first worker of this device has seen neither this page nor its files: where something can be done without a
  // network, they are read once more through it.
  if (!navigator.serviceWorker.controller && document.body.dataset.account) {
    /** @param {string} address @param {Record<string, string>} [headers] */
    const keep = (address, headers) => fetch(address, { headers }).catch(() => {
      // The network went again: it is kept when it is opened next.
    });
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (!document.querySelector("[data-module], [data-queue], [data-tap], [data-composer]")) return;
      void keep(here(), { Accept: "text/html", "X-PinkTower": "live" });
      // Also what is on its way past the worker just now: it is told of when it has come. What is kept is fetched.
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
