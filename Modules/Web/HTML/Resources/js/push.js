// Push (https://www.w3.org/TR/push-api/): lets notifications come to this device, and keeps them coming to whoever is
// signed in on it. Loaded by whoever turns them on, and once a day where they are on.
import { account, decoded, encoded, post, problem } from "./core.js";

const keptName = "pt-push";
/** What has been said to the server in this tab: for whom, and on which day. */
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

/** Whether pushes come to this browser, for the one who is signed in. */
export async function isOn() {
  return canPush() && localStorage.getItem(keptName) === account() && Boolean(await present());
}

/**
 * Subscribes this browser and tells the server; the person has allowed it before.
 * @param {string} key the server's public key
 * @returns {Promise<string | null>} what the server said against it
 */
export async function turnOn(key) {
  const worker = await navigator.serviceWorker.ready;
  const former = await worker.pushManager.getSubscription();
  // A subscription to another server's key is good for nothing here.
  if (former && encoded(former.options.applicationServerKey) !== key) await former.unsubscribe();
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decoded(key) });
  const response = await post("/api/v1/notifications/device", {
    kind: "web", target: made.endpoint, key: encoded(made.getKey("p256dh")), secret: encoded(made.getKey("auth")),
  });
  if (!response.ok) return problem(response);
  // The worker shows pushes to the one whose pages it keeps; it may not have seen one yet.
  await (await caches.open("pt-owner")).put("/", new Response(account()));
  localStorage.setItem(keptName, account());
  sessionStorage.setItem(saidName, today());
  return null;
}

/** Turns them on, for somebody without a school as soon as they have one: before that there is no news to tell. */
export async function wish() {
  localStorage.setItem(keptName, account());
  const key = await serverKey();
  if (!key) return;
  try {
    await turnOn(key);
  } catch (fault) {
    localStorage.removeItem(keptName);
    throw fault;
  }
}

/** @returns {Promise<Response>} */
export async function turnOff() {
  localStorage.removeItem(keptName);
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

/** Says once a day, and after each sign-in, where this device is: sessions and subscriptions come and go. */
export async function renew() {
  if (!account() || localStorage.getItem(keptName) !== account() || sessionStorage.getItem(saidName) === today()) return;
  if (!canPush() || Notification.permission !== "granted") return;
  sessionStorage.setItem(saidName, today());
  try {
    const key = await serverKey();
    if (key) await turnOn(key);
    else sessionStorage.removeItem(saidName);
  } catch {
    // Without a network, or without a push service: the next page tries again.
    sessionStorage.removeItem(saidName);
  }
}
