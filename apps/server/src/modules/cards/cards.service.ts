import { recordPeriod } from "@innkey/shared/cards/record";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/cards";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { accessWindow } from "../locks/access-window.ts";
import { locksOfRooms } from "../locks/credentials.ts";
import { settleCards } from "../locks/floors.ts";
import { partOf } from "../stays/key-period.ts";
import { lockStay } from "../stays/live-stay.ts";
import { announceCards } from "../webhooks/announce.ts";
import { putOnList } from "./card-doors.ts";
import { withKeys } from "./card-profile.ts";
import { recordData } from "./card-record.ts";
import { type FoundCard, findCard } from "./find-card.ts";
import { makeGuestCard } from "./guest-card.ts";
import { allowAgain, blockEverywhere, refuseTakenBack } from "./refusals.ts";
import { takeBack } from "./take-back.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/**
 * Makes the record for a guest's card; nothing is active until the card was read back. A first card of a stay, or one that
 * disables old ones, raises the room's issue sequence, and its lock then refuses every card from before; duplicates share
 * it (source: domain rules, Cards). It is written with the newest keys that the lock confirmed.
 * @throws lock_missing for a room without a lock, lock_reads_no_cards for one of another make; card_in_use for a card that the caller may not take back
 */
export async function prepare(
  scope: Scope,
  input: Input<typeof schema.prepareCardInput>,
): Promise<schema.PreparedCard> {
  scope.require("cards.issue");
  const { uid, note, disableOldCards } = input;
  return scope.write(async (unit) => {
    const stay = await lockStay(scope, unit, input.stayId, "checked_in");
    if (Date.parse(stay.endsAt) <= scope.now().getTime()) throw new DomainError("stay_expired");
    const window = accessWindow(scope.hotel, stay);
    const from = new Date(Math.min(window.validFrom.getTime(), scope.now().getTime()));
    const part = partOf({ validFrom: from, validTo: window.validTo }, input, scope.now());
    const { id: stayId, roomId, roomName } = stay;
    return makeGuestCard(scope, unit, {
      ...{ uid, note, stayId, roomId, roomName },
      period: recordPeriod(part.validFrom.toISOString(), part.validTo.toISOString()),
      disabled: disableOldCards ? { stayId } : null,
    });
  });
}

/**
 * The card was written: active only if what was read back is what was prepared. From here on its locks are told, and what
 * the card carried before is gone. @throws read_back_mismatch
 */
export async function confirm(
  scope: Scope,
  input: Input<typeof schema.confirmCardInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (unit) => {
    const card = await findCard(scope, unit, input.cardId);
    // Nothing is written on a card that opens by its number: there is nothing to read back.
    if (card.state !== "pending" || card.overTheAir) throw new DomainError("state_conflict", { state: card.state });
    if (recordData(card, withKeys(scope, card.profile)) !== input.readBack) throw new DomainError("read_back_mismatch");
    await unit.db.card.update({
      where: { id: card.id, state: "pending" },
      data: { state: "active", confirmedAt: scope.now() },
    });
    await overwritten(unit, card);
    await tellLocks(scope, unit, card);
    await settleCards(scope, unit);
    await announceCards(scope, unit, "card.issued", [card.id]);
    unit.journal({ action: "card.confirm", entity: "card", entityId: card.id, after: { state: "active" } });
    return { cardId: card.id, state: "active" };
  });
}

/** No lock can see any more what this card carried; what locks were told of its number stays until they drop it. */
async function overwritten(unit: Unit, { uid }: FoundCard): Promise<void> {
  await unit.db.card.updateMany({
    where: { uid, state: "revoking", overTheAir: false, kind: { not: "management" } },
    data: { state: "revoked" },
  });
}

async function tellLocks(scope: Scope, unit: Unit, card: FoundCard): Promise<void> {
  if (card.kind === "universal") return allowAgain(scope, unit, card, null);
  if (card.kind === "guest") {
    await allowAgain(scope, unit, card, [card.lockNumber ?? 0]);
    return refuseTakenBack(scope, unit, { lockNumber: card.lockNumber });
  }
  const locks = await locksOfRooms(
    unit,
    card.rooms.map(({ roomId }) => roomId),
  );
  for (const lock of locks) await putOnList(scope, unit, card, lock);
}

/**
 * Takes a card back: `revoking` until every lock that it opens is known to refuse it. Its duplicates, and other
 * management and universal cards, keep working.
 */
export async function revoke(
  scope: Scope,
  { cardId, reason }: Input<typeof schema.revokeCardInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (unit) => {
    const card = await findCard(scope, unit, cardId);
    if (card.state !== "pending" && card.state !== "active")
      throw new DomainError("state_conflict", { state: card.state });
    await takeBack(scope, unit, { id: card.id }, reason);
    if (card.kind === "universal" && !card.overTheAir) await blockEverywhere(scope, unit, card);
    await refuseTakenBack(scope, unit, { id: card.id });
    await settleCards(scope, unit);
    const { state } = await unit.db.card.findFirstOrThrow({ where: { id: card.id }, select: { state: true } });
    const before = { state: card.state };
    const action = reason === "lost" ? "card.lost" : "card.revoke";
    unit.journal({ action, entity: "card", entityId: card.id, before, after: { state, reason } });
    return { cardId: card.id, state };
  });
}
