/**
 * Follows the packets in a stream of MQTT bytes by their headers alone, to detect one that is too long before it fills
 * memory (source: MQTT 3.1.1, section 2.2.3: remaining length in up to four bytes, 7 bits each).
 */
export class PacketMeter {
  #mostBytes: number;
  /** remaining bytes of the current body; null within a header */
  #rest: number | null = null;
  #lengthBytes = -1;
  #length = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  set mostBytes(bytes: number) {
    this.#mostBytes = bytes;
  }

  /** Returns false once a packet in the stream is longer than allowed, or has an invalid header. */
  accepts(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#rest === null) {
        if (!this.#header(chunk[at] ?? 0)) return false;
        at += 1;
      } else {
        const count = Math.min(this.#rest, chunk.length - at);
        this.#rest -= count;
        at += count;
      }
      if (this.#rest === 0) this.#rest = null;
    }
    return true;
  }

  #header(byte: number): boolean {
    if (this.#lengthBytes < 0) {
      this.#lengthBytes = 0;
      this.#length = 0;
      return true;
    }
    this.#length += (byte & 0x7f) * 2 ** (7 * this.#lengthBytes);
    this.#lengthBytes += 1;
    if (this.#length > this.#mostBytes) return false;
    if ((byte & 0x80) !== 0) return this.#lengthBytes < 4;
    this.#rest = this.#length;
    this.#lengthBytes = -1;
    return true;
  }
}
