// The pictures of the child's page. Fills are classes of the palette, so that they follow the theme.

const cloud = "M-46 12a17 17 0 0 1 2-34 25 25 0 0 1 46-8 19 19 0 0 1 32 14 14.5 14.5 0 0 1 4 28Z";

/** @param {number} x @param {number} y @param {number} size */
const cloudAt = (x, y, size) => `<path class="pt-quest__cloud" transform="translate(${x} ${y}) scale(${size})" d="${cloud}"/>`;

/** @param {number} x @param {number} y @param {number} size @param {string} leaf */
const tree = (x, y, size, leaf) =>
  `<g transform="translate(${x} ${y}) scale(${size})"><path class="stroke-sand" stroke-width="5" stroke-linecap="round" d="M0 0v-34"/>` +
  `<path class="${leaf}" d="M-20-44C-24-66-10-84 3-82s23 20 20 40-14 26-24 25-16-9-19-27Z"/></g>`;

/** The sky and hills behind each view. */
export const landscape =
  '<svg class="pt-quest__sky" viewBox="0 0 800 300" preserveAspectRatio="xMidYMin slice" aria-hidden="true">' +
  cloudAt(250, 176, 0.8) + cloudAt(556, 150, 0.7) + cloudAt(90, 90, 1) + cloudAt(700, 210, 1.1) + "</svg>" +
  '<svg class="pt-quest__land" viewBox="0 0 800 240" preserveAspectRatio="xMidYMax slice" aria-hidden="true">' +
  '<path class="fill-leaf-3b" d="M0 140c120-60 240-66 380-20s260 40 420-20v140H0Z"/>' +
  tree(70, 132, 1, "fill-leaf") + tree(112, 124, 0.72, "fill-leaf-5") + tree(236, 112, 0.8, "fill-leaf") +
  tree(259, 113, 0.55, "fill-leaf-5") + tree(548, 148, 0.66, "fill-leaf") + tree(660, 136, 0.95, "fill-leaf-5") +
  tree(706, 128, 0.7, "fill-leaf") +
  '<path class="fill-leaf-soft" d="M0 190c140-44 260-40 400-6s280 22 400-20v76H0Z"/></svg>';

/** The sun during a running task. */
export const sun =
  '<svg class="pt-dial" viewBox="0 0 320 320" aria-hidden="true">' +
  '<path class="pt-quest__sun" d="M160 12c48-6 92 12 120 48s34 86 18 128-56 78-104 88-98-2-132-38-52-84-38-132 50-82 136-94Z"/>' +
  '<path class="pt-quest__sun2" d="M160 50c38-4 68 10 90 38s28 64 14 98-44 56-82 62-72-2-98-30-38-64-26-98 36-64 102-70Z"/></svg>';

const things = [
  '<path class="fill-sky-3" d="M14 50C10 26 28 8 52 10s36 22 32 44-24 34-44 30S17 68 14 50Z"/>' +
  '<path class="fill-berry" d="M48 24 70 48 48 72 26 48Z"/><path class="fill-berry-5" d="M48 24 70 48H26Z"/>' +
  '<path class="stroke-sand" stroke-width="3" stroke-linecap="round" d="M48 72c-2 6 4 6 2 12"/>',
  '<path class="fill-leaf-3b" d="M12 46C10 24 30 8 52 12s34 24 28 46-26 30-44 26S14 66 12 46Z"/>' +
  '<path class="fill-leaf-5" d="M30 66C24 42 38 26 68 26c2 30-14 46-38 40Z"/>' +
  '<path class="stroke-sand" stroke-width="3" stroke-linecap="round" d="M28 70 54 42"/>',
  '<path class="fill-clay-2" d="M16 44C14 24 34 8 54 14s32 26 26 46-28 28-46 22S18 62 16 44Z"/>' +
  '<circle class="fill-clay" cx="48" cy="48" r="18"/>' +
  '<path class="stroke-clay" stroke-width="4" stroke-linecap="round" d="M48 18v6M48 72v6M18 48h6M72 48h6"/>',
  '<path class="fill-berry-2" d="M14 48C10 28 26 10 48 10s40 18 36 42-26 34-44 32S18 66 14 48Z"/>' +
  '<path class="fill-sky" d="M28 40h34v18a12 12 0 0 1-12 12H40a12 12 0 0 1-12-12Z"/>' +
  '<path class="fill-sky-5" d="M62 44h6a8 8 0 0 1 0 16h-7v-5h6a3 3 0 0 0 0-6h-5Z"/><path class="fill-surface" d="M34 26c-3 4 3 5 0 10h-3c3-5-3-6 0-10Zm12 0c-3 4 3 5 0 10h-3c3-5-3-6 0-10Z"/>',
];

/**
 * The small picture of a task, the same in each quest.
 * @param {number} place
 */
export const thing = (place) => `<svg class="pt-quest__thing" viewBox="0 0 96 96" aria-hidden="true">${things[place % things.length]}</svg>`;

