import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** Duration of one slice of work, in milliseconds; short slices keep the page responsive. */
const SLICE_MS = 12;
/** Number of hashes between two checks of the clock. */
const BATCH = 128;

function leadingZeros(hash: Uint8Array): number {
  let zeros = 0;
  for (const byte of hash) {
    zeros += Math.clz32(byte) - 24;
    if (byte !== 0) break;
  }
  return zeros;
}

/**
 * Solves the proof-of-work task of a login: the SHA-256 hash of `<challenge>:<answer>` must start with `bits` zero
 * bits. The work runs on the main thread in short slices. We don't use the browser's own SHA-256 because it is
 * available only over HTTPS, and hotel networks often use plain HTTP.
 */
export async function solveTask(challenge: string, bits: number): Promise<{ challenge: string; answer: string }> {
  const prefixHash = sha256.create().update(utf8ToBytes(`${challenge}:`));
  for (let answer = 0; ; ) {
    const sliceEnd = performance.now() + SLICE_MS;
    while (performance.now() < sliceEnd) {
      for (let batch = 0; batch < BATCH; batch += 1, answer += 1) {
        const hash = prefixHash
          .clone()
          .update(utf8ToBytes(String(answer)))
          .digest();
        if (leadingZeros(hash) >= bits) return { challenge, answer: String(answer) };
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}
