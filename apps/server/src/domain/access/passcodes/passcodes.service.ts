import { DomainError } from "@innkey/shared/errors";
import { isSameHours } from "@innkey/shared/locks/week-hours";
import * as schema from "@innkey/shared/schemas/access/passcodes";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { nextId, type Transaction } from "../../../kernel/transaction.ts";
import { announceCode } from "../../messaging/public.ts";
import { type LiveStay, partyOfGuest, selectStayForUpdate } from "../../stays/public.ts";
import { hoursOf } from "../cards/card-record.ts";
import { limitShowings } from "../cards/showings.ts";
import { codeContent, codeContext, openCode } from "../credentials/credential-content.ts";
import {
  codeHash,
  grantCredential,
  locksOfRooms,
  markFormerHours,
  revokeCredentials,
} from "../credentials/credentials.ts";
import { accessWindow, type KeyPeriod, keyPeriod } from "../credentials/key-period.ts";
import { requireLocksWithHours } from "../locks/refuse-locks.ts";
import { commonDoorsOfStay } from "../zones/stay-zones.ts";
import { type Choice, checkChosenCode, type Door, drawFreeCode } from "./code-choice.ts";
import { madeForSql } from "./made-for.ts";
import { nextOneTimeCode } from "./one-time.ts";
import { requirePasscode, visiblePasscodeSql } from "./passcodes.queries.ts";

type Input<S extends z.ZodType> = z.infer<S>;
type PasscodeInput = schema.CreatePasscodeInput;
type GuestsOwn = "roomIds" | "stayId" | "holderId" | "person";
/**
 * The status of a new code: a one-time code is active at once, because its lock can verify it; others must first be sent
 * to their locks.
 */
type Created = schema.PasscodeCreated & { status: "pending" | "active" };

const MAX_TRIES = 10;

/**
 * Issues a code for a person. Over-the-air and custom codes are sent to each door. The lock computes a one-time code
 * itself, so it works at once, without a network and without an end (source: domain rules, Passcodes). @throws
 * no_permission, code_weak, code_taken, lock_missing, lock_not_set_up, codes_unused, stay_expired; lock_without_hours naming a
 * door whose lock can't receive days and hours; state_conflict for a
 * one-time code of a stay that isn't checked in
 */
export async function create(scope: Scope, input: PasscodeInput): Promise<Created> {
  scope.require("passcodes.issue");
  return retryIfCodeTaken(scope, (tx) => issue(scope, tx, input));
}

/** Creates a code in a guest's name for the door of the party's room, as long as they stay. @throws not_found */
export async function createForGuest(
  scope: Scope,
  { stayGuestId, ...input }: { stayGuestId: number } & Omit<z.input<typeof schema.createPasscodeInput>, GuestsOwn>,
): Promise<Created> {
  scope.require("passcodes.issue");
  const { stayId, roomId, name: person } = await partyOfGuest(scope, stayGuestId);
  const guests = { roomIds: [roomId], stayId, holderId: stayGuestId, person };
  return create(scope, schema.createPasscodeInput.parse({ ...input, ...guests }));
}

/** Runs a write that draws a code, and repeats it with another code if a concurrent write took the same one. */
export async function retryIfCodeTaken<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await scope.write(work);
    } catch (error) {
      if (attempt >= MAX_TRIES || !isTakenConcurrently(error)) throw error;
    }
  }
}

/**
 * Checks whether a concurrent write took the code after our check. Our own refusals name the door, this one doesn't.
 */
const isTakenConcurrently = (error: unknown): boolean =>
  error instanceof DomainError && error.code === "code_taken" && error.params.roomName === undefined;

/** Issues a code as `create` does, inside the caller's transaction. The caller must require passcodes.issue. */
export async function issue(scope: Scope, tx: Transaction, input: PasscodeInput): Promise<Created> {
  const isOneTime = input.type === "one_time";
  // A one-time code works immediately, so for a future stay it would let the guest into a room that others still
  // occupy.
  if (isOneTime && input.stayId !== null) await selectStayForUpdate(scope, tx, input.stayId, "checked_in");
  const period = await keyPeriod(scope, tx, isOneTime ? { ...input, validFrom: null, validTo: null } : input);
  const { doors, common } = await doorsOf(tx, period, isOneTime);
  if (isOneTime) return issueOneTimeCode(scope, tx, input, period, doors);
  const choice =
    input.type === "custom" && input.code !== null
      ? await checkChosenCode(scope, tx, input.code, doors, common, period.window)
      : await drawFreeCode(scope, tx, [...doors, ...common], period.window);
  const { code, free, taken: takenCodes } = choice;
  const passcodeId = await save(scope, tx, input, period, choice, null);
  if (input.hours.length > 0) await requireLocksWithHours(tx, free);
  const subject = { kind: "passcode" as const, passcodeId, stayId: period.stayId, codeHash: codeHash(scope, code) };
  const content = codeContent(code, input.hours);
  for (const door of free) await grantCredential(scope, tx, door, { ...subject, content }, period.window);
  if (period.stayId !== null) await limitShowings(scope, tx, { stayId: period.stayId });
  return { passcodeId, code, status: "pending", taken: takenCodes.map(({ roomName }) => roomName) };
}