// The three sides of each cube, the largest first.
const cubes = [
  ["2.4", "39.1,126 62.6,134.4 62.6,108.2 39.1,99.8", "62.6,134.4 80.9,123.6 80.9,97.4 62.6,108.2", "62.6,108.2 80.9,97.4 57.4,89 39.1,99.8"],
  ["2.1", "42.6,96.2 60.3,104.7 60.3,82.2 42.6,73.8", "60.3,104.7 78.7,96.5 78.7,74.1 60.3,82.2", "60.3,82.2 78.7,74.1 61,65.6 42.6,73.8"],
  ["1.7", "44.2,72.5 60.2,78.9 60.2,60.2 44.2,53.8", "60.2,78.9 74.2,71.6 74.2,52.9 60.2,60.2", "60.2,60.2 74.2,52.9 58.1,46.4 44.2,53.8"],
  ["1.4", "48.7,51.3 59.6,57.3 59.6,42.3 48.7,36.4", "59.6,57.3 72.7,52.3 72.7,37.3 59.6,42.3", "59.6,42.3 72.7,37.3 61.7,31.3 48.7,36.4"],
  ["1.2", "50.7,35.6 59.8,39.6 59.8,28.6 50.7,24.6", "59.8,39.6 68.5,35.5 68.5,24.4 59.8,28.6", "59.8,28.6 68.5,24.4 59.5,20.4 50.7,24.6"],
  ["1.2", "55,23.7 61.3,25.9 61.3,18.9 55,16.7", "61.3,25.9 66.2,22.9 66.2,16 61.3,18.9", "61.3,18.9 66.2,16 59.8,13.7 55,16.7"],
  ["1.2", "57.3,15.1 59.6,16.2 59.6,13.3 57.3,12.2", "59.6,16.2 62.1,15.2 62.1,12.3 59.6,13.3", "59.6,13.3 62.1,12.3 59.8,11.1 57.3,12.2"],
];
/** The vertical position of each cube's top. */
const tops = [89, 65.6, 46.4, 31.3, 20.4, 13.7, 11.1];

/**
 * The tower with a number of cubes and a sparkle over the newest.
 * @param {number} count
 */
export function tower(count) {
  const some = Math.min(cubes.length, Math.max(1, count));
  const sides = cubes.slice(0, some).map(([width, side, shade, top]) =>
    `<polygon class="cube-side" stroke-width="${width}" points="${side}"/><polygon class="cube-shade" stroke-width="${width}" points="${shade}"/>` +
    `<polygon class="cube-top" stroke-width="${width}" points="${top}"/>`).join("");
  const top = tops[some - 1];
  // The frame follows the height, so that few cubes are shown large.
  const frame = `10 ${Math.max(0, top - 24)} 100 ${142 - Math.max(0, top - 24)}`;
  return `<svg class="pt-quest__tower" viewBox="${frame}" aria-hidden="true"><ellipse class="fill-leaf-3b" cx="60" cy="123" rx="50" ry="13"/>${sides}` +
    `<path class="stroke-clay" stroke-width="3" stroke-linecap="round" d="M60 ${top - 9}v5M47 ${top - 5}l3 4M73 ${top - 5}l-3 4"/></svg>`;
}

const petal = "M0 9C-7 3-7-4 0-9 7-4 7 3 0 9Z";
export const confetti =
  '<svg class="pt-found__confetti" viewBox="0 0 360 150" aria-hidden="true"><circle class="fill-clay" cx="30" cy="60" r="6"/>' +
  '<rect class="fill-sky" x="57" y="17" width="11" height="11" rx="3" transform="rotate(23 62 22)"/>' +
  `<path class="fill-leaf" transform="translate(110 44) rotate(62)" d="${petal}"/>` +
  '<rect class="fill-berry" x="245" y="25" width="11" height="11" rx="3" transform="rotate(69 250 30)"/>' +
  `<path class="fill-clay" transform="translate(292 18) rotate(124)" d="${petal}"/><circle class="fill-leaf" cx="322" cy="62" r="6"/>` +
  `<path class="fill-berry" transform="translate(20 128) rotate(186)" d="${petal}"/><circle class="fill-sky" cx="340" cy="130" r="6"/>` +
  '<rect class="fill-sand" x="283" y="87" width="11" height="11" rx="3" transform="rotate(184 288 92)"/><circle class="fill-sand" cx="70" cy="98" r="6"/></svg>';

/**
 * The progress of the quest: a cube for each task that is done or begun.
 * @param {number} done @param {number} all
 */
export const steps = (done, all) =>
  `<svg class="pt-quest__steps" viewBox="0 0 ${all * 22 - 4} 18" width="${all * 22 - 4}" height="18" aria-hidden="true">` +
  Array.from({ length: all }, (_, place) =>
    `<rect class="${place < done ? "cube-side" : "pt-quest__todo"}" x="${place * 22 + 1.5}" y="1.5" width="15" height="15" rx="4.5"/>`).join("") + "</svg>";

/**
 * A bar for a length relative to a longer one.
 * @param {number} share the fraction of the longer one @param {string} color @param {number} round the radius of the ends
 */
export const bar = (share, color, round) =>
  `<svg class="pt-found__bar" aria-hidden="true"><rect class="fill-${color}-2" width="100%" height="100%" rx="${round}"/>` +
  `<rect class="fill-${color}-5" width="${Math.max(4, Math.round(share * 100))}%" height="100%" rx="${round}"/></svg>`;
