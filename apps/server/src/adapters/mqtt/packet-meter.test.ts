import { expect, it } from "vitest";
import { PacketMeter } from "./broker-limits.ts";

/** Returns a packet with `length` bytes after its header. */
function packet(length: number): Buffer {
  const header = [0x30];
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    header.push(rest >= 128 ? (rest % 128) | 0x80 : rest);
    if (rest < 128) break;
  }
  return Buffer.concat([Buffer.from(header), Buffer.alloc(length, 0xff)]);
}

it("accepts packets up to the maximum length, however they are split", () => {
  const stream = Buffer.concat([packet(0), packet(127), packet(128), packet(1000), packet(2)]);
  for (const size of [1, 2, 3, 7, 5000]) {
    const meter = new PacketMeter(1000);
    for (let at = 0; at < stream.length; at += size) expect(meter.accepts(stream.subarray(at, at + size))).toBe(true);
  }
});

it("rejects a packet that is too long at its header", () => {
  const meter = new PacketMeter(1000);
  expect(meter.accepts(packet(1000))).toBe(true);
  expect(meter.accepts(packet(1001).subarray(0, 3))).toBe(false);
});

it("rejects a length field that never ends", () => {
  const meter = new PacketMeter(2 ** 30);
  expect(meter.accepts(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80]))).toBe(false);
});
