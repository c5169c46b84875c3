// The dial of a guess: from five seconds to an hour in one turn, in small steps at first. Keyboards and screen readers
// use
// the range input below it, and the drawing follows.
import { element, icon } from "pinktower/core.js";

/**
 * @param {number} from @param {number} to @param {number} step
 * @returns {number[]}
 */
const steps = (from, to, step) => Array.from({ length: Math.round((to - from) / step) }, (_, place) => from + place * step);

/** All possible guesses in seconds. */
export const guesses = [
  ...steps(5, 60, 5), ...steps(60, 300, 15), ...steps(300, 600, 30), ...steps(600, 1200, 60), ...steps(1200, 3600, 300), 3600,
];

/**
 * The position of the guess that is closest to a number of seconds.
 * @param {number} seconds
 */
export function nearest(seconds) {
  const distances = guesses.map((guess) => Math.abs(guess - seconds));
  return distances.indexOf(Math.min(...distances));
}

const center = 160;
const radius = 122;
const last = guesses.length - 1;
/** The degrees of the whole arc. It ends before its beginning, so that none and all look different. */
const turn = 345;

/** @param {number} place */
const angle = (place) => (place / last) * turn;

/** @type {(name: string, attributes: Record<string, string | number>) => SVGElement} */
function shape(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

function drawing() {
  const svg = shape("svg", { class: "pt-dial", viewBox: "0 0 320 320", "aria-hidden": "true" });
  const round = { cx: center, cy: center, r: radius };
  svg.append(shape("circle", { class: "pt-dial__track", ...round }));
  const value = shape("circle", { class: "pt-dial__value", ...round, pathLength: 360, transform: `rotate(-90 ${center} ${center})` });
  const ticks = shape("g", { class: "pt-dial__ticks" });
  for (let place = 0; place <= last; place += 4) {
    ticks.append(shape("path", { d: "M160 69v-8", transform: `rotate(${angle(place)} ${center} ${center})` }));
  }
  const hand = shape("g", {});
  hand.append(shape("circle", { class: "pt-dial__knob", cx: center, cy: center - radius, r: 23 }),
    shape("circle", { class: "pt-dial__pip", cx: center, cy: center - radius, r: 6 }));
  svg.append(value, ticks, hand);
  return { svg, value, hand };
}

/**
 * @param {object} options
 * @param {number} options.seconds the initial value
 * @param {Record<"label" | "less" | "more", string>} options.words
 * @param {(seconds: number) => { number: string, unit: string, spoken: string }} options.say
 * @param {(seconds: number) => void} options.changed
 */
export function dial({ seconds, words, say, changed }) {
  const { svg, value, hand } = drawing();
  const number = element("b", "");
  const unit = element("span", "");
  // The range input is read aloud; reading this as well would repeat it.
  const output = element("p", "pt-quest__number", number, unit);
  output.setAttribute("aria-hidden", "true");
  const plate = element("div", "pt-quest__dialbox", svg, output);
  const range = element("input", "pt-range");
  Object.assign(range, { type: "range", min: "0", max: String(last), step: "1", value: String(nearest(seconds)) });
  range.setAttribute("aria-label", words.label);

  function show() {
    const place = Number(range.value);
    const said = say(guesses[place]);
    number.textContent = said.number;
    unit.textContent = said.unit;
    range.setAttribute("aria-valuetext", said.spoken);
    value.setAttribute("stroke-dasharray", `${angle(place)} 360`);
    hand.setAttribute("transform", `rotate(${angle(place)} ${center} ${center})`);
  }
  /** @param {number} place */
  function set(place) {
    const bounded = Math.min(last, Math.max(0, place));
    if (bounded === Number(range.value)) return;
    range.value = String(bounded);
    show();
    changed(guesses[bounded]);
  }
  range.addEventListener("input", () => {
    show();
    changed(guesses[Number(range.value)]);
  });

  /** @param {PointerEvent} event */
  function follow(event) {
    const box = plate.getBoundingClientRect();
    const degrees = (Math.atan2(event.clientX - box.left - box.width / 2, box.top + box.height / 2 - event.clientY) * 180) / Math.PI;
    const wanted = Math.round((((degrees + 360) % 360) / turn) * last);
    const present = Number(range.value);
    // A turn beyond the end stops there, so that an hour does not become seconds.
    if (Math.abs(wanted - present) > last * 0.6) set(present > last / 2 ? last : 0);
    else set(wanted);
  }
  let pointer = -1;
  plate.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointer = event.pointerId;
    plate.setPointerCapture(pointer);
    // A press anywhere on the ring selects that position.
    const box = plate.getBoundingClientRect();
    const away = Math.hypot(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
    if (away > box.width / 4) follow(event);
  });
  plate.addEventListener("pointermove", (event) => event.pointerId === pointer && follow(event));
  for (const end of ["pointerup", "pointercancel"]) plate.addEventListener(end, () => (pointer = -1));

  /** @param {string} glyph @param {string} label @param {number} way */
  function round(glyph, label, way) {
    const button = element("button", "pt-round", icon(glyph, ""));
    button.type = "button";
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => set(Number(range.value) + way));
    return button;
  }
  const slide = element("div", "pt-quest__slide", round("minus", words.less, -1), range, round("plus", words.more, 1));
  show();
  return [plate, slide];
}
