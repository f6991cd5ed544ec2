import { describe, expect, it } from "vitest";
import { aesCmac, type CardKeys, decryptRecord, diversifiedKey, encryptRecord, sectorKeyOf } from "./card-keys.ts";

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");
const upper = (value: Buffer): string => value.toString("hex").toUpperCase();

describe("AES-CMAC", () => {
  const key = bytes("2b7e151628aed2a6abf7158809cf4f3c");
  // RFC 4493, section 4
  it.each([
    ["", "bb1d6929e95937287fa37d129b756746"],
    ["6bc1bee22e409f96e93d7e117393172a", "070a16b46b4d4144f79bdd9dd04a287c"],
    [
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
      "dfa66747de9ae63030ca32611497c827",
    ],
  ])("of %s", (message, mac) => {
    expect(aesCmac(key, bytes(message)).toString("hex")).toBe(mac);
  });
});

describe("key diversification (AN10922)", () => {
  it("has the published vector", () => {
    const key = diversifiedKey(bytes("00112233445566778899AABBCCDDEEFF"), bytes("04782E21801D803042F54E585020416275"));
    expect(upper(key)).toBe("A8DD63A3B89D54B37CA802473FDA9175");
  });

  it("refuses an input of the wrong length", () => {
    expect(() => diversifiedKey(Buffer.alloc(16), Buffer.alloc(32))).toThrow(RangeError);
  });
});

const LOCK = { lock: 77 };
const RECORD = bytes("10123400ABCD00071720C81730F4AAAA");

describe("the record's ciphers", () => {
  const des: CardKeys = {
    cipher: "des-cbc",
    sectorKey: bytes("A0A1A2A3A4A5"),
    desKey: bytes("0123456789ABCDEF"),
    desIv: bytes("1234567890ABCDEF"),
  };
  const aes: CardKeys = { cipher: "aes", masterKey: bytes("00112233445566778899AABBCCDDEEFF") };

  it("DES matches the published vector (FIPS 81, CBC)", () => {
    const clear = Buffer.from("Now is the time for all ");
    expect(upper(encryptRecord(des, "DA3CBC66", LOCK, clear))).toBe("E5C7CDDE872BF27C43E934008C389C0F683788499A7C05F6");
  });

  it.each([
    ["des", des],
    ["aes", aes],
  ] as const)("%s decrypts what it encrypted", (_name, keys) => {
    expect(decryptRecord(keys, "DA3CBC66", LOCK, encryptRecord(keys, "DA3CBC66", LOCK, RECORD))).toEqual(RECORD);
  });

  it("AES gives every card its own sector key and its own ciphertext", () => {
    expect(sectorKeyOf(aes, "DA3CBC66")).toHaveLength(6);
    expect(sectorKeyOf(aes, "DA3CBC66")).not.toEqual(sectorKeyOf(aes, "DA3CBC67"));
    expect(encryptRecord(aes, "DA3CBC66", LOCK, RECORD)).not.toEqual(encryptRecord(aes, "DA3CBC67", LOCK, RECORD));
    const written = encryptRecord(aes, "DA3CBC66", LOCK, RECORD);
    expect(decryptRecord(aes, "DA3CBC67", LOCK, written)).not.toEqual(RECORD);
    for (const other of [{ lock: 78 }, { zone: 77 }])
      expect(decryptRecord(aes, "DA3CBC66", other, written)).not.toEqual(RECORD);
    expect(() => encryptRecord(aes, "DA3CBC66", { zone: 0 }, RECORD), "there is no key for all doors").toThrow();
  });
});
