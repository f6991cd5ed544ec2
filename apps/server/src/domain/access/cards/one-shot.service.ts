import { ALL_DOORS, recordPeriod } from "@innkey/shared/cards/record";
import { MINUTE_MS } from "@innkey/shared/durations";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { selectRoomForUpdate } from "../../stays/public.ts";
import { requireOwnReader } from "../card-readers/card-readers.service.ts";
import { type LockOnDoor, locksOfRooms } from "../credentials/credentials.ts";
import { configureAll } from "../locks/configure.ts";
import { refuseLocks } from "../locks/refuse-locks.ts";
import { profileOfLocks } from "./card-keys.ts";
import { toPreparedCard } from "./card-record.ts";
import { requireReissuable } from "./find-card.ts";
import { revokeCards } from "./revoke-cards.ts";

/** A party that is expected may have gone in by itself with a key that opens before the desk has checked it in. */
async function opensForExpectedParty(scope: Scope, tx: Transaction, locks: readonly LockOnDoor[]): Promise<boolean> {
  const now = scope.now();
  const key = await tx.db.credential.findFirst({
    where: {
      lockId: { in: locks.map(({ id }) => id) },
      stay: { state: "reserved" },
      state: { notIn: ["revoking", "revoked"] },
      validFrom: { lte: now },
      OR: [{ validTo: null }, { validTo: { gt: now } }],
    },
    select: { id: true },
  });
  return key !== null;
}

/**
 * Makes a card with which somebody looks at a vacant room: it opens its door once, or for some minutes. A party that arrives in
 * the room ends it (`beginAccess`), and a bolted or blocked door stays shut. @throws not_found for a room that the caller can't see;
 * room_in_use while a party is in it, or a key of one that is expected opens its door; room_blocked while a block-out card keeps guests out; lock_missing, lock_reads_no_cards, card_in_use, card_of_guest, card_of_house;
 * reader_of_others for a reader that is bound to other people
 */
export async function prepareOneShot(scope: Scope, input: schema.PrepareOneShotInput): Promise<schema.PreparedCard> {
  scope.require("cards.issue");
  scope.requireRoom(input.roomId);
  const { roomId, uid, overwrite, note, once, minutes } = input;
  return scope.write(async (tx) => {
    await requireOwnReader(scope, tx.sql, input.reader);
    const room = await selectRoomForUpdate(scope, tx.sql, roomId);
    const party = await tx.db.occupancy.findFirst({ where: { roomId, state: "in_house" }, select: { id: true } });
    if (party) throw new DomainError("room_in_use", { roomName: room.name });
    const locks = await locksOfRooms(tx, [roomId]);
    if (await opensForExpectedParty(scope, tx, locks)) throw new DomainError("room_in_use", { roomName: room.name });
    await refuseLocks(tx, locks, { blockedOutAt: { not: null } }, "room_blocked");
    await refuseLocks(tx, locks, { driver: { not: "mqtt" } }, "lock_reads_no_cards");
    await requireReissuable(scope, tx, uid, { stayId: null, roomId, overwrite });
    const profile = await profileOfLocks(scope, tx, {});
    await revokeCards(scope, tx, { uid }, "reissued");
    const end = new Date(scope.now().getTime() + minutes * MINUTE_MS);
    const { validFrom, validTo } = recordPeriod(scope.now().toISOString(), end.toISOString());
    const card = await tx.db.card.create({
      data: {
        hotelId: scope.hotelId,
        uid,
        kind: "one_shot",
        note,
        profileId: profile.id,
        sequence: 0,
        zones: [ALL_DOORS],
        once,
        validFrom,
        validTo,
        issuedById: scope.operatorId,
        createdAt: scope.now(),
        rooms: { create: { roomId } },
      },
    });
    // As for guests' cards, an update with newer keys that lacks these may be on its way to locks.
    if (profile.retiredAt !== null) await configureAll(scope, tx);
    const after = { kind: card.kind, note, roomId, once, validTo };
    tx.audit({ action: "card.prepare", entity: "card", entityId: card.id, after });
    return toPreparedCard(scope, tx, card, profile);
  });
}
