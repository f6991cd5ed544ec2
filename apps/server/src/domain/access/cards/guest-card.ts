import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { configureLock } from "../locks/configure.ts";
import { profileOfLocks } from "./card-profile.ts";
import { prepared } from "./card-record.ts";
import { nextSequence } from "./card-sequence.ts";
import { requireFree } from "./find-card.ts";
import { takeBack } from "./revoke-cards.ts";

/** A guest's card to be made. */
export interface GuestCard {
  uid: string;
  /** true: overwrites another guest's card */
  overwrite: boolean;
  note: string;
  /** null: the card belongs to no stay */
  stayId: number | null;
  roomId: number;
  roomName: string;
  /** as the card's record encodes it */
  period: { validFrom: string; validTo: string | null };
  /** written cards of the room that this one disables; null: none */
  disabled: Prisma.CardWhereInput | null;
}

/**
 * Creates the row and the record of a guest's card for one room, `pending` until it is read back. The caller must have
 * locked the stay. @throws lock_missing, lock_reads_no_cards, card_in_use, card_of_guest; state_conflict when the room
 * has no sequence left
 */
export async function makeGuestCard(scope: Scope, tx: Transaction, guestCard: GuestCard): Promise<schema.PreparedCard> {
  const { uid, overwrite, note, stayId, roomId, roomName, period, disabled } = guestCard;
  const lock = await tx.db.lock.findFirst({ where: { roomId }, select: { id: true, driver: true } });
  if (!lock) throw new DomainError("lock_missing", { roomName });
  // Locks of other makes open at most by a card's number, never by a record written on it.
  if (lock.driver !== "mqtt") throw new DomainError("lock_reads_no_cards", { roomName });
  await requireFree(scope, tx, uid, { stayId, roomId, overwrite });
  const profile = await profileOfLocks(scope, tx, { id: lock.id });
  const anew = disabled !== null;
  const sequence = await nextSequence(tx, stayId === null ? period : { stayId }, roomId, { lockId: lock.id, anew });
  await takeBack(scope, tx, { uid }, "reissued");
  if (disabled) await takeBack(scope, tx, { AND: [disabled, { overTheAir: false }] }, "superseded");
  const card = await tx.db.card.create({
    data: {
      hotelId: scope.hotelId,
      uid,
      kind: "guest",
      note,
      profileId: profile.id,
      stayId,
      sequence,
      lockNumber: lock.id,
      ...period,
      issuedById: scope.operatorId,
      createdAt: scope.now(),
      rooms: { create: { roomId } },
    },
  });
  // We send the lock its keys again, because an update with newer keys that lacks these may be on its way.
  if (profile.retiredAt !== null) await configureLock(scope, tx, lock.id);
  tx.audit({
    action: "card.prepare",
    entity: "card",
    entityId: card.id,
    after: { stayId, roomId, sequence, disableOldCards: anew },
  });
  return prepared(scope, tx, card, profile);
}
