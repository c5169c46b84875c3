// A PDF document of pictures, a page each (ISO 32000-1). It names no program, person or time.

/**
 * A JPEG picture in the colors red, green and blue.
 * @typedef {{ jpeg: Uint8Array, width: number, height: number }} Picture
 */

/** The shorter side of A4 in points. */
const side = 595.28;

/** @param {Picture[]} pictures @returns {Blob} */
export function pdf(pictures) {
  /** @type {(string | Uint8Array)[]} */
  const parts = [];
  /** @type {number[]} */
  const places = [];
  let length = 0;
  /** @param {string | Uint8Array} part */
  const add = (part) => {
    parts.push(part);
    length += part.length;
  };
  /** @param {string} dictionary @param {string | Uint8Array} [stream] */
  const object = (dictionary, stream) => {
    places.push(length);
    add(`${places.length} 0 obj\n${dictionary}\n`);
    if (stream !== undefined) {
      add("stream\n");
      add(stream);
      add("\nendstream\n");
    }
    add("endobj\n");
  };
  add("%PDF-1.4\n");
  object("<< /Type /Catalog /Pages 2 0 R >>");
  object(`<< /Type /Pages /Count ${pictures.length} /Kids [${pictures.map((_, place) => `${3 * place + 3} 0 R`).join(" ")}] >>`);
  pictures.forEach(({ jpeg, width, height }, place) => {
    const scale = side / Math.min(width, height);
    const [wide, high] = [(width * scale).toFixed(2), (height * scale).toFixed(2)];
    const [content, image] = [3 * place + 4, 3 * place + 5];
    object(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents ${content} 0 R /Resources << /XObject << /P ${image} 0 R >> >> >>`);
    const drawn = `q ${wide} 0 0 ${high} 0 0 cm /P Do Q`;
    object(`<< /Length ${drawn.length} >>`, drawn);
    object(`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>`, jpeg);
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const start = length;
  add(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${places.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  return new Blob(/** @type {BlobPart[]} */ (parts), { type: "application/pdf" });
}
