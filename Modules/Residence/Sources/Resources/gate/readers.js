// The readers of a gate: one that types like a keyboard, NFC, and the camera.

/** @typedef {"kiosk" | "nfc" | "qr"} Method */
/** @typedef {(codes: string[], method: Method) => void} OnRead reports the readings of one tag */

/** A pause of this many milliseconds ends what a reader types. */
const pause = 1000;
/** The milliseconds between two looks at the camera's picture, here and by the server. */
const looks = { here: 200, server: 700 };
/** The longer side of a picture that the server reads. */
const side = 800;

/**
 * Listens to a USB or Bluetooth reader that types a code and the Enter key.
 *
 * A reader that types as an American keyboard does gives wrong letters where the system has another layout; the places
 * of the keys tell what it meant, so both are looked up.
 * @param {OnRead} onRead @param {AbortSignal} signal
 */
export function keyboard(onRead, signal) {
  let typed = "";
  let places = "";
  let last = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
    if (event.timeStamp - last > pause) typed = places = "";
    last = event.timeStamp;
    if ((event.key === "Enter" || event.key === "Tab") && typed.length >= 4) {
      // Otherwise the key would press the button that has the focus.
      event.preventDefault();
      event.stopPropagation();
      const codes = [typed, places];
      typed = places = "";
      onRead(codes, "kiosk");
    } else if (event.key.length === 1 && (event.key !== " " || typed)) {
      event.preventDefault();
      typed += event.key;
      places += /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code)?.[1] ?? event.key;
    }
  }, { signal, capture: true });
}

/**
 * Reads NFC tags where the browser can. Must be called after a tap, because the browser asks for permission.
 * @param {OnRead} onRead @param {AbortSignal} signal
 */
export async function nfc(onRead, signal) {
  if (!("NDEFReader" in window)) return;
  // @ts-ignore Web NFC is not in TypeScript's library.
  const reader = new NDEFReader();
  reader.onreading = (/** @type {any} */ event) => {
    const texts = [...event.message.records].filter(({ recordType }) => recordType === "text" || recordType === "url")
      .map(({ data, encoding }) => new TextDecoder(encoding ?? "utf-8").decode(data));
    onRead([...texts, event.serialNumber ?? ""], "nfc");
  };
  await reader.scan({ signal });
}

/**
 * A QR code reader of the browser, or null.
 * @returns {Promise<{ detect: (picture: HTMLVideoElement) => Promise<{ rawValue: string }[]> } | null>}
 */
async function detector() {
  // @ts-ignore The Shape Detection API is not in TypeScript's library.
  const { BarcodeDetector } = window;
  const formats = BarcodeDetector ? await BarcodeDetector.getSupportedFormats().catch(() => []) : [];
  return formats.includes("qr_code") ? new BarcodeDetector({ formats: ["qr_code"] }) : null;
}

/** @param {HTMLVideoElement} video @returns {Promise<Blob | null>} */
function picture(video) {
  const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight, 1));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((made) => canvas.toBlob(made, "image/jpeg", 0.7));
}

/**
 * Reads codes in the camera's pictures: in the browser where it can, or else by the server.
 * @param {HTMLVideoElement} video @param {string} path the command that reads a picture
 * @param {OnRead} onRead @param {AbortSignal} signal @returns {Promise<"here" | "server">} who reads
 */
export async function camera(video, path, onRead, signal) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "user" } });
  signal.addEventListener("abort", () => stream.getTracks().forEach((track) => track.stop()));
  video.srcObject = stream;
  await video.play();
  const own = await detector();
  const look = async () => {
    if (own) return (await own.detect(video)).map(({ rawValue }) => rawValue);
    if (!navigator.onLine) return [];
    const frame = await picture(video);
    if (!frame) return [];
    const body = new FormData();
    body.append("picture", frame, "frame.jpg");
    const answer = await fetch(path, { method: "POST", body, signal, headers: { Accept: "application/json", "X-PinkTower": "command" } });
    return answer.ok ? /** @type {{ codes: string[] }} */ (await answer.json()).codes : [];
  };
  const next = async () => {
    if (signal.aborted) return;
    // A frame that cannot be read, or a network that fails, is followed by another frame.
    const codes = await look().catch(() => []);
    for (const code of codes) onRead([code], "qr");
    setTimeout(next, own ? looks.here : looks.server);
  };
  void next();
  return own ? "here" : "server";
}
