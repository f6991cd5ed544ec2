import { createPasswordHasher } from "../../apps/server/src/domain/identity/login/passwords.ts";
import { at } from "./at.ts";
import { BulkInsert, type Row } from "./bulk-insert.ts";
import { inTransaction, type SeedOptions, writeFirstAuditEntry } from "./demo.ts";
import { makeParties } from "./guests.ts";
import { GROUP_NAMES, GROUPS, HOTEL, type RoomPlan } from "./hotel-plan.ts";
import { Random } from "./random.ts";

export interface LoadOptions extends Pick<SeedOptions, "database" | "clock"> {
  rooms: number;
  /**
   * number of current stays, at most one per room; four of five are checked in, the others arrive later today or
   * tomorrow
   */
  stays: number;
  owner: { mobile: string; password: string };
}

const SEED = 500;
const HOUR = 3_600_000;
const PER_FLOOR = 50;

/** Writes a large hotel for benchmarks, with an owner who can log in. Returns the hotel's id. */
export async function seedLoadHotel({ database, clock, rooms, stays, owner }: LoadOptions): Promise<number> {
  if (stays > rooms) throw new RangeError("at most one live stay per room");
  const passwordHash = await createPasswordHasher().hash(owner.password);
  return inTransaction(database.pool, async (client) => {
    const bulk = new BulkInsert(client);
    const hotelId = at(await bulk.ids("hotel", 1), 0);
    await bulk.insert("hotel", [{ ...HOTEL, id: hotelId, name: `Load test, ${rooms} rooms` }]);
    await bulk.insert("hotel_state", [{ hotelId, auditHash: new Uint8Array(32), boardVersion: 1, auditSeq: 0 }]);
    const operatorId = at(await bulk.ids("operator", 1), 0);
    await bulk.insert("operator", [{ id: operatorId, mobile: owner.mobile, name: "Load Owner", passwordHash }]);
    await bulk.insert("membership", [{ hotelId, operatorId, role: "owner", capabilities: [], apiKeyAuth: true }]);
    const random = new Random(SEED);
    const roomIds = await writeRooms(bulk, random, hotelId, rooms, clock.now());
    await writeStays(bulk, random, { hotelId, operatorId, roomIds: roomIds.slice(0, stays), now: clock.now() });
    await writeFirstAuditEntry(client, hotelId, clock.now(), { rooms, stays });
    return hotelId;
  });
}

async function writeRooms(
  bulk: BulkInsert,
  random: Random,
  hotelId: number,
  count: number,
  now: Date,
): Promise<number[]> {
  const groupIds = await bulk.ids("room_group", GROUP_NAMES.length);
  await bulk.insert(
    "room_group",
    GROUP_NAMES.map((name, i) => ({ id: at(groupIds, i), hotelId, name: GROUPS[name].name, sort: GROUPS[name].sort })),
  );
  const roomIds = await bulk.ids("room", count);
  const plans = roomIds.map((id, i) => {
    const floor = Math.floor(i / PER_FLOOR) + 1;
    const group: RoomPlan["group"] = at(GROUP_NAMES, i % GROUP_NAMES.length);
    const name = `${floor}${String((i % PER_FLOOR) + 1).padStart(2, "0")}`;
    return {
      id,
      hotelId,
      groupId: at(groupIds, i % GROUP_NAMES.length),
      name,
      floor,
      sort: i,
      remarkName: GROUPS[group].name,
    };
  });
  await bulk.insert("room", plans);
  await bulk.insert(
    "lock",
    plans.map(({ id, name }, i): Row<"lock"> => {
      const mac = `D4:3A:2D:00:${hex(i >> 8)}:${hex(i & 255)}`;
      return {
        hotelId,
        roomId: id,
        mac,
        bluetoothName: `INK_${name}`,
        power: random.int(8, 100),
        online: random.chance(0.95),
        lastSeenAt: now.toISOString(),
      };
    }),
  );
  await bulk.insert(
    "room_price",
    plans.map(({ id }, i) => ({ roomId: id, hotelId, ...GROUPS[at(GROUP_NAMES, i % GROUP_NAMES.length)].prices })),
  );
  return random.shuffled(roomIds);
}

interface LoadStays {
  hotelId: number;
  operatorId: number;
  roomIds: readonly number[];
  now: Date;
}

async function writeStays(
  bulk: BulkInsert,
  random: Random,
  { hotelId, operatorId, roomIds, now }: LoadStays,
): Promise<void> {
  const stayIds = await bulk.ids("stay", roomIds.length);
  const guestIds = await bulk.ids("guest", roomIds.length);
  const people = makeParties(random, Math.min(roomIds.length, 200), now.getUTCFullYear()).map((party) => at(party, 0));
  const plans = roomIds.map((roomId, i) => {
    const inHouse = i % 5 !== 0;
    const startsAt = hours(now, inHouse ? -random.int(1, 90) : random.int(2, 30));
    return {
      roomId,
      inHouse,
      startsAt,
      endsAt: hours(now, random.int(32, 200)),
      stayId: at(stayIds, i),
      guestId: at(guestIds, i),
    };
  });
  await bulk.insert(
    "stay",
    plans.map(
      ({ stayId, inHouse, startsAt, endsAt }): Row<"stay"> => ({
        id: stayId,
        hotelId,
        state: inHouse ? "checked_in" : "reserved",
        unit: "day",
        startsAt,
        endsAt,
        checkedInAt: inHouse ? startsAt : null,
        breakfast: random.chance(0.5),
        createdById: operatorId,
      }),
    ),
  );
  await bulk.insert(
    "occupancy",
    plans.map(
      ({ stayId, roomId, inHouse, startsAt, endsAt }): Row<"occupancy"> => ({
        hotelId,
        roomId,
        stayId,
        state: inHouse ? "in_house" : "held",
        startsAt,
        endsAt,
      }),
    ),
  );
  await bulk.insert(
    "guest",
    plans.map(({ guestId }, i) => {
      const { documentNumber: _, ...person } = at(people, i % people.length);
      return { ...person, id: guestId, hotelId };
    }),
  );
  await bulk.insert(
    "stay_guest",
    plans.map(({ stayId, guestId }) => ({ hotelId, stayId, guestId, primary: true })),
  );
}

const hours = (from: Date, amount: number): string => new Date(from.getTime() + amount * HOUR).toISOString();
const hex = (byte: number): string => byte.toString(16).padStart(2, "0").toUpperCase();
