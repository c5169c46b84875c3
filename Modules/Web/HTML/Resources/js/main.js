// The page runtime. Each module listens on the document, so a page that came later needs no set-up.
import { onPage, pageChanged } from "./core.js";
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

// Kept pages belong to one account; with another one they go. A page of no account (the offline page, a
// public one) says nothing about that; signing out drops them in the worker.
const accountName = "pt-account";
onPage(() => {
  const account = document.body.dataset.account;
  if (!account || localStorage.getItem(accountName) === account) return;
  localStorage.setItem(accountName, account);
  void navigator.serviceWorker?.ready.then((registration) => registration.active?.postMessage("forget"));
});

// Few pages hold an island; whoever stood on one may have left something to be sent.
onPage(() => {
  if (document.querySelector("[data-module]")) void import("./islands.js");
  if (localStorage.getItem("pt-outbox")) void import("./outbox.js");
});

// Few pages have a microphone; a recording that waits is sent from any of them.
onPage(() => {
  if (localStorage.getItem("pt-voice") || document.querySelector("[data-voice]")) void import("./voice.js");
});

pageChanged();
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/sw.js").catch(() => {
    // Private windows and plain http have no service worker; everything else works without it.
  });
}
