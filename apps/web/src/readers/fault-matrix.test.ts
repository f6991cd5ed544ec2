import { type Simulators, startSimulators } from "@innkey/simulators/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket as NodeSocket } from "ws";
import en from "../../../../locales/en.json" with { type: "json" };
import type { CardReader, ReaderDevice } from "./card-reader.ts";
import { cardReading } from "./card-reading.ts";
import { hidLine } from "./lines/hid-line.ts";
import { httpLine } from "./lines/http-line.ts";
import type { ReaderLine } from "./lines/reader-line.ts";
import { socketLine } from "./lines/socket-line.ts";
import type { ReaderError, ReaderErrorKind } from "./reader-error.ts";
import { serviceReader } from "./service-reader.ts";

/** Tests every kind of reader over the simulators' real sockets, with everything that can go wrong. */
const LIMITS = { call: 600, write: 700 };
const FACTORY = "FFFFFFFFFFFF";
const DATA = "00112233445566778899AABBCCDDEEFF";
const UID = "4A8C21F3";
const block = { block: 4, keyType: "A", key: FACTORY } as const;

let desk: Simulators;
beforeAll(async () => {
  desk = await startSimulators({ http: 0, hid: 0, socket: 0, fingerprint: 0, control: 0 });
});
afterAll(() => desk.stop());
afterEach(() => sendControl("POST", "/reset"));

