// Photos: scaled down and previewed before sending, and opened in full size.
import { around, element, icon, onPage, word } from "./core.js";
import { toast } from "./feedback.js";

/**
 * The files of each field, since a field's own list cannot be extended.
 * @type {WeakMap<HTMLInputElement, File[]>}
 */
const chosen = new WeakMap();

/**
 * Scales a photo so that no side exceeds `side`. Files that the browser cannot decode are left to the server.
 * @param {File} file @param {number} side @returns {Promise<File>}
 */
export async function smaller(file, side) {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, side / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    const pen = canvas.getContext("2d");
    if (!pen) return file;
    pen.fillStyle = "white";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
    return blob instanceof Blob ? new File([blob], file.name.replace(/\.\w*$/, "") + ".jpg", { type: blob.type }) : file;
  } catch {
    return file;
  }
}

/** @param {HTMLInputElement} field */
function draw(field) {
  const files = chosen.get(field) ?? [];
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  field.files = transfer.files;
  const box = field.closest(".pt-photos");
  for (const image of box?.querySelectorAll("[data-previews] img") ?? []) URL.revokeObjectURL(/** @type {HTMLImageElement} */ (image).src);
  box?.querySelector("[data-previews]")?.remove();
  if (!files.length) return;
  const list = element("ul", "pt-photos__list", ...files.map((file, place) => {
    const image = element("img", "");
    image.src = URL.createObjectURL(file);
    image.alt = file.name;
    const remove = element("button", "pt-photos__remove", icon("x", "pt-icon--small"));
    remove.type = "button";
    remove.setAttribute("aria-label", word("removePhoto") + " " + (place + 1));
    remove.addEventListener("click", () => {
      chosen.set(field, files.filter((other) => other !== file));
      draw(field);
      field.focus();
    });
    return element("li", "", element("span", "pt-image", icon("photo", ""), image), remove);
  }));
  list.dataset.previews = "";
  list.dataset.keep = "";
  box?.append(list);
}

document.addEventListener("change", async (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.dataset.photos) return;
  const box = field.closest(".pt-photos");
  const max = Number(field.dataset.max);
  const before = max > 1 ? chosen.get(field) ?? [] : [];
  const fresh = [...(field.files ?? [])];
  const button = field.form?.querySelector("[type=submit]");
  if (button instanceof HTMLButtonElement) button.disabled = true;
  box?.setAttribute("aria-busy", "true");
  const small = await Promise.all(fresh.map((file) => smaller(file, Number(field.dataset.photos))));
  box?.removeAttribute("aria-busy");
  if (button instanceof HTMLButtonElement) button.disabled = false;
  if (before.length + small.length > max) toast(word("tooManyPhotos"), "failure");
  chosen.set(field, [...before, ...small].slice(0, max));
  draw(field);
});

document.addEventListener("reset", (event) => {
  if (!(event.target instanceof HTMLFormElement)) return;
  for (const field of event.target.querySelectorAll("input[data-photos]")) {
    if (!(field instanceof HTMLInputElement)) continue;
    chosen.delete(field);
    draw(field);
  }
});

// Runs before the runtime follows the link: a photo opens over the page.
document.addEventListener("click", (event) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = around(event, "a[data-photo]");
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  const image = element("img", "");
  image.src = link.href;
  image.alt = link.querySelector("img")?.alt ?? "";
  const close = element("button", "pt-icon-button pt-icon-button--tonal", icon("x", ""));
  close.type = "button";
  close.setAttribute("aria-label", word("close"));
  const dialog = element("dialog", "pt-lightbox", image, close);
  dialog.dataset.keep = "";
  dialog.setAttribute("aria-label", image.alt);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}, true);

/** @param {HTMLImageElement} image */
function missing(image) {
  image.closest(".pt-image, .pt-avatar")?.setAttribute("data-missing", "");
}
document.addEventListener("error", (event) => {
  if (event.target instanceof HTMLImageElement) missing(event.target);
}, true);
onPage(() => {
  for (const image of document.querySelectorAll(".pt-image img, .pt-avatar img")) {
    if (image instanceof HTMLImageElement && image.complete && !image.naturalWidth) missing(image);
  }
});
