// Notifications of the browser (https://notifications.spec.whatwg.org): asked for by a tap, shown for news that
// come while the page is out of sight. They say that there is news and not what: screens are looked at by others.
import { around, onPage, word } from "./core.js";
import { toast } from "./feedback.js";

function canAsk() {
  return "Notification" in window && Notification.permission === "default";
}

onPage(() => {
  for (const button of document.querySelectorAll("button[data-notifications]")) {
    if (button instanceof HTMLElement) button.hidden = !canAsk();
  }
});

// The badge of the installed app (https://w3c.github.io/badging/) shows the number of the bell; nobody signed in has none.
onPage(() => {
  const bell = document.querySelector("a[data-unread]");
  const app = /** @type {any} */ (navigator);
  if (!app.setAppBadge || (!bell && document.body.dataset.account)) return;
  const unread = Number(bell?.getAttribute("data-unread"));
  const shown = unread ? app.setAppBadge(unread) : app.clearAppBadge();
  shown.catch(() => {
    // The app is not installed on this device, or its icon shows no badge.
  });
});

document.addEventListener("click", async (event) => {
  const button = around(event, "button[data-notifications]");
  if (!button) return;
  const answer = await Notification.requestPermission();
  if (answer === "granted") {
    toast(word("notificationsOn"), "success");
    try {
      const { canPush, wish } = await import("./push.js");
      if (canPush()) await wish();
    } catch {
      // No push service answers this browser: news are shown while a page is open, as before.
    }
  }
  if (answer === "denied") toast(word("notificationsOff"));
  button.hidden = !canAsk();
});

/**
 * Tells that there is news, unless the reader looks at the page. One at a time: a later one takes its place. A device
 * that gets pushes hears of it from those.
 */
export async function notify() {
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  const icon = document.querySelector("link[rel=apple-touch-icon]")?.getAttribute("href") ?? undefined;
  const options = { body: word("notification"), icon, tag: "pt-news" };
  // On a phone only the worker may show one.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (localStorage.getItem("pt-push") === document.body.dataset.account && (await worker?.pushManager?.getSubscription())) return;
  if (worker) await worker.showNotification("PinkTower", options);
  else new Notification("PinkTower", options);
}