async function sendControl(method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${desk.urls.control}${path}`, { method, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}
const put = (uid: string | null): Promise<void> => sendControl("PUT", "/card", { uid });
const fault = (faults: object): Promise<void> => sendControl("PUT", "/faults", faults);

const makeSocket = (url: string): WebSocket => new NodeSocket(url) as unknown as WebSocket;
const LINES: Record<string, { service: string; line: () => ReaderLine }> = {
  "type 1": { service: "http", line: () => httpLine({ url: desk.urls.http }) },
  "type 2": { service: "hid", line: () => hidLine({ url: desk.urls.hid }) },
  "type 3": { service: "socket", line: () => socketLine({ url: desk.urls.socket, makeSocket }) },
};

const failure = (work: Promise<unknown>): Promise<ReaderError> =>
  work.then(
    () => {
      throw new Error("it worked");
    },
    (error) => error,
  );

async function expectFailure(work: Promise<unknown>, kind: ReaderErrorKind): Promise<ReaderError> {
  const error = await failure(work);
  expect(error).toMatchObject({ name: "ReaderError", kind });
  expect(en.reader.error[error.kind]).toBeTruthy();
  return error;
}

const memory = (uid: string, at: number): string | undefined =>
  desk.reader.cards.find((card) => card.uid === uid)?.dump()[at];

describe.each(Object.entries(LINES))("%s", (_type, { service, line }) => {
  let reader: CardReader & ReaderDevice;
  beforeEach(() => {
    reader = serviceReader(line(), { limits: LIMITS });
  });
  afterEach(() => reader.close().catch(() => undefined));

  it("reads a number and a block, and writes a block and verifies it", async () => {
    await put(UID);
    expect(await reader.readUid()).toEqual({ uid: UID, kind: "classic1k" });
    expect(await reader.readBlock(block)).toMatchObject({ uid: UID, data: "0".repeat(32) });
    expect(await reader.writeBlock(block, DATA)).toMatchObject({ uid: UID, checked: true });
    expect(memory(UID, 4)).toBe(DATA);
    await reader.beep();
    expect(desk.reader.beeps).toBe(1);
  });

  it("processes simultaneous requests one after the other", async () => {
    await put(UID);
    const [first, written, read] = await Promise.all([
      reader.readUid(),
      reader.writeBlock(block, DATA),
      reader.readBlock(block),
    ]);
    expect([first.uid, written.checked, read.data]).toEqual([UID, true, DATA]);
  });

  it("service absent", async () => {
    await fault({ down: [service] });
    await expectFailure(reader.readUid(), "noService");
    await put(UID);
    await fault({ down: [] });
    expect((await reader.readUid()).uid).toBe(UID);
  });

  it("service restarted between two reads", async () => {
    await put(UID);
    await reader.readUid();
    await fault({ down: [service] });
    await sendControl("POST", "/reset");
    await put(UID);
    expect((await reader.readUid()).uid).toBe(UID);
  });

  it("no device, at the start and later", async () => {
    await put(UID);
    await fault({ noDevice: true });
    await expectFailure(reader.readUid(), "noDevice");
    await fault({ noDevice: false });
    expect((await reader.readUid()).uid).toBe(UID);
    await fault({ noDevice: true });
    await expectFailure(reader.readUid(), "noDevice");
  });

  it("no card", async () => {
    const error = await expectFailure(reader.readUid(), "noCard");
    expect(error).toMatchObject({ step: "request", detail: { retval: 0x14 } });
  });

  it("wrong key, and then the right one without lifting the card", async () => {
    await put(UID);
    const error = await expectFailure(reader.readBlock({ ...block, key: "000000000000" }), "wrongKey");
    expect(error.detail.retval).toBe(0x16);
    expect((await reader.readBlock(block)).data).toBe("0".repeat(32));
  });

  it("card removed half-way: nothing is written, and the error says so", async () => {
    await put(UID);
    await fault({ cardGone: true });
    await expectFailure(reader.readBlock(block), "cardGone");
    await put(UID);
    await expectFailure(reader.writeBlock(block, DATA), "cardGone");
    expect(memory(UID, 4)).toBe("0".repeat(32));
  });

  it("a card that refuses to be written", async () => {
    await put(UID);
    await fault({ writeFails: true });
    const error = await expectFailure(reader.writeBlock(block, DATA), "writeFailed");
    expect(error.detail.retval).toBe(0x18);
  });

  it("too slow, and then usable again", async () => {
    await put(UID);
    await fault({ slow: 1500 });
    await expectFailure(reader.readUid(), "timedOut");
    await fault({ slow: 0 });
    expect((await reader.readUid()).uid).toBe(UID);
  });

  it("garbage answers", async () => {
    await put(UID);
    await reader.readUid();
    await fault({ garbage: true });
    await expectFailure(reader.readUid(), "badAnswer");
  });

  it("cancelled by the operator, while waiting and while queueing", async () => {
    await put(UID);
    await fault({ slow: 500 });
    const giveUp = new AbortController();
    const both = [reader.readUid(giveUp.signal), reader.readUid(giveUp.signal)];
    setTimeout(() => giveUp.abort(), 30);
    const since = performance.now();
    for (const one of both) await expectFailure(one, "cancelled");
    expect(performance.now() - since).toBeLessThan(400);
    await fault({ slow: 0 });
    expect((await reader.readUid()).uid).toBe(UID);
  });

  it("two clicks: one read, one warning, and the card stays on the desk", async () => {
    await put(UID);
    const reading = cardReading();
    const seenSteps: string[] = [];
    reading.onCard(({ uid }) => seenSteps.push(uid));
    const first = reading.read((signal) => reader.readUid(signal));
    await reading.read((signal) => reader.readUid(signal));
    expect(reading.state()).toMatchObject({ busy: true, warning: "impatient" });
    await first;
    expect(reading.state()).toMatchObject({ busy: false, card: { uid: UID } });
    await reading.read((signal) => reader.readUid(signal));
    expect(reading.state()).toMatchObject({ card: { uid: UID }, warning: "impatient" });
    expect(seenSteps).toEqual([UID]);
  });

  it("a failure keeps the card that was read before", async () => {
    await put(UID);
    let now = 0;
    const reading = cardReading(() => now);
    await reading.read((signal) => reader.readUid(signal));
    now += 5000;
    await put(null);
    await reading.read((signal) => reader.readUid(signal));
    expect(reading.state()).toMatchObject({ card: { uid: UID }, failure: { kind: "noCard" } });
  });

  it("waits longer for the very first answer, while the browser may be asking", async () => {
    await put(UID);
    await fault({ slow: 1000 });
    const patient = serviceReader(line(), { limits: LIMITS, firstLimit: async () => 5000 });
    await patient.open().catch(() => undefined);
    expect(desk.reader.isOpen).toBe(true);
    await expectFailure(patient.readUid(), "timedOut");
  });

  it("never writes the manufacturer's block or a trailer", async () => {
    await put(UID);
    for (const forbidden of [0, 3, 63, 143])
      await expectFailure(reader.writeBlock({ ...block, block: forbidden }, DATA), "blockForbidden");
    await expectFailure(reader.writeBlock({ ...block, block: 64 }, DATA), "blockMissing");
  });

  it("recognises the large card and reads beyond its 64th block", async () => {
    await put("7E1044B9");
    expect(await reader.readUid()).toEqual({ uid: "7E1044B9", kind: "classic4k" });
    await reader.writeBlock({ ...block, block: 142 }, DATA);
    expect(memory("7E1044B9", 142)).toBe(DATA);
  });

  it("respects the access bits: one key writes, the other only reads", async () => {
    await put("C3905D18");
    const hotel = { block: 4, keyType: "B", key: "B0B1B2B3B4B5" } as const;
    expect(await reader.writeBlock(hotel, DATA)).toMatchObject({ checked: true });
    await expectFailure(reader.writeBlock({ ...hotel, keyType: "A", key: "A0A1A2A3A4A5" }, DATA), "writeFailed");
  });

  it("describes itself", async () => {
    await put(UID);
    expect(await reader.serial()).toBe("19470523");
    await reader.testLight();
    await reader.resetAntenna();
    if (service === "http") expect(await reader.model()).toBe("Innkey virtual reader");
    else await expectFailure(reader.model(), "unsupported");
  });
});

describe("type 1 only", () => {
  it("reads a number of seven bytes", async () => {
    await put("04A1B2C3D4E580");
    const reader = serviceReader(httpLine({ url: desk.urls.http }), { limits: LIMITS });
    expect(await reader.readUid()).toEqual({ uid: "04A1B2C3D4E580", kind: "ultralight" });
  });

  it("shows the service's own message for a refused call", async () => {
    const reader = serviceReader(httpLine({ url: desk.urls.http, device: 0.5 }), { limits: LIMITS });
    await expectFailure(reader.open(), "noDevice");
    const stray = serviceReader(httpLine({ url: desk.urls.http.replace("/reader", "/else") }), { limits: LIMITS });
    await expectFailure(stray.open(), "badAnswer");
  });
});
