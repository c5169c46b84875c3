// Speaks words: the recorded voice of a word, else the browser's speech in the language of the list. Where there is neither,
// the caller shows the word instead.

/** The longest time to wait for the voices of the browser, which some load late, in milliseconds. */
const patience = 1500;

/** @returns {Promise<SpeechSynthesisVoice[]>} */
function voices() {
  if (!("speechSynthesis" in window)) return Promise.resolve([]);
  const now = speechSynthesis.getVoices();
  if (now.length) return Promise.resolve(now);
  return new Promise((resolve) => {
    const done = () => resolve(speechSynthesis.getVoices());
    speechSynthesis.addEventListener("voiceschanged", done, { once: true });
    setTimeout(done, patience);
  });
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
    speechSynthesis.cancel();
    const utterance = new SpeechSynthesisUtterance(text);
    [utterance.voice, utterance.lang, utterance.rate] = [voice, voice.lang, slowly ? 0.6 : 0.9];
    utterance.addEventListener("end", () => resolve(true));
    utterance.addEventListener("error", (event) => resolve(["interrupted", "canceled"].includes(event.error)));
    speechSynthesis.speak(utterance);
  });
}

/**
 * Plays a recording, and tells whether it was heard.
 * @param {string} address @param {boolean} slowly @returns {Promise<boolean>}
 */
export async function play(address, slowly) {
  const sound = new Audio(address);
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
  if ("speechSynthesis" in window) speechSynthesis.cancel();
}
