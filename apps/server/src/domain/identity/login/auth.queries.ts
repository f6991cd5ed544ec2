import { DomainError } from "@innkey/shared/errors";
import type { Me } from "@innkey/shared/schemas/auth";
import type { Scope } from "../../../kernel/scope.ts";

interface OwnRow {
  mobile: string | null;
  email: string | null;
  avatarFileId: string | null;
  registeredAt: string;
  hotels: { id: number; name: string }[];
}

/** Returns who is logged in, in which hotel and with which permissions; `hotels` are those they can switch to. */
export async function me(scope: Scope): Promise<Me> {
  const { actor, hotel } = scope;
  const rows = await scope.sql.rows<OwnRow>(
    `SELECT o.mobile, o.email, o.avatar_file_id AS "avatarFileId", o.created_at AS "registeredAt",
        (SELECT coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name) ORDER BY h.name, h.id), '[]')
          FROM membership m JOIN hotel h ON h.id = m.hotel_id WHERE m.operator_id = o.id AND m.frozen_at IS NULL) AS hotels
      FROM operator o WHERE o.id = $2 AND EXISTS (SELECT FROM membership m WHERE m.hotel_id = $1 AND m.operator_id = o.id)`,
    actor.id,
  );
  const own = rows[0];
  if (!own || actor.id === null) throw new DomainError("session_revoked");
  const { id, name, timeZone, currency, language, checkInTime, checkOutTime, dayStartTime, weekendNights } = hotel;
  return {
    operatorId: actor.id,
    name: actor.name,
    mobile: own.mobile,
    email: own.email,
    avatarUrl: own.avatarFileId ? `/files/${own.avatarFileId}` : null,
    registeredAt: own.registeredAt,
    role: actor.role,
    apiKeyAuth: actor.apiKeyAuth,
    capabilities: [...actor.capabilities],
    hotel: {
      id,
      name,
      timeZone,
      currency,
      language,
      checkInTime,
      checkOutTime,
      dayStartTime,
      weekendNights: [...weekendNights],
    },
    hotels: own.hotels,
  };
}