/**
 * Issues a one-time code. No command is sent, because the lock computes the code; the credential is confirmed at once.
 */
async function issueOneTimeCode(
  scope: Scope,
  tx: Transaction,
  input: PasscodeInput,
  period: KeyPeriod,
  doors: Door[],
): Promise<Created> {
  const [door] = doors;
  if (!door || door.roomId === null) throw new DomainError("not_found");
  const now = scope.now();
  const window = { validFrom: now, validTo: null };
  const { code, counter } = await nextOneTimeCode(scope, tx, { ...door, roomId: door.roomId }, door.roomName);
  const choice = { code, free: [door], taken: [] };
  const passcodeId = await save(scope, tx, input, { ...period, window }, choice, counter);
  await tx.db.credential.create({
    data: {
      hotelId: scope.hotelId,
      lockId: door.id,
      roomId: door.roomId,
      kind: "passcode",
      state: "confirmed",
      passcodeId,
      stayId: period.stayId,
      codeHash: codeHash(scope, code),
      ...window,
      confirmedAt: now,
      createdAt: now,
    },
  });
  return { passcodeId, code, status: "active", taken: [] };
}

async function save(
  scope: Scope,
  tx: Transaction,
  { type, person, holderId, note, hours }: PasscodeInput,
  { stayId, window }: KeyPeriod,
  { code, free, taken: takenCodes }: Choice,
  otpCounter: bigint | null,
): Promise<number> {
  const stayGuestId = await holderOf(tx, { stayId, holderId, person });
  const id = await nextId(tx, "passcode");
  await tx.db.passcode.create({
    data: {
      id,
      hotelId: scope.hotelId,
      type,
      codeBox: scope.secrets.code.seal(code, codeContext(scope, id)),
      person,
      note,
      stayId,
      stayGuestId,
      roomId: free[0]?.roomId ?? 0,
      ...window,
      hours,
      otpCounter,
      createdById: scope.operatorId,
      createdAt: scope.now(),
    },
  });
  tx.audit({
    action: "passcode.create",
    entity: "passcode",
    entityId: id,
    after: {
      type,
      stayId,
      roomIds: free.flatMap(({ roomId }) => roomId ?? []),
      ...(free.some(({ roomId }) => roomId === null) && {
        commonDoors: free.filter(({ roomId }) => roomId === null).map(({ roomName }) => roomName),
      }),
      ...(takenCodes.length > 0 && { takenRoomIds: takenCodes.flatMap(({ roomId }) => roomId ?? []) }),
      validFrom: window.validFrom.toISOString(),
      validTo: window.validTo?.toISOString() ?? null,
      ...(hours.length > 0 && { hours }),
    },
  });
  // A one-time code is for the moment, from one person to another.
  if (stayId !== null && type !== "one_time") await announceCode(scope, tx, stayId, id);
  return id;
}

/** $2: the stay, $3: the guest who was named, $4: to whom the code is made out */
const HOLDERS = `SELECT sg.id FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
  CROSS JOIN (SELECT $4::text AS person) p
  WHERE sg.hotel_id = $1 AND sg.stay_id = $2::int AND CASE WHEN $3::int IS NULL THEN ${madeForSql("p", "g")} ELSE sg.id = $3::int END
  ORDER BY sg.id LIMIT 2`;

/**
 * Returns the guest of the stay who has a code: the one who was named, or the only one to whom it is made out. null: nobody
 * in particular. @throws not_found if the guest who was named isn't on the stay
 */
async function holderOf(
  tx: Transaction,
  { stayId, holderId, person }: Pick<PasscodeInput, "stayId" | "holderId" | "person">,
): Promise<number | null> {
  if (stayId === null) return null;
  const [first, second] = await tx.sql.rows<{ id: number }>(HOLDERS, stayId, holderId, person);
  if (holderId !== null && !first) throw new DomainError("not_found");
  return first && !second ? first.id : null;
}

/**
 * Returns the doors of the rooms and the common doors of the stay, with their names. Locks the rows of their locks, so
 * that codes for one lock are chosen one after the other. A one-time code opens no common door.
 */
