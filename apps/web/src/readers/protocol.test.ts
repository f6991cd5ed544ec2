import { describe, expect, it } from "vitest";
import { defaultFrames } from "@/readers/lines/hid-line.ts";
import { formsOf, uidOf } from "@/readers/protocol/hex.ts";
import { readGate } from "./card-reading.ts";
import { firstCallLimit, loopbackPermission } from "./lines/loopback-permission.ts";
import { keyboardWedge, phoneReader, readByPhone } from "./number-sources.ts";
import { encoded } from "./protocol/command-codes.ts";
import { bytesOf, hexOf, hexOfBytes } from "./protocol/hex.ts";
import { hasBlock, isTrailer, isWritable, kindOf } from "./protocol/mifare.ts";
import { meaningOf, refused, retvalText } from "./reader-error.ts";
import { keepType, storedType } from "./reader-type.ts";

describe("hex", () => {
  it("accepts any case and any separators", () => {
    for (const typed of ["ff:ff:ff:00:11:aa", "FF FF FF 00 11 AA", "ff-ff-ff-00-11-aa", "fffFFF0011Aa"])
      expect(hexOf(typed)).toBe("FFFFFF0011AA");
    expect(["FFF", "GG", "0x11"].map(hexOf)).toEqual([undefined, undefined, undefined]);
  });
});

describe("a card's number", () => {
  it("has 4, 7 or 10 bytes, or is ten decimal digits", () => {
    expect(uidOf("4a:8c:21:f3")).toBe("4A8C21F3");
    expect(uidOf("04A1B2C3D4E580")).toBe("04A1B2C3D4E580");
    expect(uidOf("1250697715")).toBe("4A8C21F3");
    expect(["", "4A8C21", "99999999999"].map(uidOf)).toEqual([undefined, undefined, undefined]);
  });

  it("is recognised in all its forms", () => {
    expect(formsOf("DA3CBC66")).toEqual({
      uid: "DA3CBC66",
      reversed: "66BC3CDA",
      decimal: "3661413478",
      reversedDecimal: "1723612378",
    });
    expect(formsOf("04A1B2C3D4E580")).toEqual({ uid: "04A1B2C3D4E580", reversed: "80E5D4C3B2A104" });
  });
});

