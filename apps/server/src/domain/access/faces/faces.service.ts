import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/faces";
import { FORGOTTEN } from "@innkey/shared/words";
import type { z } from "zod";
import { changesOf } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { FileStore } from "../../files/public.ts";
import { withdraw } from "../credentials/credentials.ts";
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
    const ended = await withdraw(scope, tx, { faceId }, "erased");
    if (ended.some(({ roomId }) => roomId === null || !scope.seesRoom(roomId))) throw new DomainError("no_permission");
    await tx.db.face.update({
      where: { id: faceId, deletedAt: null },
      data: { fileId: null, deletedAt: scope.now() },
    });
    const roomIds = ended.map(({ roomId }) => roomId);
    tx.audit({ action: "face.remove", entity: "face", entityId: faceId, before: { roomIds } });
    return face.fileId;
  });
  // The face is already removed. If the storage can't delete the picture now, a job deletes it later (faces.jobs.ts).
  if (fileId) await files.erase(scope, fileId).catch(notExternal);
  return { faceId };
}

/** Ignores failures of the storage. @throws any other error */
function notExternal(error: unknown): void {
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
    await withdraw(scope, tx, { faceId: id }, "erased");
    await tx.db.credential.updateMany({ where: { faceId: id }, data: { note: "" } });
    await tx.db.face.update({
      where: { id },
      data: { fileId: null, deletedAt: deletedAt ?? scope.now(), note: FORGOTTEN, guestId: null },
    });
  }
  return faces.flatMap(({ fileId }) => fileId ?? []);
}