async function doorsOf(
  tx: Transaction,
  { roomIds, stayId }: KeyPeriod,
  isOneTime: boolean,
): Promise<{ doors: Door[]; common: Door[] }> {
  const locks = await locksOfRooms(tx, roomIds);
  const common = stayId === null || isOneTime ? [] : await commonDoorsOfStay(tx, stayId);
  const lockIds = [...locks, ...common].map(({ id }) => id);
  await tx.sql.rows(
    "SELECT id FROM lock WHERE hotel_id = $1 AND id = ANY ($2::int[]) ORDER BY id FOR NO KEY UPDATE",
    lockIds,
  );
  const rooms = await tx.db.room.findMany({ where: { id: { in: [...roomIds] } }, select: { id: true, name: true } });
  const names = new Map(rooms.map(({ id, name }) => [id, name]));
  return { doors: locks.map((lock) => ({ ...lock, roomName: names.get(lock.roomId) ?? "" })), common };
}

/**
 * Returns the digits of a code, and audits that they were shown. @throws no_permission, not_found; state_conflict for a
 * removed code
 */
export async function reveal(
  scope: Scope,
  { passcodeId }: Input<typeof schema.passcodeRef>,
): Promise<Input<typeof schema.passcodeRevealed>> {
  scope.require("passcodes.issue");
  return scope.write(async (tx) => ({ code: await revealIn(scope, tx, passcodeId) }));
}

/** Returns the digits as `reveal` does, inside the caller's transaction. */
export async function revealIn(scope: Scope, tx: Transaction, passcodeId: number): Promise<string> {
  await requirePasscode(scope, tx.sql, passcodeId);
  const { codeBox, deletedAt } = await tx.db.passcode.findFirstOrThrow({ where: { id: passcodeId } });
  if (deletedAt) throw new DomainError("state_conflict");
  const code = openCode(scope, { id: passcodeId, codeBox });
  tx.audit({ action: "passcode.reveal", entity: "passcode", entityId: passcodeId });
  return code;
}

/**
 * Returns the digits of several codes by id, for lists, with one audit entry for all of them. Codes that were removed,
 * or that the caller can't see, are left out. @throws no_permission
 */
export async function revealAll(scope: Scope, passcodeIds: readonly number[]): Promise<Map<number, string>> {
  scope.require("passcodes.issue");
  if (passcodeIds.length === 0) return new Map();
  return scope.write(async (tx) => {
    const rows = await tx.sql.rows<{ id: number; codeBox: Uint8Array }>(
      `SELECT p.id, p.code_box AS "codeBox" FROM passcode p
        WHERE p.hotel_id = $1 AND p.id = ANY ($3::int[]) AND p.deleted_at IS NULL AND ${visiblePasscodeSql("p", "$2")} ORDER BY p.id`,
      scope.roomIds,
      [...passcodeIds],
    );
    const [first] = rows;
    if (!first) return new Map();
    const after = { passcodeIds: rows.map(({ id }) => id) };
    tx.audit({ action: "passcode.reveal", entity: "passcode", entityId: first.id, after });
    return new Map(rows.map((row) => [row.id, openCode(scope, row)]));
  });
}

/**
 * Changes the days and hours of a code without a stay. Each of its locks opens at the former ones until it has confirmed the
 * new ones. @throws no_permission, not_found; state_conflict for a code of a stay, one for a single use, or one that was
 * removed; lock_without_hours naming a door whose lock can't receive them
 */
export async function setHours(
  scope: Scope,
  { passcodeId, hours }: Input<typeof schema.passcodeHoursInput>,
): Promise<Input<typeof schema.passcodeRef>> {
  scope.require("passcodes.issue");
  return scope.write(async (tx) => {
    await requirePasscode(scope, tx.sql, passcodeId);
    const passcode = await tx.db.passcode.findFirstOrThrow({ where: { id: passcodeId } });
    if (passcode.deletedAt || passcode.stayId !== null || passcode.type === "one_time")
      throw new DomainError("state_conflict");
    const before = hoursOf(passcode);
    if (isSameHours(before, hours)) return { passcodeId };
    const credentials = await tx.db.credential.findMany({
      where: { passcodeId, state: { notIn: ["revoking", "revoked"] } },
      orderBy: { lockId: "asc" },
    });
    const doors = credentials.map(({ lockId, roomId }) => ({ id: lockId, roomId }));
    if (hours.length > 0) await requireLocksWithHours(tx, doors);
    await tx.db.passcode.update({ where: { id: passcodeId }, data: { hours } });
    const content = codeContent(openCode(scope, passcode), hours);
    const { validFrom, validTo } = passcode;
    for (const door of doors)
      await grantCredential(scope, tx, door, { kind: "passcode", passcodeId, content }, { validFrom, validTo });
    await markFormerHours(scope, tx, { passcodeId }, { before, hours });
    tx.audit({
      action: "passcode.hours",
      entity: "passcode",
      entityId: passcodeId,
      before: { hours: before },
      after: { hours },
    });
    return { passcodeId };
  });
}

