/** Short tones, made here; silent unless the person has turned them on. */

import { preference } from "./prefs.js";

/** @typedef {"turn" | "card" | "trick" | "notice"} Sound */

/** Pitch in Hz, length in seconds. @type {Record<Sound, [number, number][]>} */
const TONES = {
  turn: [
    [660, 0.09],
    [880, 0.14],
  ],
  card: [[320, 0.04]],
  trick: [[440, 0.08]],
  notice: [
    [520, 0.1],
    [390, 0.16],
  ],
};
/** @type {AudioContext | null} */
let audio = null;

/** @param {Sound} which */
export function play(which) {
  if (!preference("sounds") || document.hidden) return;
  try {
    audio ??= new AudioContext();
    let at = audio.currentTime;
    for (const [pitch, length] of TONES[which]) {
      const tone = audio.createOscillator();
      const gain = audio.createGain();
      tone.frequency.value = pitch;
      gain.gain.setValueAtTime(0.0001, at);
      gain.gain.exponentialRampToValueAtTime(0.12, at + 0.01);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
      tone.connect(gain).connect(audio.destination);
      tone.start(at);
      tone.stop(at + length);
      at += length;
    }
  } catch {
    // a browser that makes no sound is no reason to stop the game
  }
}
