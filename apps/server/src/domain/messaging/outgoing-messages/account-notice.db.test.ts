import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { idleQueue } from "../../../../test/harness/idle-queue.ts";
import type { Mailer } from "../../../adapters/mail/mail.ts";
import type { JobQueue } from "../../../adapters/queue/queue.ts";
import type { SmsSender } from "../../../adapters/sms/sms.ts";
import { type AccountHolder, bodyContext, notifyAccountHolder, OutgoingMessages } from "./outgoing-messages.service.ts";

let world: TestWorld;
let hotel: TestHotel;
const added: unknown[] = [];
const queue: JobQueue = {
  ...idleQueue,
  add: async (_job, payload) => {
    added.push(payload);
  },
};
const mailer: Mailer = { send: async () => undefined, close: () => undefined };
const sms: SmsSender = { send: async () => undefined };

beforeAll(async () => {
  world = await createTestWorld("2027-05-01T10:00:00Z");
  hotel = await world.createHotel();
});
afterAll(() => world.close());

const BOTH: AccountHolder = { mobile: "13800000001", email: "ada@example.com", language: null };

/** Notifies the holder and returns the stored messages and the delivery jobs. */
async function notifyHolder(holder: AccountHolder, outside: { mailer?: Mailer; sms?: SmsSender }, fails = false) {
  const { prisma } = world.database;
  await prisma.outgoingMessage.deleteMany();
  added.length = 0;
  const scope = await hotel.scope();
  const { database, clock, secrets } = world;
  const log = pino({ level: "silent" });
  const outgoingMessages = new OutgoingMessages({
    database,
    clock,
    queue,
    log,
    secrets,
    mailer: outside.mailer,
    sms: outside.sms,
    scopes: async () => null,
  });
  const work = scope.write(async (tx) => {
    await notifyAccountHolder(scope, tx, outgoingMessages, holder, {
      template: "passwordChanged",
      params: { hotel: "Harbour" },
    });
    if (fails) throw new Error("changed my mind");
    tx.audit({ action: "password.change", entity: "operator", entityId: 1 });
  });
  if (fails) await expect(work).rejects.toThrow("changed my mind");
  else await work;
  const rows = await prisma.outgoingMessage.findMany();
  return {
    handedOver: [...added],
    rows: rows.map(({ id, hotelId, channel, recipient, subject, bodyBox }) => {
      return { id, channel, recipient, subject, body: secrets.message.open(bodyBox, bodyContext({ id, hotelId })) };
    }),
  };
}

it("is sent by mail where both channels are set up, and otherwise by the one that is", async () => {
  const wayOf = async (...args: Parameters<typeof notifyHolder>) =>
    (await notifyHolder(...args)).rows.map(({ channel }) => channel);
  expect(await wayOf(BOTH, { mailer, sms })).toEqual(["mail"]);
  expect(await wayOf(BOTH, { sms })).toEqual(["sms"]);
  expect(await wayOf({ ...BOTH, email: null }, { mailer, sms })).toEqual(["sms"]);
  expect(await wayOf({ ...BOTH, email: null }, {})).toEqual(["sms"]);
  expect(await wayOf(BOTH, {})).toEqual(["mail"]);
});

it("is not written where no channel could deliver it", async () => {
  expect((await notifyHolder({ ...BOTH, email: null }, { mailer })).rows).toEqual([]);
  expect((await notifyHolder({ ...BOTH, mobile: null }, { sms })).rows).toEqual([]);
  expect((await notifyHolder({ ...BOTH, mobile: null, email: null }, {})).rows).toEqual([]);
});

it("is written with the change it reports, in the reader's language, and sent then", async () => {
  const { handedOver, rows } = await notifyHolder({ ...BOTH, language: "German" }, { mailer });
  expect(rows).toMatchObject([{ recipient: "ada@example.com", subject: "Ihr Passwort wurde geändert" }]);
  expect(rows[0]?.body).toContain("Inhaber von Harbour");
  expect(handedOver).toEqual([{ messageId: rows[0]?.id }]);
  expect(await notifyHolder(BOTH, { mailer }, true)).toEqual({ handedOver: [], rows: [] });
});
