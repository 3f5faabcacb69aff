/** SHA-256 (FIPS 180-4). Browsers have `crypto.subtle` in secure contexts only, which plain http in a network is not. */
export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = new Uint32Array(INITIAL)
  const words = new Uint32Array(64)
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n)
  for (let start = 0; start < padded.length; start += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getUint32(start + 4 * at)
    for (let at = 16; at < 64; at++) {
      const [early, late] = [words[at - 15]!, words[at - 2]!]
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
      words[at] = words[at - 16]! + first + words[at - 7]! + second
    }
    compress(state, words)
  }
  const digest = new Uint8Array(32)
  state.forEach((word, at) => new DataView(digest.buffer).setUint32(4 * at, word))
  return digest
}

/** Section 6.2.2, steps 2 to 4. */
function compress(state: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let at = 0; at < 64; at++) {
    const chosen = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const next = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUND[at]! + words[at]!
    const sum = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + next) | 0, c, b, a, (next + sum) | 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((value, at) => (state[at]! += value))
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

const PRIMES: readonly number[] = Array.from({ length: 312 }, (_, number) => number).filter(
  (number) => number > 1 && !Array.from({ length: number }, (_, by) => by).some((by) => by > 1 && number % by === 0),
)
/** The first 32 bits of the fraction of a root. Doubles hold these roots with 44 bits of fraction or more. */
const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32)
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const ROUND = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)))
