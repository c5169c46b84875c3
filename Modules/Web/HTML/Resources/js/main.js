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

// Few pages hold an island or rows to move; what can be done without a network may wait on any page to be sent.
onPage(() => {
  if (document.querySelector("[data-module]")) void import("./islands.js");
  if (document.querySelector(".pt-drag")) void import("./reorder.js");
  if (localStorage.getItem("pt-outbox") || document.querySelector("[data-tap], [data-queue], [data-composer]")) void import("./waiting.js");
});

// Few pages have a microphone; a recording that waits is sent from any of them.
onPage(() => {
  if (localStorage.getItem("pt-voice") || document.querySelector("[data-voice]")) void import("./voice.js");
});

// Few pages show a film.
onPage(() => {
  if (document.querySelector("[data-video]")) void import("./video.js");
});

// Few pages hold a conversation.
onPage(() => {
  if (document.querySelector("[data-composer], [data-receipt]")) void import("./talk.js");
  if (document.querySelector("#composer-names")) void import("./names.js");
});

// Few devices get notifications; those say each day where they are.
onPage(() => {
  if (document.body.dataset.account && localStorage.getItem("pt-push")) void import("./push.js").then(({ renew }) => renew());
  else if (!document.body.dataset.account) sessionStorage.removeItem("pt-push-said");
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
      for (const { name } of performance.getEntriesByType("resource")) if (name.includes("/assets/")) void keep(name);
      void keep(here(), { Accept: "text/html", "X-PinkTower": "live" });
    }, { once: true });
  }
  navigator.serviceWorker.register("/sw.js").catch(() => {
    // Private windows and plain http have no service worker; everything else works without it.
  });
}
