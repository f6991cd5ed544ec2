import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import type * as schema from "@innkey/shared/schemas/messaging/integrations";
import type { z } from "zod";
import { requireIntegrations, type Scope } from "../../../kernel/scope.ts";

import { newKeyToken } from "./key-token.ts";

/** Returns all keys of the hotel, live ones first, then newest first. @throws no_permission, feature_off */
export async function list(scope: Scope): Promise<schema.KeyRow[]> {
  requireIntegrations(scope);
  return scope.sql.rows<schema.KeyRow>(
    `SELECT k.id, k.name, k.key_id AS "keyId", k.scopes, k.state, iso(k.expires_at) AS "expiresAt",
        iso(k.last_used_at) AS "lastUsedAt", k.last_used_address AS "lastUsedAddress", iso(k.created_at) AS "createdAt",
        (SELECT name FROM operator WHERE id = k.created_by_id) AS "operatorName", iso(k.revoked_at) AS "revokedAt"
      FROM (SELECT *, CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= $2 THEN 'expired' ELSE 'live' END
              AS state FROM api_key WHERE hotel_id = $1) k
      ORDER BY k.state <> 'live', k.created_at DESC, k.id DESC`,
    scope.now(),
  );
}

/**
 * Creates a key; only this answer contains its token. @throws no_permission, feature_off; invalid_input if it would
 * have expired already
 */
export async function create(scope: Scope, input: z.infer<typeof schema.createKeyInput>): Promise<schema.KeyCreated> {
  requireIntegrations(scope);
  const { name, expiresAt } = input;
  if (expiresAt !== null && Date.parse(expiresAt) <= scope.now().getTime()) {
    throw new DomainError("invalid_input", {}, { expiresAt: { key: v.endPast } });
  }
  const scopes = [...new Set(input.scopes)];
  const { keyId, token, secretHash } = newKeyToken();
  return scope.write(async (tx) => {
    const { hotelId, operatorId: createdById } = scope;
    const { id } = await tx.db.apiKey.create({
      data: { hotelId, name, keyId, secretHash, scopes, expiresAt, createdById, createdAt: scope.now() },
      select: { id: true },
    });
    tx.audit({ action: "key.create", entity: "key", entityId: id, after: { name, keyId, scopes, expiresAt } });
    return { id, token };
  });
}

/**
 * Revokes a key with immediate effect. @throws no_permission, feature_off, not_found; state_conflict if already revoked
 */
export async function revoke(scope: Scope, { id }: z.infer<typeof schema.keyRef>): Promise<{ id: number }> {
  requireIntegrations(scope);
  return scope.write(async (tx) => {
    const key = await tx.db.apiKey.findFirst({ where: { id }, select: { name: true } });
    if (!key) throw new DomainError("not_found");
    const { count } = await tx.db.apiKey.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: scope.now() },
    });
    if (count === 0) throw new DomainError("state_conflict", { state: "revoked" });
    tx.audit({ action: "key.revoke", entity: "key", entityId: id, before: { name: key.name } });
    return { id };
  });
}
