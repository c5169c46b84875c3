// The tones of a gate. In and out differ by direction, what needs a look by its low pitch.

/** @type {AudioContext | null} */
let context = null;

/**
 * Frequencies in hertz, one after the other.
 * @type {Record<string, number[]>}
 */
const tones = { in: [523, 784], out: [784, 523], late: [523, 784, 523, 784], again: [659], refused: [196, 165], back: [523, 392, 330] };

/** Prepares the tones. Browsers allow sound after a tap or a key only. */
export function wake() {
  context ??= new AudioContext();
  void context.resume();
}

/** @param {string} kind */
export function play(kind) {
  try {
    wake();
  } catch {
    // A device without sound: the card says it.
    return;
  }
  if (!context) return;
  const length = 0.14;
  (tones[kind] ?? []).forEach((frequency, place) => {
    const audio = /** @type {AudioContext} */ (context);
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + place * length;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.25, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length);
  });
}
