import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { whatIs } from "./credential-content.ts";
import { type CredentialSubject, grantCredential, isCodeUsed, type LockOfRoom } from "./credentials.ts";

/**
 * Grants the codes and faces of a room again when it gets a new lock. They were revoked with the former lock and work
 * on the new one for the rest of their time. Excluded are those of stays that are over, deleted ones, and one-time
 * codes, which only the former lock could compute.
 */
export async function putKeysBack(scope: Scope, tx: Transaction, lock: LockOfRoom): Promise<void> {
  const now = scope.now();
  const withdrawn = await tx.db.credential.findMany({
    where: {
      roomId: lock.roomId,
      kind: { in: ["passcode", "face"] },
      state: { in: ["revoking", "revoked"] },
      revokeReason: "lock_moved",
      AND: [
        { OR: [{ validTo: null }, { validTo: { gt: now } }] },
        { OR: [{ stayId: null }, { stay: { state: { in: ["reserved", "checked_in"] } } }] },
        { OR: [{ passcode: { deletedAt: null, type: { not: "one_time" } } }, { face: { deletedAt: null } }] },
      ],
    },
    orderBy: { id: "desc" },
  });
  const handled = new Set<string>();
  for (const credential of withdrawn) {
    const { kind, passcodeId, faceId, stayId, codeHash, validFrom, validTo } = credential;
    const subject = `${passcodeId}:${faceId}`;
    if (handled.has(subject)) continue;
    handled.add(subject);
    const live = await tx.db.credential.findFirst({
      where: { roomId: lock.roomId, passcodeId, faceId, state: { notIn: ["revoking", "revoked"] } },
      select: { id: true },
    });
    const hash = codeHash && Buffer.from(codeHash);
    const window = { validFrom, validTo };
    if (live || (hash && (await isCodeUsed(tx, lock.id, [hash], window, passcodeId ?? 0)))) continue;
    const again: CredentialSubject = {
      kind,
      stayId,
      what: await whatIs(scope, tx, credential),
      ...(passcodeId !== null && { passcodeId }),
      ...(faceId !== null && { faceId }),
      ...(hash && { codeHash: hash }),
    };
    await grantCredential(scope, tx, lock, again, window);
  }
}
