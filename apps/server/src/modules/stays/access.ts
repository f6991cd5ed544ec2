import { recordPeriod } from "@innkey/shared/cards/record";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Credential, Prisma } from "../../infra/database/generated/client.ts";
import type { StayState } from "../../infra/database/generated/enums.ts";
import { blockRevokedCards } from "../cards/refusals.ts";
import { takeBack } from "../cards/revoke-cards.ts";
import { type AccessWindow, accessWindow } from "../locks/access-window.ts";
import { isOneTime, whatIs } from "../locks/credential-content.ts";
import {
  atLock,
  type CredentialSubject,
  grantCredential,
  isCodeUsed,
  type RevokeReason,
  send,
  withdraw,
} from "../locks/credentials.ts";
import { holdLock } from "../locks/lock-row-for-update.ts";
import { settleCards } from "../locks/min-sequences.ts";

/**
 * What becomes of a party's keys when its stay changes. All of it is written with the stay; what the locks are told leaves
 * after commit (source: domain rules, Stays and Credentials).
 */
interface StayInRoom {
  id: number;
  state: StayState;
  roomId: number;
  startsAt: string;
  endsAt: string;
}

const LIVE = { notIn: ["revoking" as const, "revoked" as const] };
/** What is live, and what was only taken back because its time was over: a renewal gives it more. */
const MAY_GO_ON = {
  OR: [
    { state: LIVE },
    {
      revokeReason: "period_over",
      OR: [
        { passcode: { deletedAt: null } },
        { face: { deletedAt: null } },
        { card: { state: { in: ["pending" as const, "active" as const] } } },
      ],
    },
  ],
} satisfies Prisma.CredentialWhereInput;

/**
 * A party takes a room: keys of whoever had it before stop working, whatever happened to their stay; those of parties yet
 * to come begin later and are left. Its own, if it comes earlier than planned, work from now.
 */
export async function beginAccess(scope: Scope, unit: Unit, stayId: number, roomId: number): Promise<void> {
  const others = { roomId, stayId: { not: stayId }, stay: { state: { not: "reserved" as const } } };
  await withdraw(scope, unit, others, "new_guest");
  const now = scope.now();
  const waiting = await unit.db.credential.findMany({
    where: { stayId, roomId, state: LIVE, validFrom: { gt: now } },
    orderBy: { lockId: "asc" },
  });
  for (const credential of waiting)
    await retime(scope, unit, credential, { validFrom: now, validTo: credential.validTo });
}

/** A party leaves the house: its cards, codes and faces are taken back at every door that has one, and the locks are told. */
export async function endAccess(scope: Scope, unit: Unit, stay: StayInRoom, reason: RevokeReason): Promise<void> {
  await takeBack(scope, unit, { stayId: stay.id }, reason);
  await withdraw(scope, unit, { stayId: stay.id }, reason);
  await blockRevokedCards(scope, unit, { stayId: stay.id });
  await settleCards(scope, unit);
}

/**
 * The stay's period changed: codes, faces and over-the-air cards follow; written cards must be written again. What began
 * early, because the party did, still does.
 */
export async function adjustAccess(
  scope: Scope,
  unit: Unit,
  stay: Pick<StayInRoom, "id" | "startsAt" | "endsAt">,
  buffers: Parameters<typeof accessWindow>[0] = scope.hotel,
): Promise<void> {
  const { validFrom, validTo } = accessWindow(buffers, stay);
  const ofStay = await unit.db.credential.findMany({
    where: { AND: [{ stayId: stay.id, validTo: { not: null } }, MAY_GO_ON] },
    orderBy: { lockId: "asc" },
  });
  for (const credential of ofStay) {
    const from = credential.validFrom < validFrom ? credential.validFrom : validFrom;
    await retime(scope, unit, credential, { validFrom: from, validTo });
  }
  const cards = { stayId: stay.id, overTheAir: true, state: { in: ["pending" as const, "active" as const] } };
  await unit.db.card.updateMany({ where: cards, data: { validTo } });
}

/**
 * The days of a party that has not come yet changed: codes, faces and over-the-air cards open in the new ones only, also
 * where those begin later. At the room it holds, and at every door beside it. What is written on cards can't be changed from
 * here: those that open at other times are taken back.
 */
export async function reschedule(
  scope: Scope,
  unit: Unit,
  stay: Pick<StayInRoom, "id" | "startsAt" | "endsAt">,
): Promise<void> {
  const { validFrom, validTo } = accessWindow(scope.hotel, stay);
  const live = await unit.db.credential.findMany({
    where: { stayId: stay.id, state: LIVE },
    orderBy: { lockId: "asc" },
  });
  for (const credential of live) {
    const window = { validFrom, validTo: credential.validTo && validTo };
    const same =
      credential.validFrom.getTime() === validFrom.getTime() &&
      credential.validTo?.getTime() === window.validTo?.getTime();
    if (!same) await retime(scope, unit, credential, window);
  }
  const record = recordPeriod(validFrom.toISOString(), validTo.toISOString());
  const outside = { OR: [{ validFrom: { lt: record.validFrom } }, { validTo: { gt: record.validTo ?? validTo } }] };
  const revoked = await takeBack(scope, unit, { AND: [{ stayId: stay.id, overTheAir: false }, outside] }, "superseded");
  if (revoked.length === 0) return;
  await blockRevokedCards(scope, unit, { stayId: stay.id });
  await settleCards(scope, unit);
}

