import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import { FREE_TEXTS, masked } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { AccessWindow } from "../credentials/access-window.ts";
import { locksOfRooms } from "../credentials/credentials.ts";
import { isDraft, openByNumber, requireNotRefused, requireUnused } from "./air-cards.service.ts";
import { everyLock } from "./card-doors.ts";
import { profileInUse } from "./card-profile.ts";
import { type CardDetails, findCard } from "./find-card.ts";

type Input<S extends z.ZodType> = z.infer<S>;
type GrantCardInput = Input<typeof schema.grantCardInput>;

/**
 * First of two steps for a card that opens by its number: registers its kind and, optionally, its period. The card is
 * `pending`: no command is sent and no door opens. An earlier draft of the number is discarded. @throws card_in_use
 */
export async function register(
  scope: Scope,
  input: Input<typeof schema.registerCardInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  const { uid, kind, note } = input;
  scope.require(kind === "guest" ? "cards.issue" : "cards.master");
  const now = scope.now();
  const validFrom = input.validFrom === null ? now : new Date(input.validFrom);
  const validTo = endOf(scope, validFrom, input.validTo);
  return scope.write(async (tx) => {
    await requireUnused(scope, tx, uid, []);
    const { id: profileId } = await profileInUse(scope, tx);
    const { id: cardId } = await tx.db.card.create({
      data: {
        ...{ hotelId: scope.hotelId, uid, kind, note, overTheAir: true, profileId, sequence: 0, validFrom, validTo },
        issuedById: scope.operatorId,
        createdAt: now,
      },
      select: { id: true },
    });
    tx.audit({
      action: "card.register",
      entity: "card",
      entityId: cardId,
      after: kind === "guest" ? masked({ kind, note }, FREE_TEXTS) : { kind, note },
    });
    return { cardId, state: "pending" };
  });
}

/**
 * Second step: sets the doors and the period and sends the card to their locks at once. A master key card goes to every
 * lock, including those assigned to a door later. @throws state_conflict for a card that is no draft; lock_missing,
 * card_in_use; invalid_input without rooms or an end
 */
export async function grantCard(scope: Scope, input: GrantCardInput): Promise<Input<typeof schema.airCardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (tx) => {
    const draft = await findCard(scope, tx, input.cardId);
    if (!isDraft(draft)) throw new DomainError("state_conflict", { state: draft.state });
    const window = windowOf(scope, draft, input);
    const roomIds = draft.kind === "universal" ? [] : roomsOf(scope, input);
    const locks = draft.kind === "universal" ? await everyLock(tx, draft) : await locksOfRooms(tx, roomIds);
    await requireNotRefused(scope, tx, draft.uid, locks);
    const card = await tx.db.card.update({
      where: { id: draft.id, state: "pending" },
      data: { ...window, state: "active", confirmedAt: scope.now() },
    });
    await tx.db.cardRoom.deleteMany({ where: { cardId: card.id } });
    const { hotelId } = scope;
    await tx.db.cardRoom.createMany({ data: roomIds.map((roomId) => ({ hotelId, cardId: card.id, roomId })) });
    const commandIds = await openByNumber(scope, tx, card, locks);
    const after = { kind: card.kind, roomIds, validTo: window.validTo };
    tx.audit({ action: "card.air", entity: "card", entityId: card.id, after });
    return { cardId: card.id, state: "active", commandIds };
  });
}

function roomsOf(scope: Scope, input: GrantCardInput): number[] {
  if (input.roomIds.length === 0)
    throw new DomainError("invalid_input", {}, { roomIds: { key: "validation.required" } });
  const roomIds = [...new Set(input.roomIds)];
  for (const roomId of roomIds) scope.requireRoom(roomId);
  return roomIds;
}

/** Omitted fields keep the values from registration. A card without an end must be explicitly permanent. */
function windowOf(scope: Scope, draft: CardDetails, input: GrantCardInput): AccessWindow {
  const validFrom = input.validFrom === null ? draft.validFrom : new Date(input.validFrom);
  if (input.permanent) return { validFrom, validTo: null };
  const validTo = endOf(scope, validFrom, input.validTo ?? draft.validTo?.toISOString() ?? null);
  if (validTo === null) throw new DomainError("invalid_input", {}, { validTo: { key: "validation.required" } });
  return { validFrom, validTo };
}

function endOf(scope: Scope, validFrom: Date, validTo: string | null): Date | null {
  const end = validTo === null ? null : new Date(validTo);
  if (end !== null && (end <= scope.now() || end <= validFrom)) {
    throw new DomainError("invalid_input", {}, { validTo: { key: "validation.endBeforeStart" } });
  }
  return end;
}
