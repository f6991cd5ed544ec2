import { DomainError } from "@innkey/shared/errors";
import { createPasscodeInput, handOverInput } from "@innkey/shared/schemas/access/passcodes";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { idleQueue } from "../../../../test/harness/idle-queue.ts";
import type { SmsSender } from "../../../adapters/sms/sms.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { maskedContact } from "../../identity/public.ts";
import { OutgoingMessages } from "../../messaging/outgoing-messages/outgoing-messages.service.ts";
import { handOver, handOverWays, MAX_HAND_OVERS } from "./hand-over.ts";
import { create, remove } from "./passcodes.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const PHONE = "+4915112345678";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let messages: OutgoingMessages;
let sent: { to: string; text: string }[];
let passcodeId: number;
let code: string;
let roomId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  sent = [];
  const sms: SmsSender = { send: async (message) => void sent.push(message) };
  const { database, clock } = world;
  const { secrets } = owner;
  const deps = { database, clock, queue: idleQueue, log: pino({ level: "silent" }), secrets };
  messages = new OutgoingMessages({ ...deps, mailer: undefined, sms, scopes: async () => null });
  roomId = await hotel.createRoom("305");
  const mac = "02:00:00:00:02:01";
  await world.database.prisma.lock.create({ data: { hotelId: hotel.id, roomId, mac, configuredAt: owner.now() } });
  const validTo = "2026-11-18T17:00:00.000Z";
  const input = createPasscodeInput.parse({ type: "air", roomIds: [roomId], person: "Plumber", validTo });
  ({ passcodeId, code } = await create(owner, input));
});

const confirmed = () =>
  world.database.prisma.credential.updateMany({ where: { passcodeId }, data: { state: "confirmed" } });
const send = (to = PHONE, scope = owner) => handOver(scope, messages, handOverInput.parse({ passcodeId, to }));
const codeOf = (act: Promise<unknown>): Promise<string | null> =>
  act.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    },
  );

it("sends a code that every lock has confirmed, and only hints at the address in the audit log", async () => {
  expect(await codeOf(send())).toBe("code_not_ready");
  await confirmed();
  expect(await send("+49 151 123-45678")).toEqual({ channel: "sms", to: PHONE });
  await messages.sweep();
  expect(sent).toMatchObject([{ to: PHONE }]);
  for (const part of [code, "305", owner.hotel.name, "November"]) expect(sent[0]?.text).toContain(part);
  const where = { hotelId: hotel.id, action: "passcode.hand_over" };
  const after = { channel: "sms", to: maskedContact(PHONE) };
  expect((await world.database.prisma.auditEntry.findFirst({ where }))?.after).toEqual(after);
  // Three digits of the number are a proof on the guest's page.
  expect(after.to).not.toContain(PHONE.slice(-3));
});

it("says which ways there are, and refuses the others", async () => {
  expect(handOverWays(owner, messages)).toEqual({ sms: true, mail: false });
  await confirmed();
  expect(await codeOf(send("plumber@example.com"))).toBe("message_not_possible");
  for (const to of ["", "12345", "a@b", `${"1".repeat(16)}`])
    expect(handOverInput.safeParse({ passcodeId, to }).success).toBe(false);
});

it("is limited, and over when the code is", async () => {
  await confirmed();
  for (let time = 0; time < MAX_HAND_OVERS; time += 1) expect(await codeOf(send())).toBeNull();
  expect(await codeOf(send())).toBe("sent_too_often");
  await remove(owner, { passcodeId });
  expect(await codeOf(send())).toBe("state_conflict");
});

it("is for those who may give out codes of this door", async () => {
  await confirmed();
  const stranger = await (await world.createHotel()).scope();
  const elsewhere = await hotel.scope("staff", { capabilities: ["passcodes.issue"], roomIds: [] });
  const viewer = await hotel.scope("staff", { capabilities: ["passcodes.view"], roomIds: [roomId] });
  for (const scope of [stranger, elsewhere]) expect(await codeOf(send(PHONE, scope))).toBe("not_found");
  expect(await codeOf(send(PHONE, viewer))).toBe("no_permission");
});
