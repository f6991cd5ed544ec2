import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/faces";
import { FORGOTTEN } from "@innkey/shared/words";
import type { z } from "zod";
import type { Credential } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import type { FileStore } from "../../files/public.ts";
import { limitShowings } from "../cards/showings.ts";
import { grantCredential, locksOfRooms, revokeCredentials } from "../credentials/credentials.ts";
import { keyPeriod } from "../credentials/key-period.ts";
import { roomsOfLocks } from "../locks/locks.queries.ts";
import { fitKeysToZones } from "../zones/stay-zones.ts";
import { checkGuest, checkPicture } from "./face-images.ts";
import { requireFace } from "./faces.queries.ts";

type Input<S extends z.ZodType> = z.infer<S>;
type FaceRef = Input<typeof schema.faceRef>;

/** Enrols an uploaded picture as a face. It opens no door yet. @throws no_permission, consent_missing, invalid_input */
export async function enrol(scope: Scope, input: Input<typeof schema.enrolFaceInput>): Promise<FaceRef> {
  scope.require("faces.manage");
  const { fileId, note, guestId, consent } = input;
  if (!consent) throw new DomainError("consent_missing", {}, { consent: { key: "errors.consent_missing" } });
  const now = scope.now();
  return scope.write(async (tx) => {
    await checkPicture(scope, tx, fileId);
    await checkGuest(scope, tx, guestId);
    const { hotelId, operatorId: createdById } = scope;
    const face = await tx.db.face.create({
      data: { hotelId, note, fileId, guestId, consentAt: now, createdById, createdAt: now },
      select: { id: true },
    });
    // The audit entry omits the note, because it names the person and outlives the face.
    tx.audit({
      action: "face.enrol",
      entity: "face",
      entityId: face.id,
      after: { guestId, consentAt: now.toISOString() },
    });
    return { faceId: face.id };
  });
}

/** Changes the note of a face. @throws no_permission, not_found */
export async function rename(scope: Scope, { faceId, note }: Input<typeof schema.faceNoteInput>): Promise<FaceRef> {
  scope.require("faces.manage");
  return scope.write(async (tx) => {
    await requireFace(scope, tx.sql, faceId);
    const face = await tx.db.face.findFirstOrThrow({ where: { id: faceId }, select: { note: true } });
    const changes = changesOf({ note: face.note }, { note }, ["note"]);
    if (!changes) return { faceId };
    await tx.db.face.update({ where: { id: faceId, deletedAt: null }, data: { note } });
    tx.audit({ action: "face.rename", entity: "face", entityId: faceId, ...changes });
    return { faceId };
  });
}

/** Gives the faces of one person that open nothing but a stay's doors to another person. */
export async function moveFaces(
  tx: Transaction,
  { stayId, from, to }: { stayId: number; from: number; to: number },
): Promise<void> {
  await tx.db.face.updateMany({
    where: { guestId: from, credentials: { some: { stayId }, every: { stayId } } },
    data: { guestId: to },
  });
}

/**
 * Removes a face: revokes its access at every door and erases its picture. The row stays until each lock has confirmed.
 * @throws not_found; no_permission, also for staff if it opens doors outside their rooms
 */
export async function remove(scope: Scope, files: FileStore, { faceId }: FaceRef): Promise<FaceRef> {
  scope.require("faces.manage");
  const fileId = await scope.write(async (tx) => {
    await requireFace(scope, tx.sql, faceId);
    const face = await tx.db.face.findFirstOrThrow({ where: { id: faceId } });
    const revoked = await revokeCredentials(scope, tx, { faceId }, "erased");
    const isHidden = ({ roomId, stayId }: Credential): boolean =>
      roomId === null ? stayId === null && scope.roomIds !== null : !scope.seesRoom(roomId);
    if (revoked.some(isHidden)) throw new DomainError("no_permission");
    await tx.db.face.update({
      where: { id: faceId, deletedAt: null },
      data: { fileId: null, deletedAt: scope.now() },
    });
    const roomIds = revoked.map(({ roomId }) => roomId);
    tx.audit({ action: "face.remove", entity: "face", entityId: faceId, before: { roomIds } });
    return face.fileId;
  });
  // The face is already removed. If the storage can't delete the picture now, a job deletes it later (face-images.ts).
  if (fileId) await files.erase(scope, fileId).catch(ignoreStorageFailure);
  return { faceId };
}

/** Ignores failures of the storage. @throws any other error */
function ignoreStorageFailure(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== "external_failed") throw error;
}

/**
 * Erases faces of people who left. Revokes their access at every door and removes note and guest from the rows, which
 * stay until each lock has confirmed. Returns the file ids of the pictures, which must be erased after commit
 * (`FileStore.erase`). The caller must check the permission.
 */
export async function forgetFaces(scope: Scope, tx: Transaction, faceIds: readonly number[]): Promise<string[]> {
  const faces = await tx.db.face.findMany({
    where: { id: { in: [...faceIds] } },
    orderBy: { id: "asc" },
    select: { id: true, fileId: true, deletedAt: true },
  });
  for (const { id, deletedAt } of faces) {
    await revokeCredentials(scope, tx, { faceId: id }, "erased");
    await tx.db.credential.updateMany({ where: { faceId: id }, data: { note: "" } });
    await tx.db.face.update({
      where: { id },
      data: { fileId: null, deletedAt: deletedAt ?? scope.now(), note: FORGOTTEN, guestId: null },
    });
  }
  return faces.flatMap(({ fileId }) => fileId ?? []);
}

