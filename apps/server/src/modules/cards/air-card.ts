import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Card } from "../../infra/database/generated/client.ts";
import type { LockOfRoom } from "../locks/credentials.ts";
import { settleCards } from "../locks/min-sequences.ts";
import { announceCards } from "../webhooks/announce.ts";
import { putOnLists } from "./card-doors.ts";
import { mayTouch } from "./find-card.ts";
import { locksRefusing } from "./refusals.ts";
import { takeBack } from "./revoke-cards.ts";

/** What opens by its number alone. */

/** Registered, and given no door yet. */
export const isDraft = ({ state, overTheAir }: Pick<Card, "state" | "overTheAir">): boolean =>
  state === "pending" && overTheAir;

/**
 * The number of a card that is to be let in. A draft of it is given up; whatever else is out stays.
 * @throws card_in_use for a card that is out already, a draft that the caller may not touch, or a number that one of the
 * locks was told to refuse: what may be written on it would open again
 */
export async function requireUnused(
  scope: Scope,
  unit: Unit,
  uid: string,
  locks: readonly LockOfRoom[],
): Promise<void> {
  const live = await unit.db.card.findFirst({
    where: { uid, state: { in: ["pending", "active"] } },
    include: { rooms: true },
  });
  if (live) {
    if (!isDraft(live) || !(await mayTouch(scope, unit, live))) throw new DomainError("card_in_use");
    await takeBack(scope, unit, { id: live.id }, "reissued");
    await settleCards(scope, unit);
  }
  await requireNotRefused(scope, unit, uid, locks);
}

/** @throws card_in_use as above */
export async function requireNotRefused(
  scope: Scope,
  unit: Unit,
  uid: string,
  locks: readonly LockOfRoom[],
): Promise<void> {
  const lockIds = locks.map(({ id }) => id);
  if ((await locksRefusing(scope, unit, uid, lockIds)).length > 0) throw new DomainError("card_in_use");
}

/** Tells locks, and whoever listens, of a card's number. Returns the commands that the locks were given. */
export async function openByNumber(
  scope: Scope,
  unit: Unit,
  card: Card,
  locks: readonly LockOfRoom[],
): Promise<string[]> {
  await putOnLists(scope, unit, card, locks);
  await announceCards(scope, unit, "card.issued", [card.id]);
  const commands = await unit.db.lockCommand.findMany({
    where: { type: "set_credential", state: "queued", credential: { is: { cardId: card.id } } },
    orderBy: { seq: "asc" },
    select: { id: true },
  });
  return commands.map(({ id }) => id);
}
