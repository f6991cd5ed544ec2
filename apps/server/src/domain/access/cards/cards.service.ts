import { recordPeriod } from "@innkey/shared/cards/record";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { announceCards } from "../../messaging/public.ts";
import { type OfStay, selectStayForUpdate, withStayId } from "../../stays/public.ts";
import { accessWindow } from "../credentials/access-window.ts";
import { locksOfRooms } from "../credentials/credentials.ts";
import { partOf } from "../credentials/key-period.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { everyLock, putOnLists } from "./card-doors.ts";
import { withKeys } from "./card-profile.ts";
import { recordData } from "./card-record.ts";
import { type CardDetails, findCard } from "./find-card.ts";
import { makeGuestCard } from "./guest-card.ts";
import { blockRevokedCards, letInAgain } from "./refusals.ts";
import { takeBack } from "./revoke-cards.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/**
 * Makes the record for a guest's card. The card is only active once it was read back. The first card of a stay, or one
 * that disables old cards, raises the room's issue sequence, and the lock then refuses every earlier card; duplicates
 * share the sequence (source: domain rules, Cards). The record uses the newest keys that the lock confirmed. @throws
 * lock_missing for a room without a lock, lock_reads_no_cards for one of another make; card_in_use for a card that the
 * caller may not revoke; card_of_guest for another guest's, unless it is to be overwritten
 */
export async function prepare(
  scope: Scope,
  input: OfStay<Input<typeof schema.prepareCardInput>>,
): Promise<schema.PreparedCard> {
  scope.require("cards.issue");
  const { uid, overwrite, note, disableOldCards } = input;
  const named = await withStayId(scope, input);
  return scope.write(async (tx) => {
    const stay = await selectStayForUpdate(scope, tx, named.stayId, "checked_in");
    if (Date.parse(stay.endsAt) <= scope.now().getTime()) throw new DomainError("stay_expired");
    const window = accessWindow(scope.hotel, stay);
    const from = new Date(Math.min(window.validFrom.getTime(), scope.now().getTime()));
    const part = partOf({ validFrom: from, validTo: window.validTo }, input, scope.now());
    const { id: stayId, roomId, roomName } = stay;
    return makeGuestCard(scope, tx, {
      ...{ uid, overwrite, note, stayId, roomId, roomName },
      period: recordPeriod(part.validFrom.toISOString(), part.validTo.toISOString()),
      disabled: disableOldCards ? { stayId } : null,
    });
  });
}

/**
 * Confirms that a card was written. It becomes active only if the data read back equals the prepared data; then its
 * locks are informed. @throws read_back_mismatch
 */
export async function confirm(
  scope: Scope,
  input: Input<typeof schema.confirmCardInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (tx) => {
    const card = await findCard(scope, tx, input.cardId);
    // A card that opens by its number has nothing written on it to read back.
    if (card.state !== "pending" || card.overTheAir) throw new DomainError("state_conflict", { state: card.state });
    if (recordData(card, withKeys(scope, card.profile)) !== input.readBack) throw new DomainError("read_back_mismatch");
    await tx.db.card.update({
      where: { id: card.id, state: "pending" },
      data: { state: "active", confirmedAt: scope.now() },
    });
    await rewritten(scope, tx, card);
    await updateLocks(scope, tx, card);
    await settleCards(scope, tx);
    await announceCards(scope, tx, "card.issued", [card.id]);
    tx.audit({ action: "card.confirm", entity: "card", entityId: card.id, after: { state: "active" } });
    return { cardId: card.id, state: "active" };
  });
}

/**
 * Only the client claims that a card was overwritten, so that doesn't end the risk at other doors: an earlier issue
 * stays `revoking` until its lock refuses it or its period ends. The exception is an earlier issue with exactly the
 * same record for the same lock, which no lock could tell apart; the new issue replaces it.
 */
async function rewritten(scope: Scope, tx: Transaction, card: CardDetails): Promise<void> {
  const { id, uid, kind, lockNumber, sequence, validFrom, validTo } = card;
  if (kind === "guest" && lockNumber !== null) {
    const record = { overTheAir: false, kind, lockNumber, sequence, validFrom, validTo };
    await tx.db.card.updateMany({
      where: { uid, id: { not: id }, state: "revoking", ...record },
      data: { state: "revoked" },
    });
  }
  await blockRevokedCards(scope, tx, { uid });
}

async function updateLocks(scope: Scope, tx: Transaction, card: CardDetails): Promise<void> {
  if (card.kind === "guest") {
    await letInAgain(scope, tx, card, card.lockNumber ?? 0);
    return blockRevokedCards(scope, tx, { lockNumber: card.lockNumber });
  }
  const roomIds = card.rooms.map(({ roomId }) => roomId);
  const locks = card.kind === "universal" ? await everyLock(tx, card) : await locksOfRooms(tx, roomIds);
  await putOnLists(scope, tx, card, locks);
}

/**
 * Revokes a card: it stays `revoking` until every lock that it opens is known to refuse it. Its duplicates, and other
 * staff cards and master key cards, keep working.
 */
export async function revoke(
  scope: Scope,
  { cardId, reason }: Input<typeof schema.revokeCardInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (tx) => {
    const card = await findCard(scope, tx, cardId);
    if (card.state !== "pending" && card.state !== "active")
      throw new DomainError("state_conflict", { state: card.state });
    await takeBack(scope, tx, { id: card.id }, reason);
    await blockRevokedCards(scope, tx, { id: card.id });
    await settleCards(scope, tx);
    const { state } = await tx.db.card.findFirstOrThrow({ where: { id: card.id }, select: { state: true } });
    const before = { state: card.state };
    const action = reason === "lost" ? "card.lost" : "card.revoke";
    tx.audit({ action, entity: "card", entityId: card.id, before, after: { state, reason } });
    return { cardId: card.id, state };
  });
}
