import type { PreparedCard } from "@innkey/shared/schemas/access/cards";
import { type Simulators, startSimulators } from "@innkey/simulators/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CardReader } from "@/readers/card-reader.ts";
import { httpLine } from "@/readers/lines/http-line.ts";
import { FACTORY_KEY } from "@/readers/protocol/mifare.ts";
import { serviceReader } from "@/readers/service-reader.ts";
import { writeCard } from "./write-card.ts";

const UID = "4A8C21F3";
const [KEY, FORMER, OLDER, OTHER] = ["0A1B2C3D4E5F", "A0A1A2A3A4A5", "B0B1B2B3B4B5", "C0C1C2C3C4C5"];
const DATA = "00112233445566778899AABBCCDDEEFF";
const EMPTY = "00".repeat(16);
const CARD: PreparedCard = {
  cardId: 7,
  uid: UID,
  keyType: "A",
  sectorKey: KEY,
  formerSectorKeys: [FORMER, OLDER],
  sector: 1,
  dataBlock: 4,
  data: DATA,
  others: [{ sector: 2, sectorKey: KEY, dataBlock: 8, data: EMPTY }],
  validFrom: "2026-11-18T14:00:00.000Z",
  validTo: null,
};

let simulators: Simulators;
let reader: CardReader;
let readBack: string | undefined;
let card = CARD;
const server = {
  prepare: async () => card,
  confirm: async (_cardId: number, data: string) => {
    readBack = data;
  },
};

beforeAll(async () => {
  simulators = await startSimulators({ http: 0, hid: 0, socket: 0, fingerprint: 0, control: 0 });
});
afterAll(() => simulators.stop());
beforeEach(async () => {
  readBack = undefined;
  card = CARD;
  reader = serviceReader(httpLine({ url: simulators.urls.http }));
  await fetch(`${simulators.urls.control}/card`, { method: "PUT", body: JSON.stringify({ uid: UID }) });
});
afterEach(async () => {
  await reader.close();
  await fetch(`${simulators.urls.control}/reset`, { method: "POST" });
});

describe("writing a card", () => {
  it.each([
    ["with factory keys", FACTORY_KEY],
    ["with today's keys", KEY],
    ["with the previous keys", FORMER],
    ["with older keys", OLDER],
  ])("writes a card %s and leaves today's keys on it", async (_what, key) => {
    await reader.rekey(1, { keyType: "A", key: FACTORY_KEY }, key);
    await writeCard(reader, server, () => {});
    expect(readBack).toBe(DATA);
    expect(await reader.readBlock({ block: 4, keyType: "A", key: KEY })).toMatchObject({ data: DATA });
    expect(await reader.readBlock({ block: 8, keyType: "A", key: KEY })).toMatchObject({ data: EMPTY });
  });

  it("tries the key that opened one sector first at the next", async () => {
    for (const sector of [1, 2]) await reader.rekey(sector, { keyType: "A", key: FACTORY_KEY }, OLDER);
    const triedKeys: string[] = [];
    const recordingReader: CardReader = {
      ...reader,
      readUid: (signal) => reader.readUid(signal),
      readBlock: (block, signal) => reader.readBlock(block, signal),
      writeBlock: (block, data, signal) => {
        triedKeys.push(block.key);
        return reader.writeBlock(block, data, signal);
      },
      rekey: (sector, keyFields, key, signal) => {
        triedKeys.push(keyFields.key);
        return reader.rekey(sector, keyFields, key, signal);
      },
    };
    await writeCard(recordingReader, server, () => {});
    expect(triedKeys).toEqual([KEY, FORMER, OLDER, KEY, OLDER, KEY]);
  });

  it.each([
    ["the card's own", KEY],
    ["older ones", OTHER],
    ["factory keys", FACTORY_KEY],
  ])("leaves a zone's sector with the zone's own key, also if it had %s", async (_what, key) => {
    card = { ...CARD, others: [{ sector: 2, sectorKey: OTHER, dataBlock: 8, data: DATA }] };
    await reader.rekey(2, { keyType: "A", key: FACTORY_KEY }, key);
    await writeCard(reader, server, () => {});
    expect(readBack).toBe(DATA);
    expect(await reader.readBlock({ block: 4, keyType: "A", key: KEY })).toMatchObject({ data: DATA });
    expect(await reader.readBlock({ block: 8, keyType: "A", key: OTHER })).toMatchObject({ data: DATA });
  });

  it("fails if its keys are unknown", async () => {
    await reader.rekey(1, { keyType: "A", key: FACTORY_KEY }, "D0D1D2D3D4D5");
    await expect(writeCard(reader, server, () => {})).rejects.toMatchObject({ kind: "wrongKey" });
    expect(readBack).toBeUndefined();
  });
});
