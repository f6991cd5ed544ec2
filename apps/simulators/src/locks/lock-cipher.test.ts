import { decodeRecord } from "@innkey/shared/cards/record";
import { describe, expect, it } from "vitest";
import { cmac, type Keys, openRecord, sectorKey } from "./lock-cipher.ts";

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");
const upper = (value: Buffer): string => value.toString("hex").toUpperCase();

describe("AES-CMAC", () => {
  const key = bytes("2b7e151628aed2a6abf7158809cf4f3c");
  // RFC 4493, section 4
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
    const input = bytes("0104782E21801D803042F54E585020416275");
    expect(upper(cmac(bytes("00112233445566778899AABBCCDDEEFF"), input, 2))).toBe("A8DD63A3B89D54B37CA802473FDA9175");
  });
});

const AES: Keys = { id: 1, cipher: "aes", siteCode: 0x1234, masterKey: "00112233445566778899AABBCCDDEEFF" };
const DES: Keys = {
  id: 2,
  cipher: "des-cbc",
  siteCode: 0x1234,
  sectorKey: "A0A1A2A3A4A5",
  desKey: "0123456789ABCDEF",
  desIv: "1234567890ABCDEF",
};
const RECORD = "10123400004D00071731A81741D4D75D";

// One record as the console writes it to three cards.
describe.each([
  ["aes, 4-byte number", AES, "DA3CBC66", "FAE126A9C4F1", "BF50DCE0301004947752827A68080261"],
  ["aes, 7-byte number", AES, "04A1B2C3D4E580", "3BF673574AFD", "44DA88B304C44765C846ADAA404B5767"],
  ["des", DES, "DA3CBC66", "A0A1A2A3A4A5", "E1D2D7B00E86236E7754C952AE38FD37"],
] as const)("a card of the console: %s", (_name, keys, uid, key, data) => {
  it("opens its sector", () => expect(sectorKey(keys, uid)).toBe(key));

  it("has its record", () => {
    expect(upper(openRecord(keys, uid, bytes(data)))).toBe(RECORD);
    expect(decodeRecord(openRecord(keys, uid, bytes(data)))).toEqual({
      kind: "guest",
      siteCode: 0x1234,
      lockNumber: 77,
      sequence: 7,
      validFrom: "2026-11-21T14:00:00.000Z",
      validTo: "2026-11-24T11:00:00.000Z",
    });
  });
});

it("another card's number opens nothing", () => {
  const record = openRecord(AES, "DA3CBC67", bytes("BF50DCE0301004947752827A68080261"));
  expect(decodeRecord(record)).toEqual({ fault: "checksum" });
});
