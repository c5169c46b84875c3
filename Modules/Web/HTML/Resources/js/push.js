// Push (https://www.w3.org/TR/push-api/): subscribes this device for the signed-in account. Loaded when a person turns
// it on, and once a day where it is on.
import { account, decoded, encoded, post, problem } from "./core.js";

const storageName = "pt-push";
/** The account and day that this tab has reported to the server. */
const saidName = "pt-push-said";

const today = () => account() + " " + new Date().toDateString();

export function canPush() {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** @returns {Promise<PushSubscription | null>} */
async function present() {
  const worker = await navigator.serviceWorker.getRegistration();
  return worker?.pushManager?.getSubscription() ?? null;
}

/** Whether this browser is subscribed for the signed-in account. */
export async function isOn() {
  return canPush() && localStorage.getItem(storageName) === account() && Boolean(await present());
}

/**
 * Subscribes this browser and reports it to the server; requires the notification permission.
 * @param {string} key the server's public key
 * @returns {Promise<string | null>} what the server said against it
 */
export async function turnOn(key) {
  const worker = await navigator.serviceWorker.ready;
  const former = await worker.pushManager.getSubscription();
  // A subscription with another server's key cannot be used.
  if (former && encoded(former.options.applicationServerKey) !== key) await former.unsubscribe();
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decoded(key) });
  const response = await post("/api/v1/notifications/device", {
    kind: "web", target: made.endpoint, key: encoded(made.getKey("p256dh")), secret: encoded(made.getKey("auth")),
  });
  if (!response.ok) return problem(response);
  // The worker shows pushes only to the owner of its cached pages, which it may not know yet.
  await (await caches.open("pt-owner")).put("/", new Response(account()));
  localStorage.setItem(storageName, account());
  sessionStorage.setItem(saidName, today());
  return null;
}

/** Subscribes now or, for an account without a school, once it has one. */
export async function wish() {
  localStorage.setItem(storageName, account());
  const key = await serverKey();
  if (!key) return;
  try {
    await turnOn(key);
  } catch (fault) {
    localStorage.removeItem(storageName);
    throw fault;
  }
}

/** @returns {Promise<Response>} */
export async function turnOff() {
  localStorage.removeItem(storageName);
  await (await present())?.unsubscribe();
  return post("/api/v1/notifications/device/off");
}

/** @returns {Promise<Response>} */
export function test() {
  return post("/api/v1/notifications/device/test");
}

/** The server's public key. */
export async function serverKey() {
  const response = await fetch("/api/v1/notifications/settings", { headers: { Accept: "application/json" } });
  return response.ok ? String((await response.json()).applicationServerKey) : null;
}

/** Reports the subscription once a day and after each sign-in, since sessions and subscriptions change. */
export async function renew() {
  if (!account() || localStorage.getItem(storageName) !== account() || sessionStorage.getItem(saidName) === today()) return;
  if (!canPush() || Notification.permission !== "granted") return;
  sessionStorage.setItem(saidName, today());
  try {
    const key = await serverKey();
    if (key) await turnOn(key);
    else sessionStorage.removeItem(saidName);
  } catch {
    // Without a network or push service, the next page tries again.
    sessionStorage.removeItem(saidName);
  }
}
