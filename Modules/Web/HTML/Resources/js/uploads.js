// Sends the large files of a form before it, in parts, so that an upload that was cut goes on where it was (tus 1.0.0).
// The form then names the uploads instead of its files.
import { account, element, newKey, onSignOut, post } from "./core.js";

/** @typedef {import("./outbox.js").Fields} Fields */

/** Smaller files go with their form. */
const least = 1 << 20;
/** The bytes of one request. */
const part = 4 << 20;
const atOnce = 3;
/** Waits after a cut before the next try, in milliseconds; without a network the outbox takes over. */
const waits = [500, 2000, 8000];
const prefix = "pt-upload:";
const headers = { Accept: "application/json", "Tus-Resumable": "1.0.0", "X-PinkTower": "command" };

onSignOut(() => {
  for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name);
});

/**
 * How many bytes have arrived, by an answer or by a question to the server.
 * @param {string} place @param {Response} [response]
 */
async function offset(place, response) {
  const answer = response ?? (await fetch(place, { method: "HEAD", headers }));
  if (!answer.ok && answer.status !== 409) throw answer;
  return Number(answer.headers.get("Upload-Offset"));
}

/**
 * Sends one file; resolves to its id. Throws the response of a refusal, and what `fetch` throws without a network.
 * @param {string} path @param {File} file @param {(sent: number) => void} progress
 */
async function sent(path, file, progress) {
  // The same file goes on after the page was closed.
  const name = prefix + [account(), path, file.name, file.size, file.lastModified].join(":");
  const id = localStorage.getItem(name) ?? newKey();
  localStorage.setItem(name, id);
  const begun = await post(path, { uploadId: id, name: file.name, size: file.size });
  if (!begun.ok) throw begun;
  const place = path + "/" + id;
  let done = await offset(place);
  for (let tries = 0; done < file.size; ) {
    progress(done);
    try {
      const body = file.slice(done, done + part);
      done = await offset(place, await fetch(place, {
        method: "PATCH", body, headers: { ...headers, "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(done) },
      }));
      tries = 0;
    } catch (fault) {
      const isRefused = fault instanceof Response && fault.status < 500;
      if (isRefused || !navigator.onLine || tries >= waits.length) throw fault;
      await new Promise((wake) => setTimeout(wake, waits[tries]));
      tries += 1;
      done = await offset(place);
    }
  }
  progress(done);
  localStorage.removeItem(name);
  return id;
}

/**
 * Sends the large files among the fields of a form, several at once, and replaces them by the ids of their uploads.
 * @param {string} path @param {Fields} fields @param {Element | null} [box] shows the progress
 * @returns {Promise<Fields>}
 */
export async function sendAhead(path, fields, box) {
  const waiting = fields.filter(([, value]) => value instanceof File && value.size > least);
  const lines = new Map(waiting.map((field) => {
    const file = /** @type {File} */ (field[1]);
    const bar = element("progress", "pt-upload__bar");
    bar.max = file.size;
    const line = element("label", "pt-upload t-footnote", element("span", "", file.name), bar);
    line.dataset.keep = "";
    box?.append(line);
    return [field, { file, bar, line }];
  }));
  const open = [...waiting];
  try {
    await Promise.all(Array.from({ length: atOnce }, async () => {
      for (let field = open.shift(); field; field = open.shift()) {
        const { file, bar } = /** @type {{ file: File, bar: HTMLProgressElement }} */ (lines.get(field));
        const id = await sent(path, file, (count) => (bar.value = count));
        // In place: what has arrived stays when another file is cut.
        field[0] = "uploads";
        field[1] = id;
      }
    }));
  } finally {
    for (const { line } of lines.values()) line.remove();
  }
  return fields;
}
