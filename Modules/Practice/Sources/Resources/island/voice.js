// Plays the recorded voice of a word, or speaks the word.
import * as speech from "pinktower/speech.js";

/** @type {HTMLAudioElement | null} */
let playing = null;

/**
 * Speaks a word, and tells whether it was heard.
 * @param {string} word @param {SpeechSynthesisVoice} voice @param {boolean} slowly
 */
export function speak(word, voice, slowly) {
  hush();
  return speech.speak(word, voice, slowly ? 0.6 : 0.9);
}

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
  speech.hush();
}
