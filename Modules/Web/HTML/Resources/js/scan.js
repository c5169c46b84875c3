// Reads a code with the camera, where the browser has a BarcodeDetector.
import { button, element, word } from "./core.js";

/** @returns {Promise<string | null>} */
export async function scan() {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  const video = element("video", "");
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  const stop = button(word("cancel"), "neutral", () => dialog.close());
  const dialog = element("dialog", "pt-ask", element("p", "t-callout", word("scan")), video, element("div", "pt-ask__buttons", stop));
  dialog.dataset.keep = "";
  document.body.append(dialog);
  dialog.showModal();
  // @ts-ignore The Shape Detection API is not in TypeScript's library.
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  try {
    await video.play();
    while (dialog.open) {
      const [found] = await detector.detect(video);
      if (found) return found.rawValue;
      await new Promise((next) => requestAnimationFrame(next));
    }
    return null;
  } finally {
    for (const track of stream.getTracks()) track.stop();
    dialog.close();
    dialog.remove();
  }
}
