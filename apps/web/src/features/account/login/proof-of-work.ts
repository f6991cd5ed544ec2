import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** A stretch of work between two frames, so that the page stays answerable. */
const STRETCH_MS = 12;
/** How often the clock is asked. */
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
 * The answer to a login's task: SHA-256 of `<challenge>:<answer>` begins with as many zero bits as are asked. On the page's
 * own thread, in short stretches: browsers offer their own SHA-256 only over https, and a hotel's network has plain http.
 */
export async function solveTask(challenge: string, bits: number): Promise<{ challenge: string; answer: string }> {
  const prefixHash = sha256.create().update(utf8ToBytes(`${challenge}:`));
  for (let answer = 0; ; ) {
    const until = performance.now() + STRETCH_MS;
    while (performance.now() < until) {
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