/** The hotel's buffers changed: what its parties have at doors follows, in the order in which stays are locked. */
export async function adjustHotel(
  scope: Scope,
  unit: Unit,
  buffers: Parameters<typeof accessWindow>[0],
): Promise<void> {
  const stays = await unit.sql.rows<{ id: number; startsAt: string; endsAt: string }>(
    `SELECT s.id, iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt" FROM stay s
      WHERE s.hotel_id = $1 AND s.state IN ('reserved', 'checked_in')
        AND EXISTS (SELECT FROM credential t WHERE t.stay_id = s.id AND (t.state NOT IN ('revoking', 'revoked') OR t.revoke_reason = 'period_over'))
      ORDER BY s.id FOR NO KEY UPDATE OF s`,
  );
  for (const stay of stays) await adjustAccess(scope, unit, stay, buffers);
}

/**
 * Tells a lock another period of what it has. A code that somebody else has at that door in the new period keeps the one
 * it had: that must not hold up the stay. One-time codes know no period.
 */
async function retime(scope: Scope, unit: Unit, credential: Credential, window: AccessWindow): Promise<void> {
  const { id, lockId, codeHash, passcodeId, cardId } = credential;
  if (passcodeId !== null && (await isOneTime(unit, passcodeId))) return;
  await holdLock(unit, lockId);
  const hash = codeHash && Buffer.from(codeHash);
  if (hash && (await isCodeUsed(unit, lockId, [hash], window, passcodeId ?? 0))) return;
  const fresh = await unit.db.credential.findFirst({ where: { AND: [{ id }, MAY_GO_ON] } });
  if (!fresh) return;
  const isOver = fresh.state === "revoking" || fresh.state === "revoked";
  const goesOn = window.validTo === null || window.validTo > scope.now();
  if (isOver && (!goesOn || (await isReplaced(unit, fresh)))) return;
  const live = { state: "queued" as const, failReason: "", revokedAt: null, revokeReason: "" };
  const data = { ...window, ...live, ...(await atLock(unit, fresh)) };
  const { count } = await unit.db.credential.updateMany({ where: { AND: [{ id }, MAY_GO_ON] }, data });
  // Taken back by somebody since it was read: it must not come to life again.
  if (count === 0) return;
  await send(scope, unit, { ...credential, ...window }, await whatIs(scope, unit, credential));
  if (passcodeId !== null) await unit.db.passcode.update({ where: { id: passcodeId }, data: window });
  if (cardId !== null) await unit.db.card.updateMany({ where: { id: cardId, overTheAir: true }, data: window });
}

/** Whether the lock was given the same thing anew since it was taken back. */
async function isReplaced(unit: Unit, { id, lockId, cardId, passcodeId, faceId }: Credential): Promise<boolean> {
  const newer = { lockId, cardId, passcodeId, faceId, id: { not: id }, state: LIVE };
  return (await unit.db.credential.findFirst({ where: newer, select: { id: true } })) !== null;
}

/**
 * A party moves: its keys end at the old door, and what needs no new writing opens the new one. The same code goes along
 * where no other live code there is the same. `cut` is when the new door begins to count.
 */
export async function moveAccess(
  scope: Scope,
  unit: Unit,
  stay: StayInRoom,
  to: { roomId: number; cut: string },
): Promise<void> {
  const { roomId, cut } = to;
  if (stay.state === "checked_in") await beginAccess(scope, unit, stay.id, roomId);
  const moving = await unit.db.credential.findMany({
    where: { stayId: stay.id, roomId: stay.roomId, state: LIVE },
  });
  await takeBack(scope, unit, { stayId: stay.id, overTheAir: false }, "room_changed");
  await withdraw(scope, unit, { stayId: stay.id, roomId: stay.roomId }, "room_changed");
  await blockRevokedCards(scope, unit, { stayId: stay.id });
  await settleCards(scope, unit);
  const airCards = { card: { stayId: stay.id, overTheAir: true, state: "active" as const }, roomId: stay.roomId };
  await unit.db.cardRoom.updateMany({ where: airCards, data: { roomId } });

  const lock = await unit.db.lock.findFirst({ where: { roomId }, select: { id: true } });
  if (!lock) return;
  const window = accessWindow(scope.hotel, { startsAt: cut, endsAt: stay.endsAt });
  for (const credential of moving) {
    const { kind, cardId, passcodeId, faceId, codeHash } = credential;
    const oneTime = passcodeId !== null && (await isOneTime(unit, passcodeId));
    if (oneTime) continue;
    const until = credential.validTo === null ? { ...window, validTo: null } : window;
    const hash = codeHash && Buffer.from(codeHash);
    if (hash && (await isCodeUsed(unit, lock.id, [hash], until, passcodeId ?? 0))) continue;
    const thing: CredentialSubject = {
      kind,
      stayId: stay.id,
      what: await whatIs(scope, unit, credential),
      ...(cardId !== null && { cardId }),
      ...(passcodeId !== null && { passcodeId }),
      ...(faceId !== null && { faceId }),
      ...(hash && { codeHash: hash }),
    };
    await grantCredential(scope, unit, { id: lock.id, roomId }, thing, until);
    if (passcodeId !== null) {
      await unit.db.passcode.updateMany({ where: { id: passcodeId, roomId: stay.roomId }, data: { roomId } });
    }
  }
}
