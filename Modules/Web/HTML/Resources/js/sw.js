// The service worker: serves the shell from its cache, and pages from the network or else their last copy.

/**
 * The files that every page needs.
 * @type {string[]}
 */
const SHELL = /** @type {any} */ ("@shell");
/**
 * The offline page, by language.
 * @type {Record<string, string>}
 */
const OFFLINE = /** @type {any} */ ("@offline");
const VERSION = "@version";

const shellName = "pt-shell-" + VERSION;
const pagesName = "pt-pages";
const imagesName = "pt-images";
const ownerName = "pt-owner";
/** The number of cached pages. */
const limit = 60;
/** The number and bytes of cached photos. */
const imageLimit = { count: 2000, bytes: 200 << 20 };

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(shellName).then((cache) => cache.addAll(SHELL)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("pt-shell-") && name !== shellName) await caches.delete(name);
    }
    await worker.clients.claim();
  })());
});

// --- Notifications. A push is encrypted for this browser (RFC 8291) and belongs to one account.

/** @typedef {{ id: string, title: string, body: string, path: string, badge: number, account: string }} PushMessage */

const shownName = "pt-told";
/** The number of stored ids of shown notifications. */
const shownLimit = 50;

/** Cancels the subscription of this device. */
async function unsubscribe() {
  await (await worker.registration.pushManager?.getSubscription())?.unsubscribe();
}

/**
 * Whether a notification was shown before, since an interrupted server sends it again.
 * @param {string} id
 */
async function wasShown(id) {
  const cache = await caches.open(shownName);
  const address = "/" + encodeURIComponent(id);
  if (await cache.match(address)) return true;
  await cache.put(address, new Response(""));
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - shownLimit))) await cache.delete(old);
  return false;
}

/** @param {PushMessage} message */
async function show(message) {
  // Accounts that have signed out here, or were followed by another, get no notifications.
  const owner = await (await caches.open(ownerName)).match("/");
  if (!owner || (await owner.text()) !== message.account) return unsubscribe();
  if (await wasShown(message.id)) return;
  const open = await worker.clients.matchAll({ type: "window" });
  // A visible page has the bell, so only test notifications are shown as well.
  if (!message.id.startsWith("test.") && open.some((one) => one.visibilityState === "visible")) return;
  const icon = SHELL.find((file) => file.includes("icon-192"));
  await worker.registration.showNotification(message.title, { body: message.body, tag: message.id, icon, data: { path: message.path } });
  const navigator = /** @type {any} */ (worker.navigator);
  if (message.badge > 0) await navigator.setAppBadge?.(message.badge);
}

worker.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(show(event.data.json()));
});

/**
 * Where a tap leads. Without a network nobody follows a link for us: the page itself may be kept.
 * @param {unknown} path
 */
function target(path) {
  if (typeof path !== "string" || worker.navigator.onLine) return path;
  const link = new URL(path, worker.location.origin).searchParams.get("link");
  return link?.startsWith("/") ? link : path;
}

// A tap on a notification opens what it is about; the page's own open the product where it was left.
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = target(event.notification.data?.path);
  const isOurs = typeof path === "string" && new URL(path, worker.location.origin).origin === worker.location.origin;
  event.waitUntil((async () => {
    const [open] = await worker.clients.matchAll({ type: "window" });
    if (!open) await worker.clients.openWindow(isOurs ? path : "/notifications");
    else if (!isOurs) await open.focus();
    else {
      try {
        await (await open.focus()).navigate(path);
      } catch {
        // This worker does not control the window, so another one is opened.
        await worker.clients.openWindow(path);
      }
    }
  })());
});

// The browser replaced its subscription; the server gets the new one.
worker.addEventListener("pushsubscriptionchange", (event) => {
  const change = /** @type {any} */ (event);
  change.waitUntil((async () => {
    const made = change.newSubscription ?? (change.oldSubscription &&
      (await worker.registration.pushManager.subscribe(change.oldSubscription.options)));
    if (!made) return;
    const { endpoint, keys } = made.toJSON();
    await fetch("/api/v1/notifications/device", {
      method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ kind: "web", target: endpoint, key: keys.p256dh, secret: keys.auth }),
    });
  })());
});

