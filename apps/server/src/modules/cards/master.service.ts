import { ALL_LOCKS } from "@innkey/shared/cards/record";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/cards";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { configureLocks } from "../locks/configure.ts";
import { locksOfRooms, withdraw } from "../locks/credentials.ts";
import { putOnList } from "./card-doors.ts";
import { profileOfLocks } from "./card-profile.ts";
import { prepared } from "./card-record.ts";
import { findCard, requireFree } from "./find-card.ts";
import { issuePeriod } from "./record-period.ts";
import { takeBack } from "./take-back.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/**
 * Makes the record for a card that is no guest's. Both kinds are records for all locks; a management card opens where the
 * lock has it on its list too, which the lock is told once the card was read back.
 * @throws lock_missing naming a chosen room without a lock
 */
export async function prepareMaster(
  scope: Scope,
  input: Input<typeof schema.prepareMasterInput>,
): Promise<schema.PreparedCard> {
  scope.require("cards.master");
  const period = issuePeriod(scope, input);
  return scope.write(async (unit) => {
    const roomIds = input.kind === "management" ? [...new Set(input.roomIds)] : [];
    await locksOfRooms(unit, roomIds);
    await requireFree(scope, unit, input.uid);
    const profile = await profileOfLocks(scope, unit, {});
    const { masterSequence } = await unit.db.hotel.findFirstOrThrow({ select: { masterSequence: true } });
    await takeBack(scope, unit, { uid: input.uid }, "reissued");
    const card = await unit.db.card.create({
      data: {
        hotelId: scope.hotelId,
        uid: input.uid,
        kind: input.kind,
        note: input.note,
        profileId: profile.id,
        sequence: masterSequence,
        lockNumber: ALL_LOCKS,
        ...period,
        issuedById: scope.operatorId,
        createdAt: scope.now(),
        rooms: { create: roomIds.map((roomId) => ({ roomId })) },
      },
    });
    // As for guests' cards: newer keys may be on their way to locks without these.
    if (profile.retiredAt !== null) await configureAll(scope, unit);
    unit.journal({
      action: "card.prepare",
      entity: "card",
      entityId: card.id,
      after: { kind: input.kind, note: input.note, roomIds, validTo: period.validTo },
    });
    return prepared(scope, unit, card, profile);
  });
}

/** Tells every lock that has been given keys which ones are out now. Returns how many locks. */
export async function configureAll(scope: Scope, unit: Unit): Promise<number> {
  const locks = await unit.db.lock.findMany({
    where: { accessHash: { not: null }, removedAt: null },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  const commandIds = await configureLocks(
    scope,
    unit,
    locks.map(({ id }) => id),
  );
  return commandIds.length;
}

/**
 * Gives a management card other doors; what it has it keeps. A dropped door opens until its lock has confirmed.
 * @throws state_conflict for a card that is not live; lock_missing naming a chosen room without a lock
 */
export async function setRooms(
  scope: Scope,
  input: Input<typeof schema.cardRoomsInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.master");
  return scope.write(async (unit) => {
    const card = await findCard(scope, unit, input.cardId);
    if (card.kind !== "management") throw new DomainError("not_found");
    if (card.state !== "pending" && card.state !== "active")
      throw new DomainError("state_conflict", { state: card.state });
    const roomIds = [...new Set(input.roomIds)];
    const locks = await locksOfRooms(unit, roomIds);
    await unit.db.cardRoom.deleteMany({ where: { cardId: card.id } });
    await unit.db.cardRoom.createMany({
      data: roomIds.map((roomId) => ({ hotelId: scope.hotelId, cardId: card.id, roomId })),
    });
    if (card.state === "active") {
      const kept = await unit.db.credential.findMany({
        where: { cardId: card.id, state: { notIn: ["revoking", "revoked"] } },
        select: { lockId: true },
      });
      const has = new Set(kept.map(({ lockId }) => lockId));
      const wanted = locks.map(({ id }) => id);
      await withdraw(scope, unit, { cardId: card.id, lockId: { notIn: wanted } }, "by_hand");
      for (const lock of locks) if (!has.has(lock.id)) await putOnList(scope, unit, card, lock);
    }
    const before = { roomIds: card.rooms.map(({ roomId }) => roomId) };
    unit.journal({ action: "card.rooms", entity: "card", entityId: card.id, before, after: { roomIds } });
    return { cardId: card.id, state: card.state };
  });
}