describe("the blocks of a card", () => {
  it("protects trailers and the manufacturer's block from being written", () => {
    expect([3, 7, 63, 127, 143, 159, 255].filter((block) => !isTrailer(block))).toEqual([]);
    expect([131, 135, 139, 4, 128].filter(isTrailer)).toEqual([]);
    expect([0, 3, 256, -1].filter(isWritable)).toEqual([]);
    expect([1, 2, 4, 131, 254].filter((block) => !isWritable(block))).toEqual([]);
  });

  it("stops at the end of a card", () => {
    expect([hasBlock("classic1k", 63), hasBlock("classic1k", 64), hasBlock("classic4k", 64)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(hasBlock("ultralight", 4)).toBe(false);
    expect([kindOf(0x0004), kindOf(0x0400), kindOf(0x1234)]).toEqual(["classic1k", "classic1k", "other"]);
  });
});

describe("frames of type 3", () => {
  const frameOf = (command: Parameters<typeof encoded>[0]): string => {
    const { code, argument } = encoded(command, 0);
    return `00${code}${argument}`;
  };

  it("match the protocol's sample", () => {
    expect(frameOf({ step: "open" })).toBe("00000700");
    expect(frameOf({ step: "radio" })).toBe("00010941");
    expect(frameOf({ step: "antenna", on: true })).toBe("00010801");
    expect(frameOf({ step: "request" })).toBe("00100152");
    expect(frameOf({ step: "authenticate", keyType: "A", block: 4, key: "FFFFFFFFFFFF" })).toBe(
      "00100A6004FFFFFFFFFFFF",
    );
    expect(frameOf({ step: "write", block: 4, data: "00".repeat(16) })).toBe(`00100C04${"00".repeat(16)}`);
  });
});

describe("frames of type 2", () => {
  it("contain length, command, arguments and XOR", () => {
    expect(hexOfBytes(defaultFrames.encode({ code: "1001", argument: "52" }))).toBe("0510015246");
  });

  it("are read with their padding and refused if damaged", () => {
    const answer = bytesOf("07100200AABB0400000000");
    answer[6] = 0x07 ^ 0x10 ^ 0x02 ^ 0x00 ^ 0xaa ^ 0xbb;
    expect(defaultFrames.decode(answer)).toEqual({ code: "1002", status: 0, data: "AABB" });
    answer[4] = 0xab;
    expect(defaultFrames.decode(answer)).toBeUndefined();
    expect(defaultFrames.decode(answer.subarray(0, 4))).toBeUndefined();
    expect(defaultFrames.decode(new Uint8Array())).toBeUndefined();
  });
});

describe("results", () => {
  it("are shown in hex, with their meaning", () => {
    expect([retvalText(20), meaningOf(20)]).toEqual(["0x14", "request"]);
    expect([meaningOf(0x53), meaningOf(0xc1), meaningOf(0x99)]).toEqual(["flash", "noDevice", "unknown"]);
  });

  it("are attributed to the step that failed", () => {
    expect(refused("open", 0xc1).kind).toBe("noDevice");
    expect(refused("open", 0xc5).kind).toBe("openFailed");
    expect(refused("radio", 0xc2).kind).toBe("notConnected");
    expect(refused("request", 0x0d).kind).toBe("noCard");
    expect(refused("read", 0x0d).kind).toBe("cardGone");
    expect(refused("anticollision", 0x0a).kind).toBe("uidFailed");
    expect(refused("buzzer", 0x0a).kind).toBe("operationFailed");
  });
});

describe("the gate in front of a reader", () => {
  it("ignores clicks while reading and for two seconds after", () => {
    const gate = readGate();
    expect(gate.enter(0)).toBe(true);
    expect(gate.enter(10)).toBe(false);
    expect(gate.leave(100, "4A8C21F3")).toBe(false);
    expect(gate.enter(2099)).toBe(false);
    expect(gate.enter(2100)).toBe(true);
  });

  it("allows a retry right after a failed read", () => {
    const gate = readGate();
    gate.enter(0);
    gate.leave(100);
    expect(gate.enter(101)).toBe(true);
  });

  it("remembers the card that was just read for ten seconds", () => {
    const gate = readGate();
    const read = (at: number, uid: string): boolean => gate.enter(at) && gate.leave(at, uid);
    expect([read(0, "A"), read(3000, "A"), read(6000, "B"), read(9000, "A"), read(30_000, "A")]).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a reader that types", () => {
  const type = (text: string, pause: number): (string | undefined)[] => {
    const wedge = keyboardWedge();
    return [...text, "Enter"].map((key, at) => wedge({ key, at: 1000 + at * pause }));
  };

  it("is distinguished from a person by its speed", () => {
    expect(type("4a8c21f3", 8).at(-1)).toBe("4A8C21F3");
    expect(type("1250697715", 8).at(-1)).toBe("4A8C21F3");
    expect(type("4a8c21f3", 120).at(-1)).toBeUndefined();
    expect(type("room 301", 8).at(-1)).toBeUndefined();
  });
});

describe("the browser's permission for the local network", () => {
  const query = (states: Record<string, string>) => async (name: string) => {
    const state = states[name];
    if (!state) throw new TypeError("unknown permission");
    return { state };
  };

  it("is requested under its new name, then under its old one", async () => {
    const at = { hostname: "desk.hotel.example", isSecure: true };
    expect(await loopbackPermission({ ...at, query: query({ "loopback-network": "denied" }) })).toBe("denied");
    expect(await loopbackPermission({ ...at, query: query({ "local-network-access": "prompt" }) })).toBe("prompt");
    expect(await loopbackPermission({ ...at, query: query({}) })).toBe("unknown");
  });

  it("is not needed by a local page and not available to an insecure one", async () => {
    const none = query({});
    for (const hostname of ["localhost", "127.0.0.1", "[::1]", "console.localhost"])
      expect(await loopbackPermission({ hostname, isSecure: true, query: none })).toBe("exempt");
    expect(await loopbackPermission({ hostname: "10.0.0.7", isSecure: false, query: none })).toBe("insecure");
  });

  it("extends the time limit of the first call only while the browser may be asking", () => {
    expect(["granted", "exempt", "prompt", "unknown"].map((one) => firstCallLimit(one as "prompt", 2000))).toEqual([
      2000, 2000, 30_000, 30_000,
    ]);
  });
});

describe("the phone's own reader", () => {
  class Phone extends EventTarget {
    static last: Phone;
    constructor() {
      super();
      Phone.last = this;
    }
    async scan(): Promise<void> {}
  }
  const touch = (serialNumber: string): boolean =>
    Phone.last.dispatchEvent(Object.assign(new Event("reading"), { serialNumber }));

  it("returns the number of the next card", async () => {
    expect(phoneReader({})).toBeUndefined();
    const number = readByPhone(Phone, new AbortController().signal);
    await new Promise((resolve) => setTimeout(resolve));
    touch("04:a1:b2:c3:d4:e5:80");
    expect(await number).toBe("04A1B2C3D4E580");
  });

  it("can be given up", async () => {
    const giveUp = new AbortController();
    const number = readByPhone(Phone, giveUp.signal);
    setTimeout(() => giveUp.abort(), 5);
    await expect(number).rejects.toMatchObject({ kind: "cancelled" });
  });
});

describe("the chosen reader", () => {
  it("is type 1 by default", () => {
    const entries = new Map<string, string>();
    const storage = {
      getItem: (key: string) => entries.get(key) ?? null,
      setItem: (key: string, value: string) => void entries.set(key, value),
    };
    expect(storedType(storage)).toBe("1");
    keepType(storage, "3");
    expect([entries.get("cardSenderType"), storedType(storage)]).toEqual(["3", "3"]);
    entries.set("cardSenderType", "9");
    expect(storedType(storage)).toBe("1");
  });
});
