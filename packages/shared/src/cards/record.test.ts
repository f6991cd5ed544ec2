import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALL_DOORS, crc16, decodeRecord, encodeRecord } from "./record.ts";
import { uidCandidates } from "./uid.ts";

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();

describe("the card record", () => {
  it("has the documented layout, byte by byte", () => {
    const bytes = encodeRecord({
      kind: "guest",
      siteCode: 0x1234,
      opens: { lock: 0x00abcd },
      sequence: 7,
      validFrom: "2026-11-18T14:00:00.000Z",
      validTo: "2026-11-21T11:00:00.000Z",
    });
    // 2026-11-18T14:00Z is 1,515,720 minutes after 2024-01-01T00:00Z (0x1720C8); the end 4,140 later (0x1730F4).
    expect(hex(bytes).slice(0, 28)).toBe("10123400ABCD00071720C81730F4");
    expect(crc16(bytes.subarray(0, 14))).toBe(((bytes[14] ?? 0) << 8) | (bytes[15] ?? 0));
  });

  it("has the published checksum", () => {
    expect(crc16(Uint8Array.from("123456789", (digit) => digit.charCodeAt(0)))).toBe(0x29b1);
  });

  it("decodes to what was encoded, to the minute", () => {
    const minute = fc
      .integer({ min: 0, max: 0xfffffe })
      .map((n) => new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString());
    const number = fc.integer({ min: 0, max: 0xffffff });
    const record = fc.record({
      kind: fc.constantFrom("guest", "management", "universal"),
      siteCode: fc.integer({ min: 0, max: 0xffff }),
      opens: fc.oneof(fc.record({ lock: number }), fc.record({ zone: number })),
      sequence: fc.integer({ min: 0, max: 0xffff }),
      validFrom: minute,
      validTo: fc.option(minute),
    });
    fc.assert(
      fc.property(record, (value) => {
        expect(decodeRecord(encodeRecord(value))).toEqual(value);
      }),
    );
  });

  it("is refused with any bit changed", () => {
    const bytes = encodeRecord({
      kind: "universal",
      siteCode: 1,
      opens: { zone: ALL_DOORS },
      sequence: 1,
      validFrom: "2026-01-01T00:00:00.000Z",
      validTo: null,
    });
    for (let bit = 0; bit < 128; bit += 1) {
      const changed = Uint8Array.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(decodeRecord(changed)).toHaveProperty("fault");
    }
  });

  it("of a zone differs from that of the lock with the same number", () => {
    const record = {
      kind: "guest",
      siteCode: 1,
      sequence: 0,
      validFrom: "2026-01-01T00:00:00.000Z",
      validTo: null,
    } as const;
    const bytes = encodeRecord({ ...record, opens: { zone: 5 } });
    expect(decodeRecord(bytes)).toMatchObject({ opens: { zone: 5 } });
    expect(bytes).not.toEqual(encodeRecord({ ...record, opens: { lock: 5 } }));
  });

  it("of an unknown kind is not decoded", () => {
    const bytes = Uint8Array.from([0x26, ...new Array(13).fill(0), 0, 0]);
    const sum = crc16(bytes.subarray(0, 14));
    bytes.set([sum >> 8, sum & 0xff], 14);
    expect(decodeRecord(bytes)).toEqual({ fault: "kind" });
  });

  it("refuses values that don't fit", () => {
    const record = {
      kind: "guest",
      siteCode: 1,
      opens: { lock: 1 },
      sequence: 1,
      validFrom: "2026-01-01T00:00:00.000Z",
      validTo: null,
    } as const;
    expect(() => encodeRecord({ ...record, siteCode: 0x10000 })).toThrow(RangeError);
    expect(() => encodeRecord({ ...record, validFrom: "2023-12-31T00:00:00.000Z" })).toThrow(RangeError);
  });
});

describe("a card's number", () => {
  it("is recognised in every notation", () => {
    expect(uidCandidates("da:3c:bc:66")).toContain("DA3CBC66");
    expect(uidCandidates("3661413478")).toContain("DA3CBC66");
    expect(uidCandidates("1723612378")).toContain("DA3CBC66");
    expect(uidCandidates("66BC3CDA")).toContain("DA3CBC66");
    expect(uidCandidates("04 78 2E 21 80 1D 80")).toContain("04782E21801D80");
    expect(uidCandidates("hello")).toEqual([]);
  });
});
