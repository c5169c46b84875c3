// Videos: speed, picture in picture, remote screens, and resuming.
import { onPage, post } from "./core.js";

/** Milliseconds between two reports of the position. */
const often = 10_000;

/** @type {WeakSet<HTMLVideoElement>} */
const known = new WeakSet();
/** @type {WeakSet<HTMLVideoElement>} */
const sendable = new WeakSet();

/**
 * Shows the buttons that this browser supports; a refreshed page hides them again.
 * @param {HTMLElement} box @param {HTMLVideoElement} video
 */
function tools(box, video) {
  for (const one of box.querySelectorAll(".pt-video__tools")) one.removeAttribute("hidden");
  box.querySelector("[data-pip]")?.toggleAttribute("hidden", !document.pictureInPictureEnabled);
  box.querySelector("[data-remote]")?.toggleAttribute("hidden", !sendable.has(video));
}

/** @param {HTMLElement} box @param {HTMLVideoElement} video */
function resume(box, video) {
  const start = Number(box.dataset.start) || 0;
  // A video watched nearly to its end starts from the beginning.
  if (start > 0 && start < video.duration - 5) video.currentTime = start;
}

/** @param {HTMLElement} box @param {HTMLVideoElement} video */
function follow(box, video) {
  let [reported, time] = [Number(box.dataset.start) || 0, Date.now()];
  const keep = () => {
    const seconds = video.ended ? 0 : Math.floor(video.currentTime);
    if (!box.dataset.keeper || seconds === reported) return;
    [reported, time] = [seconds, Date.now()];
    // Playback continues without a network; the next position is stored.
    void post(box.dataset.keeper, { seconds, seenAt: time, duration: Math.floor(video.duration) || 0 }, true).catch(() => {});
  };
  if (video.readyState > 0) resume(box, video);
  else video.addEventListener("loadedmetadata", () => resume(box, video), { once: true });
  video.addEventListener("pause", keep);
  video.addEventListener("ended", keep);
  video.addEventListener("timeupdate", () => {
    if (!video.paused && Date.now() - time > often) keep();
  });
  addEventListener("pagehide", () => {
    if (video.isConnected) keep();
  });
  const speed = box.querySelector("select");
  const choose = () => (video.playbackRate = Number(speed?.value) || 1);
  speed?.addEventListener("change", choose);
  // Some browsers reset the speed when a video starts.
  video.addEventListener("play", choose);
  box.querySelector("[data-pip]")?.addEventListener("click", () => {
    const out = document.pictureInPictureElement === video;
    // The browser refused: nothing changes.
    void (out ? document.exitPictureInPicture() : video.requestPictureInPicture()).catch(() => {});
  });
  if (!("remote" in video)) return;
  // The person closed the list of screens.
  box.querySelector("[data-remote]")?.addEventListener("click", () => void video.remote.prompt().catch(() => {}));
  /** @param {boolean} can */
  const offer = (can) => {
    if (can) sendable.add(video);
    else sendable.delete(video);
    tools(box, video);
  };
  // Where availability cannot be watched, prompting finds a screen (Remote Playback API, section 5.2.1.4).
  video.remote.watchAvailability(offer).catch(() => offer(true));
}

function prepare() {
  for (const box of document.querySelectorAll("[data-video]")) {
    const video = box.querySelector("video");
    if (!(box instanceof HTMLElement) || !video) continue;
    tools(box, video);
    if (known.has(video)) continue;
    known.add(video);
    follow(box, video);
  }
}

onPage(prepare);
// The page that loaded this module is already there.
prepare();
