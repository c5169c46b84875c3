// Speaks words: the recorded voice of a word, else the browser's speech in the language of the list. Where there is neither,
// the caller shows the word instead.

/** The longest time to wait for the voices of the browser, which some load late, in milliseconds. */
const patience = 1500;

/**
 * The end of the wait for the voices, which begins with the first question for one.
 * @type {Promise<unknown> | null}
 */
let loaded = null;

/** @returns {Promise<SpeechSynthesisVoice[]>} */
async function voices() {
  if (!("speechSynthesis" in window)) return [];
  const now = speechSynthesis.getVoices();
  if (now.length) return now;
  loaded ??= new Promise((resolve) => {
    speechSynthesis.addEventListener("voiceschanged", resolve, { once: true });
    setTimeout(resolve, patience);
  });
  await loaded;
  return speechSynthesis.getVoices();
}

/**
 * A voice for a language, of the same region if there is one; `null` without speech.
 * @param {string} language
 */
export async function voiceFor(language) {
  const all = (await voices()).filter((voice) => voice.lang.replace("_", "-").split("-")[0].toLowerCase() === language.split("-")[0].toLowerCase());
  const wanted = [language, navigator.language].map((one) => one.toLowerCase());
  return all.find((voice) => wanted.includes(voice.lang.replace("_", "-").toLowerCase())) ?? all[0] ?? null;
}

/**
 * Speaks a text, and tells whether it was heard.
 * @param {string} text @param {SpeechSynthesisVoice} voice @param {boolean} slowly @returns {Promise<boolean>}
 */
export function speak(text, voice, slowly) {
  return new Promise((resolve) => {
    hush();
    const utterance = new SpeechSynthesisUtterance(text);
    [utterance.voice, utterance.lang, utterance.rate] = [voice, voice.lang, slowly ? 0.6 : 0.9];
    utterance.addEventListener("end", () => resolve(true));
    utterance.addEventListener("error", (event) => resolve(["interrupted", "canceled"].includes(event.error)));
    speechSynthesis.speak(utterance);
  });
}

/** @type {HTMLAudioElement | null} */
let playing = null;

/**
 * Plays a recording, and tells whether it was heard.
 * @param {string} address @param {boolean} slowly @returns {Promise<boolean>}
 */
export async function play(address, slowly) {
  hush();
  const sound = (playing = new Audio(address));
  sound.playbackRate = slowly ? 0.7 : 1;
  try {
    await sound.play();
    return true;
  } catch (fault) {
    // A browser that waits for a tap can play; one without the file cannot.
    return fault instanceof DOMException && fault.name === "NotAllowedError";
  }
}

export function hush() {
  playing?.pause();
  if ("speechSynthesis" in window) speechSynthesis.cancel();
}
