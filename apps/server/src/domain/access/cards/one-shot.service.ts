import { ALL_DOORS, recordPeriod } from "@innkey/shared/cards/record";
import { MINUTE_MS } from "@innkey/shared/durations";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { Scope } from "../../../kernel/scope.ts";
import { selectRoomForUpdate } from "../../stays/public.ts";
import { requireOwnReader } from "../card-readers/card-readers.service.ts";
import { locksOfRooms } from "../credentials/credentials.ts";
import { configureAll } from "../locks/configure.ts";
import { refuseLocks } from "../locks/refuse-locks.ts";
import { profileOfLocks } from "./card-keys.ts";
import { toPreparedCard } from "./card-record.ts";
import { requireReissuable } from "./find-card.ts";
import { revokeCards } from "./revoke-cards.ts";
import { firstPartyKey } from "./showings.ts";

/** Returns the period as a record stores it, in whole minutes: it ends before `first`, when a party's key opens the door. */
function showingPeriod(scope: Scope, minutes: number, first: Date | null): { validFrom: string; validTo: string } {
  const now = scope.now().getTime();
  const end = Math.ceil((now + minutes * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
  const lastMinute = first === null ? end : Math.floor(first.getTime() / MINUTE_MS) * MINUTE_MS;
  const validTo = new Date(Math.min(end, lastMinute)).toISOString();
  return { validFrom: recordPeriod(scope.now().toISOString(), null).validFrom, validTo };
}

/**
 * Makes a card with which somebody looks at a vacant room: it opens its door once, or for some minutes, and no longer than until
 * the key of an expected party opens it. A party that arrives in the room ends it (`beginAccess`), and a bolted or blocked
 * door stays shut. @throws not_found for a room that the caller can't see; room_in_use while a party is in it; key_of_party if a
 * party's key opens its door already, or within a minute; room_blocked while a block-out card keeps guests out; lock_missing, lock_reads_no_cards, card_in_use, card_of_guest, card_of_house;
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
    await refuseLocks(tx, locks, { blockedOutAt: { not: null } }, "room_blocked");
    await refuseLocks(tx, locks, { driver: { not: "mqtt" } }, "lock_reads_no_cards");
    await requireReissuable(scope, tx, uid, { stayId: null, roomId, overwrite });
    const profile = await profileOfLocks(scope, tx, {});
    await revokeCards(scope, tx, { uid }, "reissued");
    const first = await firstPartyKey(
      scope,
      tx,
      locks.map(({ id }) => id),
    );
    const { validFrom, validTo } = showingPeriod(scope, minutes, first);
    if (Date.parse(validTo) - scope.now().getTime() < MINUTE_MS)
      throw new DomainError("key_of_party", { roomName: room.name });
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
