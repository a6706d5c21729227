/** SHA-256 in plain script: `crypto.subtle` is missing on plain http, and a table in a local network is just that. */

const K = constants();

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function constants() {
  const found = new Uint32Array(64);
  let n = 0;
  for (let candidate = 2; n < 64; candidate++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) prime = false;
    if (prime) found[n++] = fraction(BigInt(candidate), 3n);
  }
  return found;
}

/**
 * The first 32 bits of the fractional part of a root, exactly: floor(root(n · 2^(32·k))) modulo 2^32.
 * @param {bigint} n
 * @param {bigint} k
 */
function fraction(n, k) {
  const target = n << (32n * k);
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** k <= target) low = middle;
    else high = middle - 1n;
  }
  return Number(low & 0xffffffffn);
}

const START = Uint32Array.from([2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n], (prime) => fraction(prime, 2n));

/**
 * The SHA-256 of some bytes: 32 bytes.
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function sha256(message) {
  const padded = new Uint8Array(((message.length + 8) >> 6 << 6) + 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(padded.length - 4, message.length << 3);
  const state = START.slice();
  const w = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = at(w, i - 15);
      const b = at(w, i - 2);
      w[i] = at(w, i - 16) + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + at(w, i - 7) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, hh] = /** @type {[number, number, number, number, number, number, number, number]} */ ([...state]);
    for (let i = 0; i < 64; i++) {
      const one = (hh + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + at(K, i) + at(w, i)) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [hh, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, hh].forEach((value, i) => (state[i] = at(state, i) + value));
  }
  const out = new Uint8Array(32);
  state.forEach((word, i) => new DataView(out.buffer).setUint32(4 * i, word));
  return out;
}

/**
 * @param {Uint32Array} words
 * @param {number} i
 */
function at(words, i) {
  return /** @type {number} */ (words[i]);
}

/**
 * @param {number} word
 * @param {number} by
 */
function turn(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The bytes of hexadecimal digits; null where the text is none.
 * @param {string} text
 */
export function fromHex(text) {
  if (text.length % 2 || !/^[0-9a-f]*$/i.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}