// Caches belong to one account. Sign-out clears them; `era` keeps responses to earlier requests from being cached
// afterwards.
let era = 0;

function clearCaches() {
  return Promise.all([caches.delete(pagesName), caches.delete(imagesName)]);
}

/** Serializes the checks of pages that arrive at once. */
let turn = Promise.resolve();

/**
 * Clears the caches unless they belong to this account.
 * @param {string} account
 */
function keepFor(account) {
  turn = turn.then(async () => {
    const cache = await caches.open(ownerName);
    const owner = await cache.match("/");
    if (owner && (await owner.text()) === account) return;
    await clearCaches();
    await cache.put("/", new Response(account));
  });
  return turn;
}

/** @param {Request} request @returns {Promise<Response>} */
async function shell(request) {
  const cache = await caches.open(shellName);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** @param {Request} request @returns {Promise<Response>} */
async function page(request) {
  const asked = era;
  try {
    const answer = await fetch(request);
    const isPage = (answer.headers.get("Content-Type") ?? "").startsWith("text/html");
    // The browser's own cache stores no personal pages (no-store); this one is cleared with the account.
    if (answer.ok && isPage && !answer.redirected && asked === era) {
      const copy = answer.clone();
      // A page without an account, such as sign-in, does not identify the device's owner.
      const account = answer.headers.get("X-PinkTower-Account");
      if (account) await keepFor(account);
      const cache = await caches.open(pagesName);
      await cache.put(request.url, copy);
      const keys = await cache.keys();
      for (const old of keys.slice(0, Math.max(0, keys.length - limit))) await cache.delete(old);
    } else if (isPage && (answer.status === 403 || answer.status === 404)) {
      // A page that is now forbidden is removed, so it does not reappear offline.
      await (await caches.open(pagesName)).delete(request.url, { ignoreVary: true });
    }
    return answer;
  } catch (error) {
    const cache = await caches.open(pagesName);
    const found = await cache.match(request.url, { ignoreVary: true });
    if (found) return found;
    // The runtime keeps its page and shows that the network is gone.
    if (request.mode !== "navigate") throw error;
    const language = worker.navigator.language.slice(0, 2);
    const offline = await caches.match(OFFLINE[language] ?? OFFLINE.en);
    if (offline) return offline;
    throw error;
  }
}

/**
 * Serves a photo or a sound from the network, which checks access each time, or else from the cache.
 * @param {Request} request @returns {Promise<Response>}
 */
async function photo(request) {
  const asked = era;
  const cache = await caches.open(imagesName);
  try {
    const answer = await fetch(request);
    if (asked !== era) return answer;
    if (!answer.ok) await cache.delete(request.url);
    else if (answer.status === 200) {
      await cache.delete(request.url);
      await cache.put(request.url, answer.clone());
      await trim(cache);
    }
    return answer;
  } catch (error) {
    const found = await cache.match(request.url, { ignoreVary: true });
    if (found) return found;
    throw error;
  }
}

/** @param {Cache} cache takes the oldest out until the rest is within bounds */
async function trim(cache) {
  const keys = await cache.keys();
  let bytes = 0;
  for (const [place, key] of [...keys].reverse().entries()) {
    const found = await cache.match(key);
    bytes += Number(found?.headers.get("Content-Length")) || (await found?.blob())?.size || 0;
    if (place >= imageLimit.count || bytes > imageLimit.bytes) await cache.delete(key);
  }
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== worker.location.origin) return;
  if (request.method !== "GET") {
    if (url.pathname.endsWith("/sign-out")) {
      era += 1;
      event.waitUntil(Promise.all([clearCaches(), caches.delete(ownerName), unsubscribe()]));
    }
    return;
  }
  if (url.pathname.startsWith("/assets/")) event.respondWith(shell(request));
  else if (url.pathname.startsWith("/api/")) return;
  // Scripts request sounds for use without a network with this `Accept`; players request ranges, which are not stored.
  else if (!request.headers.has("Range") && (request.destination === "image" || request.headers.get("Accept") === "audio/*")) {
    event.respondWith(photo(request));
  }
  else if (request.mode === "navigate" || request.headers.get("Accept")?.startsWith("text/html")) {
    event.respondWith(page(request));
  }
});
