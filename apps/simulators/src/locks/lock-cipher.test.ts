import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRecord } from "./card-verdict.ts";
import {
  cmac,
  decryptAes,
  decryptDes,
  deriveKey,
  type Keys,
  openConfigure,
  passFingerprint,
  sectorKey,
} from "./lock-cipher.ts";
import { isWithinHours } from "./week-hours.ts";

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");
const upper = (value: Buffer): string => value.toString("hex").toUpperCase();

describe("AES-CMAC", () => {
  const key = bytes("2b7e151628aed2a6abf7158809cf4f3c");
  // Source: RFC 4493, section 4
  it.each([
    ["", 1, "BB1D6929E95937287FA37D129B756746"],
    ["6bc1bee22e409f96e93d7e117393172a", 1, "070A16B46B4D4144F79BDD9DD04A287C"],
    [
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
      3,
      "DFA66747DE9AE63030CA32611497C827",
    ],
  ])("of %s", (message, blocks, mac) => {
    expect(upper(cmac(key, bytes(message), blocks))).toBe(mac);
  });

  it("diversifies as AN10922 says", () => {
    const input = bytes("04782E21801D803042F54E585020416275");
    expect(upper(deriveKey(bytes("00112233445566778899AABBCCDDEEFF"), input))).toBe("A8DD63A3B89D54B37CA802473FDA9175");
  });
});

/** The protocol documentation for lock makers. */
const PAGE = readFileSync(join(import.meta.dirname, "../../../../docs/integrators/lock-protocol.md"), "utf8");
const VECTORS = new Map(
  [...PAGE.matchAll(/```vectors\n([^`]+)```/g)]
    .flatMap(([, block = ""]) => block.trim().split("\n"))
    .map((line) => [line.replace(/\s+\S+$/, "").replace(/\s+/g, " "), line.split(/\s+/).at(-1) ?? ""]),
);
const vector = (name: string): string => {
  const value = VECTORS.get(name);
  if (value === undefined) throw new Error(`the page has no vector ${name}`);
  return value;
};
const NUMBERS = { "lock 77": ["L", 77], "lock 78": ["L", 78], "zone 5": ["Z", 5] } as const;
const RECORDS = ["lock 77", "zone 5"] as const;
const CARDS = ["DA3CBC66", "04A1B2C3D4E580"];
const AES: Keys = {
  id: 1,
  cipher: "aes",
  siteCode: 0x1234,
  sectors: [1, 2, 3, 4, 5],
  siteKey: vector("site"),
  lockKey: vector("lock 77"),
  zones: [],
};

describe("the documented vectors", () => {
  it("of the keys follow from the master key", () => {
    const master = bytes(vector("master"));
    expect(upper(deriveKey(master, Buffer.from("S")))).toBe(vector("site"));
    for (const [name, [letter, number]] of Object.entries(NUMBERS)) {
      const three = bytes(number.toString(16).padStart(6, "0"));
      expect(upper(deriveKey(master, Buffer.concat([Buffer.from(letter), three])))).toBe(vector(name));
    }
    for (const uid of CARDS) expect(sectorKey(AES, uid)).toBe(vector(`sectors ${uid}`));
  });

  it("of the records open with their own key and no other", () => {
    for (const uid of CARDS) {
      for (const name of RECORDS) {
        const written = bytes(vector(`${uid} ${name}`));
        expect(upper(decryptAes(vector(name), uid, written))).toBe(vector(`clear ${name}`));
        const others = Object.keys(NUMBERS).filter((other) => other !== name);
        for (const other of others) expect(readRecord(decryptAes(vector(other), uid, written))).toBeNull();
        for (const other of CARDS.filter((card) => card !== uid))
          expect(readRecord(decryptAes(vector(name), other, written))).toBeNull();
      }
    }
  });

  it("of the records decode to the values in the documentation", () => {
    const period = { validFrom: "2026-11-21T14:00:00.000Z", validTo: "2026-11-24T11:00:00.000Z" };
    const guest = { kind: "guest", siteCode: 0x1234, ...period };
    const parse = (name: string) => readRecord(bytes(vector(`clear ${name}`)));
    expect(parse("lock 77")).toEqual({ ...guest, of: "lock", number: 77, sequence: 7 });
    expect(parse("zone 5")).toEqual({ ...guest, of: "zone", number: 5, sequence: 0 });
  });

  it("of the passes decode to the documented values", () => {
    for (const uid of CARDS) expect(passFingerprint(uid, bytes(vector("pass")))).toBe(vector(`${uid} pass`));
  });

  it("of DES give the documented results", () => {
    const des = { id: 2, cipher: "des-cbc", siteCode: 1, sectors: [1], sectorKey: "A0A1A2A3A4A5" } as const;
    const keys = { ...des, sectors: [1], desKey: "0123456789ABCDEF", desIv: "1234567890ABCDEF" };
    expect(upper(decryptDes(keys, bytes(vector("des lock 77"))))).toBe(vector("clear lock 77"));
  });

  it("of days and hours are within or outside", () => {
    const { hours } = JSON.parse(/```json hours\n([^`]+)```/.exec(PAGE)?.[1] ?? "null");
    const [, lines = ""] = /```hours-vectors\n([^`]+)```/.exec(PAGE) ?? [];
    const results = lines
      .trim()
      .split("\n")
      .map((line) => line.split(" "));
    expect(results.length).toBeGreaterThan(10);
    for (const [instant = "", result] of results)
      expect([instant, isWithinHours(hours, Date.parse(instant), "Europe/Berlin") ? "in" : "out"]).toEqual([
        instant,
        result,
      ]);
  });

  it("of a sealed configure open with the pairing secret", () => {
    const message = JSON.parse(/```json sealed\n([^`]+)```/.exec(PAGE)?.[1] ?? "null");
    const [, id = ""] = /`([0-9a-f-]{36})\/1795356000`/.exec(PAGE) ?? [];
    expect(openConfigure(vector("pairing"), id, message)).toEqual(JSON.parse(vector("sealed")));
    expect(openConfigure(vector("master"), id, message)).toBeNull();
    expect(openConfigure(vector("pairing"), id, { ...message, counter: message.counter + 1 })).toBeNull();
  });
});
