import { GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import type { Role } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { RoomGrant } from "@innkey/shared/schemas/identity/staff";
import { changesOf } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { Member } from "./member.ts";

/** What a staff member may do, and in which rooms during which periods. */
export interface Permissions {
  capabilities: string[];
  grants: RoomGrant[];
}

/**
 * Normalises permissions so that they can be compared: grantable capabilities only, each room once, in a fixed order.
 */
export function permissionsOf(capabilities: readonly string[], grants: readonly RoomGrant[]): Permissions {
  const byRoom = new Map(grants.map((grant) => [grant.roomId, grant]));
  return {
    capabilities: GRANTABLE_CAPABILITIES.filter((name) => capabilities.includes(name)),
    grants: [...byRoom.values()].sort((a, b) => a.roomId - b.roomId),
  };
}

const isTemporary = ({ startsAt, endsAt }: RoomGrant): boolean => startsAt !== null || endsAt !== null;

/** Permissions as the audit records them: the rooms, and separately the periods of temporary grants. */
export function permissionsView({ capabilities, grants }: Permissions) {
  return { capabilities, roomIds: grants.map(({ roomId }) => roomId), periods: grants.filter(isTemporary) };
}

const same = (a: RoomGrant, b: RoomGrant): boolean =>
  a.roomId === b.roomId && a.startsAt === b.startsAt && a.endsAt === b.endsAt;

/** A grant that has expired may remain, but a new one must not have expired already. @throws invalid_input */
export function checkPeriods(scope: Scope, grants: readonly RoomGrant[], current: readonly RoomGrant[]): void {
  const now = scope.now().toISOString();
  const over = grants.some(
    (grant) => grant.endsAt !== null && grant.endsAt <= now && !current.some((existing) => same(existing, grant)),
  );
  if (over) throw new DomainError("invalid_input", {}, { grants: { key: "validation.endPast" } });
}

/**
 * Replaces the grants with exactly these rooms and periods; a room that remains keeps the id of its grant.
 * @throws not_found for a room of another hotel
 */
export async function replaceGrants(
  tx: Transaction,
  membershipId: number,
  grants: readonly RoomGrant[],
): Promise<void> {
  const roomIds = grants.map(({ roomId }) => roomId);
  if ((await tx.db.room.count({ where: { id: { in: roomIds } } })) !== roomIds.length) {
    throw new DomainError("not_found");
  }
  await tx.db.roomGrant.deleteMany({ where: { membershipId, roomId: { notIn: roomIds } } });
  await tx.sql.rows(
    `INSERT INTO room_grant (hotel_id, membership_id, room_id, starts_at, ends_at)
     SELECT $1, $2::int, g."roomId", g."startsAt", g."endsAt"
       FROM jsonb_to_recordset($3::jsonb) AS g ("roomId" int, "startsAt" timestamptz, "endsAt" timestamptz)
     ON CONFLICT (membership_id, room_id) DO UPDATE SET starts_at = EXCLUDED.starts_at, ends_at = EXCLUDED.ends_at
     RETURNING id`,
    membershipId,
    JSON.stringify(grants),
  );
}

/** Revokes every grant of a room. */
export async function revokeRoomGrants(tx: Transaction, roomId: number): Promise<void> {
  await tx.db.roomGrant.deleteMany({ where: { roomId } });
}

/**
 * Sets the role and permissions of a locked staff member. Their open screens reload at once.
 * @throws invalid_input for a period that is over; not_found for a room of another hotel
 */
export async function permit(
  scope: Scope,
  tx: Transaction,
  member: Member,
  role: Exclude<Role, "owner">,
  permissions: Permissions,
): Promise<boolean> {
  const before = permissionsOf(member.capabilities, member.grants);
  const changes = changesOf(
    { role: member.role, ...permissionsView(before) },
    { role, ...permissionsView(permissions) },
  );
  if (!changes) return false;
  checkPeriods(scope, permissions.grants, member.grants);
  const { membershipId, operatorId } = member;
  await tx.db.membership.updateMany({
    where: { id: membershipId },
    data: { role, capabilities: permissions.capabilities },
  });
  await replaceGrants(tx, membershipId, permissions.grants);
  tx.audit({ action: "operator.permit", entity: "operator", entityId: operatorId, ...changes });
  tx.boardChanged();
  return true;
}
