import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/faces";
import type { z } from "zod";
import { changesOf } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { grantCredential, locksOfRooms, withdraw } from "../credentials/credentials.ts";
import { keyPeriod } from "../credentials/key-period.ts";
import { requireFace } from "./faces.queries.ts";

type Input<S extends z.ZodType> = z.infer<S>;

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
  const { faceId, stayId } = input;
  return scope.write(async (tx) => {
    await requireFace(scope, tx.sql, faceId);
    const grant = stayId === null ? input : { ...input, roomIds: [] };
    const { roomIds, window } = await keyPeriod(scope, tx, grant);
    const credentialIds: number[] = [];
    for (const lock of await locksOfRooms(tx, roomIds)) {
      const subject = { kind: "face" as const, faceId, stayId, what: { faceId } };
      credentialIds.push(await grantCredential(scope, tx, lock, subject, window));
    }
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
  });
}

/** Revokes a face's access at one door. @throws no_permission, not_found; state_conflict if it was already revoked */
export async function withdrawGrant(
  scope: Scope,
  { credentialId }: Input<typeof schema.credentialRef>,
): Promise<Input<typeof schema.credentialRef>> {
  scope.require("faces.manage");
  return scope.write(async (tx) => {
    const credential = await tx.db.credential.findFirst({ where: { id: credentialId, kind: "face" } });
    if (!credential || !scope.seesRoom(credential.roomId ?? 0)) throw new DomainError("not_found");
    const ended = await withdraw(scope, tx, { id: credentialId }, "by_hand");
    if (ended.length === 0) throw new DomainError("state_conflict", { state: credential.state });
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
