// Browser notifications (https://notifications.spec.whatwg.org), enabled by a tap and shown while the page is hidden.
// They have no content, since other people may see the screen.
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

// The installed app's badge (https://w3c.github.io/badging/) shows the bell's number; none without a session.
onPage(() => {
  const bell = document.querySelector("a[data-unread]");
  const app = /** @type {any} */ (navigator);
  if (!app.setAppBadge || (!bell && document.body.dataset.account)) return;
  const unread = Number(bell?.getAttribute("data-unread"));
  const shown = unread ? app.setAppBadge(unread) : app.clearAppBadge();
  shown.catch(() => {
    // The app is not installed, or its icon shows no badge.
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
      // No push service is available: notifications are shown while a page is open.
    }
  }
  if (answer === "denied") toast(word("notificationsOff"));
  button.hidden = !canAsk();
});

/** Shows a notification unless the page is visible. A later one replaces it. Devices with push rely on that instead. */
export async function notify() {
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  const icon = document.querySelector("link[rel=apple-touch-icon]")?.getAttribute("href") ?? undefined;
  const options = { body: word("notification"), icon, tag: "pt-news" };
  // On phones only the worker may show notifications.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (localStorage.getItem("pt-push") === document.body.dataset.account && (await worker?.pushManager?.getSubscription())) return;
  if (worker) await worker.showNotification("PinkTower", options);
  else new Notification("PinkTower", options);
}
