import { DomainError } from "@innkey/shared/errors";
import * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import type { Card } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { announceCards } from "../../messaging/public.ts";
import { partyOfGuest, selectStayForUpdate } from "../../stays/public.ts";
import { type AccessWindow, accessWindow } from "../credentials/access-window.ts";
import { type LockOfRoom, locksOfRooms } from "../credentials/credentials.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { putOnLists } from "./card-doors.ts";
import { profileInUse } from "./card-profile.ts";
import { mayTouch } from "./find-card.ts";
import { locksRefusing } from "./refusals.ts";
import { takeBack } from "./revoke-cards.ts";

/** Checks whether the card is only registered: it opens by its number and has no doors yet. */
export const isDraft = ({ state, overTheAir }: Pick<Card, "state" | "overTheAir">): boolean =>
  state === "pending" && overTheAir;

/**
 * Checks that a card number may be granted doors. An earlier draft of that number is discarded; other issues of the
 * card stay as they are. @throws card_in_use for a card that is already live, a draft that the caller may not touch, or
 * a number that one of the locks was instructed to refuse: accepting the number again would also accept an old record
 * still written on the card
 */
export async function requireUnused(
  scope: Scope,
  tx: Transaction,
  uid: string,
  locks: readonly LockOfRoom[],
): Promise<void> {
  const live = await tx.db.card.findFirst({
    where: { uid, state: { in: ["pending", "active"] } },
    include: { rooms: true },
  });
  if (live) {
    if (!isDraft(live) || !(await mayTouch(scope, tx, live))) throw new DomainError("card_in_use");
    await takeBack(scope, tx, { id: live.id }, "reissued");
    await settleCards(scope, tx);
  }
  await requireNotRefused(scope, tx, uid, locks);
}

/** @throws card_in_use if one of the locks was instructed to refuse the number, as in `requireUnused` */
export async function requireNotRefused(
  scope: Scope,
  tx: Transaction,
  uid: string,
  locks: readonly LockOfRoom[],
): Promise<void> {
  const lockIds = locks.map(({ id }) => id);
  if ((await locksRefusing(scope, tx, uid, lockIds)).length > 0) throw new DomainError("card_in_use");
}

/** Sends a card's number to locks and announces it to webhooks. Returns the ids of the lock commands. */
export async function openByNumber(
  scope: Scope,
  tx: Transaction,
  card: Card,
  locks: readonly LockOfRoom[],
): Promise<string[]> {
  await putOnLists(scope, tx, card, locks);
  await announceCards(scope, tx, "card.issued", [card.id]);
  const commands = await tx.db.lockCommand.findMany({
    where: { type: "set_credential", state: "queued", credential: { is: { cardId: card.id } } },
    orderBy: { seq: "asc" },
    select: { id: true },
  });
  return commands.map(({ id }) => id);
}

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

/** Lets a card open the door of a guest's party by its number, as `addOverTheAir` does for the stay. @throws not_found */
export async function addForGuest(
  scope: Scope,
  { stayGuestId, uid, note }: { stayGuestId: number; uid: string; note?: string | undefined },
): Promise<z.infer<typeof schema.airCardOutcome>> {
  scope.require("cards.issue");
  const { stayId } = await partyOfGuest(scope, stayGuestId);
  return addOverTheAir(scope, schema.airCardInput.parse({ uid, note, stayId }));
}
