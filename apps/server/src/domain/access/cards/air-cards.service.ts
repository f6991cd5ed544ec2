import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/cards";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { selectStayForUpdate } from "../../stays/public.ts";
import { type AccessWindow, accessWindow } from "../credentials/access-window.ts";
import { locksOfRooms } from "../credentials/credentials.ts";
import { openByNumber, requireUnused } from "./air-card.ts";
import { profileInUse } from "./card-profile.ts";

type AirCard = z.infer<typeof schema.airCardInput>;

/**
 * Grants access to a card, bracelet or phone by its number alone, either for a stay (its room and period) or for rooms
 * and a period. The commands to the locks are queued at once; nothing is written on the card. @throws lock_missing;
 * card_in_use for a card that is already live, or whose number one of the locks was instructed to refuse: accepting it
 * would also accept an old record still written on the card
 */
export async function addOverTheAir(scope: Scope, input: AirCard): Promise<z.infer<typeof schema.airCardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (tx) => {
    const { roomIds, window } =
      input.stayId === null ? planForPeriod(scope, input) : await planForStay(scope, tx, input);
    const locks = await locksOfRooms(tx, roomIds);
    await requireUnused(scope, tx, input.uid, locks);
    const { id: profileId } = await profileInUse(scope, tx);
    const now = scope.now();
    const card = await tx.db.card.create({
      data: {
        hotelId: scope.hotelId,
        uid: input.uid,
        kind: "guest",
        note: input.note,
        overTheAir: true,
        state: "active",
        profileId,
        stayId: input.stayId,
        sequence: 0,
        ...window,
        issuedById: scope.operatorId,
        createdAt: now,
        confirmedAt: now,
        rooms: { create: roomIds.map((roomId) => ({ roomId })) },
      },
    });
    const commandIds = await openByNumber(scope, tx, card, locks);
    const after = { stayId: input.stayId, roomIds, validTo: window.validTo };
    tx.audit({ action: "card.air", entity: "card", entityId: card.id, after });
    return { cardId: card.id, state: "active", commandIds };
  });
}

interface AccessPlan {
  roomIds: number[];
  window: AccessWindow;
}

async function planForStay(scope: Scope, tx: Transaction, { stayId, roomIds }: AirCard): Promise<AccessPlan> {
  const stay = await selectStayForUpdate(scope, tx, stayId ?? 0, "reserved", "checked_in");
  const window = accessWindow(scope.hotel, stay);
  if (window.validTo <= scope.now()) throw new DomainError("stay_expired");
  if (roomIds.some((roomId) => roomId !== stay.roomId)) {
    throw new DomainError("invalid_input", {}, { roomIds: { key: "validation.oneRoom" } });
  }
  // If the party arrived earlier than planned, the card works from now.
  const early = stay.state === "checked_in" && scope.now() < window.validFrom;
  return { roomIds: [stay.roomId], window: early ? { ...window, validFrom: scope.now() } : window };
}

function planForPeriod(scope: Scope, input: AirCard): AccessPlan {
  const roomIds = [...new Set(input.roomIds)];
  for (const roomId of roomIds) scope.requireRoom(roomId);
  const validFrom = input.validFrom === null ? scope.now() : new Date(input.validFrom);
  const validTo = input.validTo === null ? null : new Date(input.validTo);
  if (validTo !== null && (validTo <= scope.now() || validTo <= validFrom)) {
    throw new DomainError("invalid_input", {}, { validTo: { key: "validation.endBeforeStart" } });
  }
  return { roomIds, window: { validFrom, validTo } };
}