/**
 * Grants a face access to doors for a period, or to a stay's room for its duration. If it already has access, the
 * period is replaced. @throws no_permission, not_found, lock_missing, stay_expired, invalid_input; state_conflict for a
 * stay that ended
 */
export async function grant(
  scope: Scope,
  input: Input<typeof schema.grantFaceInput>,
): Promise<Input<typeof schema.faceGranted>> {
  scope.require("faces.manage");
  return scope.write((tx) => grantDoors(scope, tx, input));
}

/**
 * Grants a face access to the doors of locks, as `grant` does. @throws also not_found for a lock that the caller can't
 * see, whatever their permissions; state_conflict for a lock without a room
 */
export async function grantAtLocks(
  scope: Scope,
  { lockIds, ...input }: Input<typeof schema.grantFaceAtLocksInput>,
): Promise<Input<typeof schema.faceGranted>> {
  return scope.write(async (tx) => {
    const roomIds = await roomsOfLocks(scope, tx, lockIds);
    scope.require("faces.manage");
    return grantDoors(scope, tx, { ...input, stayId: null, roomIds });
  });
}

async function grantDoors(
  scope: Scope,
  tx: Transaction,
  input: Input<typeof schema.grantFaceInput>,
): Promise<Input<typeof schema.faceGranted>> {
  const { faceId, stayId } = input;
  await requireFace(scope, tx.sql, faceId);
  const grant = stayId === null ? input : { ...input, roomIds: [] };
  const { roomIds, window } = await keyPeriod(scope, tx, grant);
  const credentialIds: number[] = [];
  for (const lock of await locksOfRooms(tx, roomIds)) {
    const subject = { kind: "face" as const, faceId, stayId, content: { faceId } };
    credentialIds.push(await grantCredential(scope, tx, lock, subject, window));
  }
  if (stayId !== null) await fitKeysToZones(scope, tx, [stayId]);
  if (stayId !== null) await limitShowings(scope, tx, { stayId });
  tx.audit({
    action: "face.grant",
    entity: "face",
    entityId: faceId,
    after: {
      roomIds,
      stayId,
      validFrom: window.validFrom.toISOString(),
      validTo: window.validTo?.toISOString() ?? null,
    },
  });
  return { faceId, credentialIds };
}

/** Revokes a face's access at one door, also while the door waits for a lock. @throws no_permission, not_found; state_conflict if it was already revoked */
export async function withdrawGrant(
  scope: Scope,
  { credentialId }: Input<typeof schema.credentialRef>,
): Promise<Input<typeof schema.credentialRef>> {
  scope.require("faces.manage");
  return scope.write(async (tx) => {
    const credential = await tx.db.credential.findFirst({ where: { id: credentialId, kind: "face" } });
    // At common doors a face opens what its stay opens, and loses that with the room.
    if (!credential || credential.roomId === null || !scope.seesRoom(credential.roomId))
      throw new DomainError("not_found");
    const { faceId, roomId, stayId, revokeReason } = credential;
    const isWaiting = revokeReason === "lock_moved";
    // An older row that the door's former lock left behind would give the next lock the face again.
    const atDoor = { faceId, roomId, stayId };
    const live = await tx.db.credential.findFirst({
      where: { id: credentialId, state: { notIn: ["revoking", "revoked"] } },
    });
    if (live || isWaiting) await revokeCredentials(scope, tx, atDoor, "by_hand");
    else throw new DomainError("state_conflict", { state: credential.state });
    if (credential.stayId !== null) await fitKeysToZones(scope, tx, [credential.stayId]);
    tx.audit({
      action: "face.withdraw",
      entity: "face",
      entityId: credential.faceId ?? 0,
      before: { roomId: credential.roomId },
    });
    return { credentialId };
  });
}

/**
 * Changes the note of a permission at one door. @throws no_permission, not_found; state_conflict once it was revoked
 */
export async function describeGrant(
  scope: Scope,
  { credentialId, note }: Input<typeof schema.grantNoteInput>,
): Promise<Input<typeof schema.credentialRef>> {
  scope.require("faces.manage");
  return scope.write(async (tx) => {
    const credential = await tx.db.credential.findFirst({ where: { id: credentialId, kind: "face" } });
    if (!credential || !scope.seesRoom(credential.roomId ?? 0)) throw new DomainError("not_found");
    const { state, faceId, roomId } = credential;
    if (state === "revoking" || state === "revoked") throw new DomainError("state_conflict", { state });
    const changes = changesOf({ note: credential.note }, { note }, ["note"]);
    if (!changes) return { credentialId };
    await tx.db.credential.update({ where: { id: credentialId }, data: { note } });
    const { before, after } = changes;
    const entry = { action: "face.grant_note", entity: "face", entityId: faceId ?? 0 };
    tx.audit({ ...entry, before: { roomId, ...before }, after: { roomId, ...after } });
    return { credentialId };
  });
}
