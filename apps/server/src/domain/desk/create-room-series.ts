import { DomainError } from "@innkey/shared/errors";
import { majorUnit } from "@innkey/shared/money";
import { readRoomSeries } from "@innkey/shared/room-series";
import type { RoomSeriesInput } from "@innkey/shared/schemas/property/room-series";
import { pricesInput, roomInput } from "@innkey/shared/schemas/property/rooms";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { checkMinimum, createGroups, withDatesByDay, writePrices } from "../property/public.ts";
import { createRooms } from "./save-room.ts";

/** Of the names that are taken, so many are listed. */
const MAX_NAMED = 5;

/**
 * Creates rooms without locks from their numbers, with their group and prices, all or none. @throws no_permission;
 * name_taken with the names that rooms have already; invalid_input for a price under one major unit
 */
export async function createSeries(
  scope: Scope,
  { numbers, group, prices: { usualMinor, weekendMinor } }: RoomSeriesInput,
): Promise<{ created: number }> {
  scope.require("rooms.manage");
  if (usualMinor !== null) scope.require("prices.manage");
  const prices =
    usualMinor === null
      ? null
      : pricesInput.parse({ depositMinor: 0, usualMinor, weekendMinor: weekendMinor ?? usualMinor });
  if (prices) checkMinimum(prices, majorUnit(scope.hotel.currency));
  const { rooms } = readRoomSeries(numbers);
  return scope.write(async (tx) => {
    await checkNames(
      tx,
      rooms.map(({ name }) => name),
    );
    const groupId = group === "" ? null : await findOrCreateGroup(scope, tx, group);
    const ids = await createRooms(
      scope,
      tx,
      rooms.map((room) => roomInput.parse({ ...room, groupId })),
    );
    if (prices) await writePrices(scope, tx, [...ids.values()], withDatesByDay(prices), null);
    return { created: ids.size };
  });
}

async function checkNames(tx: Transaction, names: readonly string[]): Promise<void> {
  const taken = await tx.sql.rows<{ name: string }>(
    "SELECT name FROM room WHERE hotel_id = $1 AND deleted_at IS NULL AND name = ANY ($2::text[]) ORDER BY id LIMIT $3::int",
    names,
    MAX_NAMED,
  );
  const [first] = taken;
  if (!first) return;
  const params = { names: taken.map(({ name }) => name).join(", ") };
  throw new DomainError("name_taken", { name: first.name }, { numbers: { key: "validation.roomsTaken", params } });
}

async function findOrCreateGroup(scope: Scope, tx: Transaction, name: string): Promise<number | null> {
  const existing = await tx.db.roomGroup.findFirst({ where: { name }, select: { id: true } });
  return existing?.id ?? (await createGroups(scope, tx, [name])).get(name) ?? null;
}
