import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld, untilBlocked } from "../../../../test/harness/hotel.ts";
import { type Door, type KeyRing, keyRing } from "../../../../test/harness/keys.ts";
import type { Lock, LockCommandState } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { selectLockForUpdate } from "./commands.ts";
import { handleOverdue, requeueOrFail } from "./retry-commands.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const PAST = new Date("2026-11-18T13:59:00.000Z");

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let keys: KeyRing;
let door: Door;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  keys = keyRing(world, hotel);
  door = await keys.door("101");
  await world.database.prisma.lock.update({ where: { id: door.lockId }, data: { online: true } });
});

const lockNow = (): Promise<Lock> => world.database.prisma.lock.findUniqueOrThrow({ where: { id: door.lockId } });

/** Runs `act` while another transaction changes the command's state, and commits that first. */
async function overtaken(commandId: string, state: LockCommandState, act: () => Promise<unknown>): Promise<void> {
  const other = await world.database.pool.connect();
  try {
    await other.query("BEGIN");
    await other.query("UPDATE lock_command SET state = $2::lock_command_state WHERE id = $1", [commandId, state]);
    const acting = act();
    await untilBlocked(world);
    await other.query("COMMIT");
    await acting;
  } finally {
    other.release();
  }
}

async function requeue(commandId: string): Promise<void> {
  await owner.write(async (tx) => {
    const lock = await selectLockForUpdate(tx, door.lockId);
    const command = await tx.db.lockCommand.findFirst({ where: { id: commandId } });
    if (!lock || !command) throw new Error("no lock or command");
    await requeueOrFail(owner, tx, lock, command, "no_answer");
  });
}

it("counts a failure of a command that goes back into the queue", async () => {
  const { id } = await keys.command(door, { type: "configure", state: "sent", tries: 1 });
  await requeue(id);
  expect(await lockNow()).toMatchObject({ failures: 1, lastError: "no_answer" });
});

it.each(["queued", "acknowledged", "superseded"] as const)(
  "counts no failure of a command that is %s",
  async (state) => {
    const { id } = await keys.command(door, { type: "configure", state, tries: 1 });
    await requeue(id);
    expect(await lockNow()).toMatchObject({ failures: 0, lastError: null });
  },
);

it("counts no failure of a command that ends in the meantime", async () => {
  const { id } = await keys.command(door, { type: "configure", state: "sent", tries: 1 });
  await overtaken(id, "acknowledged", () => requeue(id));
  expect(await lockNow()).toMatchObject({ failures: 0, lastError: null });
});

it("does not fail the credential of an expired command that a worker claims in the meantime", async () => {
  const { id: credentialId } = await keys.credential(door, { state: "queued", passcode: {} });
  const command = { type: "set_credential", state: "queued", credentialId, expiresAt: PAST } as const;
  const { id } = await keys.command(door, command);
  await overtaken(id, "sent", () => owner.write((tx) => handleOverdue(owner, tx, door.lockId, [id])));
  expect(await keys.credentialNow(credentialId)).toMatchObject({ state: "queued", failReason: null });
});

it.each([
  ["of another make", "unlock", "zigbee2mqtt"],
  ["with a newer command", "raise_floor", "mqtt"],
] as const)(
  "counts no failure of an unanswered command to a lock %s that ends in the meantime",
  async (_of, type, driver) => {
    await world.database.prisma.lock.update({ where: { id: door.lockId }, data: { driver } });
    const { id } = await keys.command(door, { type, subject: "same", state: "sent", nextTryAt: PAST, tries: 1 });
    if (type === "raise_floor") await keys.command(door, { type, subject: "same" });
    await overtaken(id, "acknowledged", () => owner.write((tx) => handleOverdue(owner, tx, door.lockId, [id])));
    expect(await lockNow()).toMatchObject({ failures: 0, lastError: null });
  },
);
