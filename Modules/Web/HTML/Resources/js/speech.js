// The browser's speech, for islands that read texts aloud.

/** The longest time to wait for the voices, which some browsers load late, in milliseconds. */
const patience = 1500;

/**
 * The end of the wait for the voices, which begins with the first question for one.
 * @type {Promise<unknown> | null}
 */
let loaded = null;

const speech = () => ("speechSynthesis" in window ? window.speechSynthesis : null);
/** @param {string} language */
const tag = (language) => language.replace("_", "-").toLowerCase();

/** Whether the browser has found a voice of any language. */
export const hasVoices = () => Boolean(speech()?.getVoices().length);

/**
 * The voice for a language among those that the browser has found, of the same region if there is one; `null` without one.
 * @param {string} language
 */
export function knownVoice(language) {
  const all = (speech()?.getVoices() ?? []).filter(({ lang }) => tag(lang).split("-")[0] === tag(language).split("-")[0]);
  const wanted = [language, navigator.language].map(tag);
  return all.find(({ lang }) => wanted.includes(tag(lang))) ?? all[0] ?? null;
}

/**
 * The same, after the browser had time to find its voices.
 * @param {string} language
 */
export async function voiceFor(language) {
  if (speech() && !hasVoices()) {
    loaded ??= new Promise((resolve) => {
      onVoices(() => resolve(null));
      setTimeout(resolve, patience);
    });
    await loaded;
  }
  return knownVoice(language);
}

/**
 * Runs a function when the browser has found voices.
 * @param {() => void} hook @param {AbortSignal} [signal]
 */
export function onVoices(hook, signal) {
  speech()?.addEventListener("voiceschanged", hook, { signal });
}

/**
 * Speaks a text in place of the one before, and tells whether it was heard.
 * @param {string} text @param {SpeechSynthesisVoice} voice @param {number} [rate] 1 for the usual speed @returns {Promise<boolean>}
 */
export function speak(text, voice, rate = 1) {
  return new Promise((resolve) => {
    hush();
    const utterance = new SpeechSynthesisUtterance(text);
    [utterance.voice, utterance.lang, utterance.rate] = [voice, voice.lang, rate];
    utterance.addEventListener("end", () => resolve(true));
    utterance.addEventListener("error", (event) => resolve(["interrupted", "canceled"].includes(event.error)));
    speechSynthesis.speak(utterance);
  });
}

export function hush() {
  speech()?.cancel();
}