/**
 * Revokes a code at every door. It is `revoking` while a door may still accept it. @throws no_permission, not_found;
 * state_conflict if it was already revoked
 */
export async function remove(
  scope: Scope,
  { passcodeId }: Input<typeof schema.passcodeRef>,
): Promise<Input<typeof schema.passcodeRef> & { standing: "revoking" | "revoked" }> {
  scope.require("passcodes.issue");
  return scope.write(async (tx) => {
    await requirePasscode(scope, tx.sql, passcodeId);
    await tx.db.passcode.update({ where: { id: passcodeId, deletedAt: null }, data: { deletedAt: scope.now() } });
    const revoked = await revokeCredentials(scope, tx, { passcodeId }, "by_hand");
    const roomIds = revoked.map(({ roomId }) => roomId);
    tx.audit({ action: "passcode.remove", entity: "passcode", entityId: passcodeId, before: { roomIds } });
    const unconfirmed = await tx.db.credential.findFirst({
      where: { passcodeId, state: "revoking" },
      select: { id: true },
    });
    return { passcodeId, standing: unconfirmed ? "revoking" : "revoked" };
  });
}

export interface DoorCode {
  passcodeId: number;
  code: string;
  validFrom: string;
  /** null: without end */
  validTo: string | null;
}

/**
 * Returns the code that a guest's party has for its room's door, or draws one in the guest's name. Repeated calls
 * return the same code. One-time codes don't count, as they allow one entry. @throws not_found; state_conflict for a
 * stay that ended, stay_expired; otherwise as `create`
 */
export async function doorCode(scope: Scope, stayGuestId: number): Promise<DoorCode> {
  scope.require("passcodes.issue");
  return retryIfCodeTaken(scope, async (tx) => {
    const where = { id: stayGuestId };
    const select = { stayId: true, guest: { select: { name: true } } };
    const person = await tx.db.stayGuest.findFirst({ where, select });
    if (!person) throw new DomainError("not_found");
    const stay = await selectStayForUpdate(scope, tx, person.stayId, "reserved", "checked_in");
    const passcode = await findDoorCode(scope, tx, stay);
    if (passcode) return { ...passcode, code: await revealIn(scope, tx, passcode.passcodeId) };
    const { passcodeId, code } = await issue(scope, tx, {
      type: "air",
      roomIds: [stay.roomId],
      stayId: stay.id,
      holderId: stayGuestId,
      person: person.guest.name,
      note: "",
      code: null,
      validFrom: null,
      validTo: null,
      hours: [],
    });
    return { passcodeId, code, ...(await periodOf(tx, passcodeId)) };
  });
}

/** Returns the party's first code that opens its door now, or will on arrival, among those the caller can see. */
async function findDoorCode(
  scope: Scope,
  tx: Transaction,
  stay: LiveStay,
): Promise<Omit<DoorCode, "code"> | undefined> {
  const [row] = await tx.sql.rows<Omit<DoorCode, "code">>(
    `SELECT p.id AS "passcodeId", iso(p.valid_from) AS "validFrom", iso(p.valid_to) AS "validTo" FROM passcode p
      WHERE p.hotel_id = $1 AND p.stay_id = $3::int AND p.type <> 'one_time' AND p.deleted_at IS NULL
        AND p.valid_from <= $6::timestamptz AND (p.valid_to IS NULL OR p.valid_to > $4::timestamptz) AND ${visiblePasscodeSql("p", "$2")}
        AND EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.passcode_id = p.id AND c.room_id = $5::int
          AND c.state NOT IN ('revoking', 'revoked', 'failed'))
      ORDER BY p.id LIMIT 1`,
    scope.roomIds,
    stay.id,
    scope.now(),
    stay.roomId,
    new Date(Math.max(scope.now().getTime(), accessWindow(scope.hotel, stay).validFrom.getTime())),
  );
  return row;
}

async function periodOf(tx: Transaction, id: number): Promise<Pick<DoorCode, "validFrom" | "validTo">> {
  const { validFrom, validTo } = await tx.db.passcode.findFirstOrThrow({ where: { id } });
  return { validFrom: validFrom.toISOString(), validTo: validTo?.toISOString() ?? null };
}
