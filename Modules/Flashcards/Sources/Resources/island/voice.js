// Plays the sound of a side, or reads its text with the voices of the browser.
import { hasVoices, hush, knownVoice, speak } from "pinktower/speech.js";

/** @typedef {{ text: string, picture?: { url: string }, sound?: string }} Side */

/** The most pictures and sounds that are loaded in advance. */
const most = 80;

/** @type {HTMLAudioElement | null} */
let playing = null;
/** The sounds that were loaded, by address. They are played from memory, also without a network. @type {Map<string, string>} */
const loaded = new Map();

/**
 * Whether the device has a voice for a language, or any voice at all for an empty one.
 * @param {string} language
 */
export function canSpeak(language) {
  return language ? knownVoice(language) !== null : hasVoices();
}

/** @param {Side} side @param {string} language */
export function sound(side, language) {
  stop();
  if (side.sound) {
    playing = new Audio(loaded.get(side.sound) ?? side.sound);
    // A browser that refuses to play has said so on its button.
    void playing.play().catch(() => {});
    return;
  }
  const voice = knownVoice(language);
  if (voice) void speak(side.text, voice);
}

export function stop() {
  playing?.pause();
  playing = null;
  hush();
}

/**
 * Loads pictures and sounds, so that they are there without a network. The service worker keeps them.
 * @param {{ front: Side, back: Side }[]} cards
 */
export function prepare(cards) {
  const sides = cards.flatMap(({ front, back }) => [front, back]);
  for (const { picture } of sides.filter((side) => side.picture).slice(0, most)) {
    if (picture) new Image().src = picture.url;
  }
  for (const side of sides.filter((side) => side.sound).slice(0, most)) {
    const url = side.sound ?? "";
    if (loaded.has(url)) continue;
    void fetch(url, { headers: { Accept: "audio/*" } })
      .then(async (answer) => {
        if (answer.ok) loaded.set(url, URL.createObjectURL(await answer.blob()));
      })
      // Without a network, a sound that was never loaded stays silent.
      .catch(() => {});
  }
}
