// The service worker: the shell from its cache, pages from the network with the last seen one behind it.

/**
 * The files that every page needs.
 * @type {string[]}
 */
const SHELL = /** @type {any} */ ("@shell");
/**
 * The page for when there is none, by language.
 * @type {Record<string, string>}
 */
const OFFLINE = /** @type {any} */ ("@offline");
const VERSION = "@version";

const shellName = "pt-shell-" + VERSION;
const pagesName = "pt-pages";
const imagesName = "pt-images";
const ownerName = "pt-owner";
/** How many last seen pages are kept. */
const limit = 60;
/** How many photos, and how many bytes of them. */
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

// --- Notifications. What a push says was sealed for this browser (RFC 8291) and is for one account.

/** @typedef {{ id: string, title: string, body: string, path: string, badge: number, account: string }} Told */

const toldName = "pt-told";
/** How many ids of what was shown are kept. */
const toldLimit = 50;

/** Takes the subscription back: nobody is told here any more. */
async function silence() {
  await (await worker.registration.pushManager?.getSubscription())?.unsubscribe();
}

/**
 * Whether this was shown before; a server that stopped halfway sends the same once more.
 * @param {string} id
 */
async function wasTold(id) {
  const cache = await caches.open(toldName);
  const address = "/" + encodeURIComponent(id);
  if (await cache.match(address)) return true;
  await cache.put(address, new Response(""));
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - toldLimit))) await cache.delete(old);
  return false;
}

/** @param {Told} told */
async function tell(told) {
  // Who signed out here, or whom somebody else followed, is told nothing here.
  const owner = await (await caches.open(ownerName)).match("/");
  if (!owner || (await owner.text()) !== told.account) return silence();
  if (await wasTold(told.id)) return;
  const open = await worker.clients.matchAll({ type: "window" });
  // Whoever looks at a page has the bell; only what they asked for to try it is shown as well.
  if (!told.id.startsWith("test.") && open.some((one) => one.visibilityState === "visible")) return;
  const icon = SHELL.find((file) => file.includes("icon-192"));
  await worker.registration.showNotification(told.title, { body: told.body, tag: told.id, icon, data: { path: told.path } });
  const navigator = /** @type {any} */ (worker.navigator);
  if (told.badge > 0) await navigator.setAppBadge?.(told.badge);
}

worker.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(tell(event.data.json()));
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
        // A window that this worker does not steer is left as it is.
        await worker.clients.openWindow(path);
      }
    }
  })());
});

// The browser changed its subscription by itself: the server hears of the new one.
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

// Nobody finds what the worker kept for another account. Signing out takes it away at once; `era` keeps an answer that
// was asked for before from being kept after.
let era = 0;

function forget() {
  return Promise.all([caches.delete(pagesName), caches.delete(imagesName)]);
}

/** The pages on their way say one after the other whose they are. */
let turn = Promise.resolve();

/**
 * Makes sure that what is kept from now on is this account's alone.
 * @param {string} account
 */
function keepFor(account) {
  turn = turn.then(async () => {
    const cache = await caches.open(ownerName);
    const owner = await cache.match("/");
    if (owner && (await owner.text()) === account) return;
    await forget();
    await cache.put("/", new Response(account));
  });
  return turn;
}

/** @param {Request} request @returns {Promise<Response>} */
async function shell(request) {
  const cache = await caches.open(shellName);
  const kept = await cache.match(request);
  if (kept) return kept;
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
    // The browser's own cache may keep nothing of a person (no-store); this one is emptied with the account.
    if (answer.ok && isPage && !answer.redirected && asked === era) {
      const copy = answer.clone();
      // A page of no account, such as the sign-in, says nothing about whose device it is.
      const account = answer.headers.get("X-PinkTower-Account");
      if (account) await keepFor(account);
      const cache = await caches.open(pagesName);
      await cache.put(request.url, copy);
      const keys = await cache.keys();
      for (const old of keys.slice(0, Math.max(0, keys.length - limit))) await cache.delete(old);
    } else if (isPage && (answer.status === 403 || answer.status === 404)) {
      // What this account may not see any more does not come back without a network.
      await (await caches.open(pagesName)).delete(request.url, { ignoreVary: true });
    }
    return answer;
  } catch (error) {
    const cache = await caches.open(pagesName);
    const kept = await cache.match(request.url, { ignoreVary: true });
    if (kept) return kept;
    // The runtime stays where it is and says that the network is gone.
    if (request.mode !== "navigate") throw error;
    const language = worker.navigator.language.slice(0, 2);
    const offline = await caches.match(OFFLINE[language] ?? OFFLINE.en);
    if (offline) return offline;
    throw error;
  }
}

/**
 * A photo: from the network, which decides each time who may see it, else the one seen last.
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
    const kept = await cache.match(request.url, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

/** @param {Cache} cache takes the oldest out until the rest is within bounds */
async function trim(cache) {
  const keys = await cache.keys();
  let bytes = 0;
  for (const [place, key] of [...keys].reverse().entries()) {
    const kept = await cache.match(key);
    bytes += Number(kept?.headers.get("Content-Length")) || (await kept?.blob())?.size || 0;
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
      event.waitUntil(Promise.all([forget(), caches.delete(ownerName), silence()]));
    }
    return;
  }
  if (url.pathname.startsWith("/assets/")) event.respondWith(shell(request));
  else if (url.pathname.startsWith("/api/")) return;
  else if (request.destination === "image" && !request.headers.has("Range")) event.respondWith(photo(request));
  else if (request.mode === "navigate" || request.headers.get("Accept")?.startsWith("text/html")) {
    event.respondWith(page(request));
  }
});
