// Books a free room for tonight, checks the party in, gives it a door code, and waits until the door was opened with it.
// `innkey.ts` is generated from the server's own description of its API:
//   npx swagger-typescript-api generate -p https://hotel.example/api/v1/openapi.json -o . -n innkey.ts
//   INNKEY_URL=https://hotel.example INNKEY_KEY=ik_… npx tsx client.ts
import { setTimeout as pause } from "node:timers/promises";
import { Api } from "./innkey.ts";

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

const NAME = "Ada Lovelace";
const ASK_EVERY_MS = 500;
const WAIT_MS = 60_000;

const { availability, stays, doorCodes, rooms } = new Api({
  baseUrl: `${setting("INNKEY_URL")}/api/v1`,
  baseApiParams: { headers: { authorization: `Bearer ${setting("INNKEY_KEY")}` } },
});

/** A name of the request: who repeats it after a broken connection gets the first answer, and nothing is done twice. */
const once = (name: string) => ({ headers: { "idempotency-key": `${name} ${process.pid} ${startsAt}` } });

/** Asks until there is an answer. */
async function waitFor<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await pause(ASK_EVERY_MS)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  throw new Error(`${what}: nothing within a minute`);
}

const startsAt = new Date().toISOString();
const endsAt = new Date(Date.now() + 86_400_000).toISOString();

const { groups } = (await availability.findFreeRooms({ unit: "day", startsAt, endsAt, arrives: true })).data;
const [room] = groups.flatMap((group) => group.rooms);
if (!room) throw new Error("no room is free tonight");
process.stdout.write(`room ${room.name}\n`);

const booking = { roomId: room.roomId, unit: "day" as const, startsAt, endsAt, guests: [{ name: NAME }] };
const { stayId } = (await stays.reserveStay(booking, once("book"))).data;
await stays.checkInStay(stayId, {}, once("check in"));
process.stdout.write(`stay ${stayId}\n`);

const order = { type: "air" as const, roomIds: [room.roomId], stayId, person: NAME };
const { code } = (await doorCodes.createDoorCode(order, once("code"))).data;
await waitFor("the lock", async () => {
  const { rows } = (await doorCodes.listDoorCodes({ stayId })).data;
  return rows[0]?.standing === "active" ? true : undefined;
});
process.stdout.write(`code ${code}\n`);

const opening = await waitFor("the guest", async () => {
  const { records } = (await rooms.listRoomRecords(room.roomId, { from: startsAt, success: true })).data;
  return records[0];
});
process.stdout.write(`opened by ${opening.guestName}\n`);
