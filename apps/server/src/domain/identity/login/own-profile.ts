import { DomainError } from "@innkey/shared/errors";
import type { OwnProfileInput } from "@innkey/shared/schemas/auth";
import { changesOf } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { FileStore } from "../../files/public.ts";

/**
 * Saves the caller's own name and picture, for every hotel they work for. The caller must have uploaded the picture;
 * the previous picture is erased.
 * @throws not_found for another person's picture; no_permission for a program
 */
export async function saveOwnProfile(
  scope: Scope,
  files: Pick<FileStore, "eraseUnusedAvatars">,
  { name, avatarFileId }: OwnProfileInput,
): Promise<void> {
  const { kind, id: operatorId } = scope.actor;
  if (kind !== "operator" || operatorId === null) throw new DomainError("no_permission");
  await scope.write(async (tx) => {
    const [before] = await tx.sql.rows<OwnProfileInput>(
      `SELECT o.name, o.avatar_file_id::text AS "avatarFileId" FROM operator o
        JOIN membership m ON m.operator_id = o.id AND m.hotel_id = $1 WHERE o.id = $2::int FOR UPDATE OF o`,
      operatorId,
    );
    if (!before) throw new DomainError("session_revoked");
    const changes = changesOf({ ...before }, { name, avatarFileId });
    if (!changes) return;
    if (avatarFileId !== null && avatarFileId !== before.avatarFileId) {
      const where = { id: avatarFileId, kind: "avatar" as const, createdById: operatorId };
      if ((await tx.db.storedFile.count({ where })) === 0) throw new DomainError("not_found");
    }
    await tx.sql.rows(
      `UPDATE operator SET name = $3, avatar_file_id = $4::uuid FROM membership m
        WHERE operator.id = $2::int AND m.operator_id = operator.id AND m.hotel_id = $1 RETURNING operator.id`,
      operatorId,
      name,
      avatarFileId,
    );
    tx.audit({ action: "operator.profile", entity: "operator", entityId: operatorId, ...changes });
  });
  await files.eraseUnusedAvatars(scope);
}
