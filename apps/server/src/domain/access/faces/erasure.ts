import { FORGOTTEN } from "@innkey/shared/words";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { withdraw } from "../credentials/credentials.ts";

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
