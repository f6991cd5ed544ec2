import { type Capability, GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import type { Role } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import * as f from "@innkey/shared/schemas/fields";
import type * as schema from "@innkey/shared/schemas/identity/staff";
import type {
  AddPermitInput,
  OpenedActs,
  operatorRoleInput,
  PermitInput,
  permitted,
  RoomGrant,
} from "@innkey/shared/schemas/identity/staff";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import { type Member, selectMemberForUpdate } from "./members.ts";

/** Capabilities of a staff member, and the rooms and periods to which they apply. */
export interface Permissions {
  capabilities: string[];
  grants: RoomGrant[];
  /** All rooms, also those created later. undefined: as before, as long as no room is taken away. */
  allRooms?: boolean | undefined;
}

/**
 * Normalises permissions so that they can be compared: grantable capabilities only, each room once, in a fixed order.
 */
export function permissionsOf(
  capabilities: readonly string[],
  grants: readonly RoomGrant[],
  allRooms?: boolean,
): Permissions {
  const byRoom = new Map(grants.map((grant) => [grant.roomId, grant]));
  return {
    capabilities: GRANTABLE_CAPABILITIES.filter((name) => capabilities.includes(name)),
    grants: [...byRoom.values()].sort((a, b) => a.roomId - b.roomId),
    allRooms,
  };
}

const isTemporary = ({ startsAt, endsAt }: RoomGrant): boolean => startsAt !== null || endsAt !== null;

/** Permissions as the audit records them: the rooms, and separately the periods of temporary grants. */
export function permissionsView({ capabilities, grants, allRooms = false }: Permissions) {
  const roomIds = grants.map(({ roomId }) => roomId);
  return { capabilities, roomIds, allRooms, periods: grants.filter(isTemporary) };
}

const isSameGrant = (a: RoomGrant, b: RoomGrant): boolean =>
  a.roomId === b.roomId && a.startsAt === b.startsAt && a.endsAt === b.endsAt;

/** A grant that has expired may remain, but a new one must not have expired already. @throws invalid_input */
export function checkPeriods(scope: Scope, grants: readonly RoomGrant[], current: readonly RoomGrant[]): void {
  const now = scope.now().toISOString();
  const hasExpired = grants.some(
    (grant) =>
      grant.endsAt !== null && grant.endsAt <= now && !current.some((existing) => isSameGrant(existing, grant)),
  );
  if (hasExpired) throw new DomainError("invalid_input", {}, { grants: { key: "validation.endPast" } });
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

/**
 * Decides about all rooms: if they are requested, every room is granted without a period; if nothing is said, they stay
 * as long as every room is.
 */
export async function resolveAllRooms(
  tx: Transaction,
  permissions: Permissions,
  had: boolean,
): Promise<Permissions & { allRooms: boolean }> {
  const { capabilities, grants, allRooms = had } = permissions;
  if (!allRooms) return { capabilities, grants, allRooms };
  const rooms = await tx.db.room.findMany({ where: { deletedAt: null }, select: { id: true }, orderBy: { id: "asc" } });
  if (permissions.allRooms) {
    return { capabilities, grants: rooms.map(({ id }) => ({ roomId: id, startsAt: null, endsAt: null })), allRooms };
  }
  const permanent = new Set(grants.filter((grant) => !isTemporary(grant)).map(({ roomId }) => roomId));
  return { capabilities, grants, allRooms: rooms.every(({ id }) => permanent.has(id)) };
}

/**
 * Grants new rooms to staff who have all rooms, whose audit entry says so. The caller has created the rooms. The lock
 * makes a change of a person's rooms at the same time wait, so that it sees the new ones.
 */
export async function grantNewRooms(tx: Transaction, roomIds: readonly number[]): Promise<void> {
  await tx.sql.rows(
    "SELECT id FROM membership WHERE hotel_id = $1 AND role = 'staff' ORDER BY operator_id FOR NO KEY UPDATE",
  );
  await tx.sql.rows(
    `INSERT INTO room_grant (hotel_id, membership_id, room_id)
     SELECT $1, m.id, r.id FROM membership m JOIN room r ON r.hotel_id = m.hotel_id AND r.id = ANY ($2::int[])
      WHERE m.hotel_id = $1 AND m.role = 'staff' AND m.all_rooms
     ON CONFLICT DO NOTHING RETURNING id`,
    roomIds,
  );
}

/** Revokes every grant of a room. */
export async function revokeRoomGrants(tx: Transaction, roomId: number): Promise<void> {
  await tx.db.roomGrant.deleteMany({ where: { roomId } });
}

/**
 * Sets the role and permissions of a member whose row the caller has locked, and returns whether anything changed. Open
 * screens reload at once.
 * @throws invalid_input for a period that is over; not_found for a room of another hotel
 */
export async function setPermissions(
  scope: Scope,
  tx: Transaction,
  member: Member,
  role: Exclude<Role, "owner">,
  requested: Permissions,
): Promise<boolean> {
  const before = permissionsOf(member.capabilities, member.grants, member.allRooms);
  const permissions = await resolveAllRooms(tx, requested, role === "staff" && member.allRooms);
  const changes = changesOf(
    { role: member.role, ...permissionsView(before) },
    { role, ...permissionsView(permissions) },
  );
  if (!changes) return false;
  checkPeriods(scope, permissions.grants, member.grants);
  const { membershipId, operatorId } = member;
  await tx.db.membership.updateMany({
    where: { id: membershipId },
    data: { role, capabilities: permissions.capabilities, allRooms: permissions.allRooms },
  });
  await replaceGrants(tx, membershipId, permissions.grants);
  tx.audit({ action: "operator.permit", entity: "operator", entityId: operatorId, ...changes });
  tx.boardChanged([]);
  return true;
}

/**
 * Sets whether a member, whose row the caller has locked, can reach encryption management and third-party access. Open
 * screens reload at once. @throws no_permission for a change by anyone but an owner
 */
export async function setApiKeyAuth(
  scope: Scope,
  tx: Transaction,
  { membershipId, operatorId, apiKeyAuth: before }: Pick<Member, "membershipId" | "operatorId" | "apiKeyAuth">,
  apiKeyAuth: boolean,
): Promise<void> {
  const changes = changesOf({ apiKeyAuth: before }, { apiKeyAuth });
  if (!changes) return;
  if (scope.actor.role !== "owner") throw new DomainError("no_permission");
  await tx.db.membership.updateMany({ where: { id: membershipId }, data: { apiKeyAuth } });
  tx.audit({ action: "operator.permit", entity: "operator", entityId: operatorId, ...changes });
  tx.boardChanged([]);
}

/**
 * Sets the capabilities and rooms of staff members, all or none, and returns how many changed.
 * @throws no_permission, not_found, invalid_input; state_conflict for a person whose role is not staff
 */
export async function setStaffPermissions(scope: Scope, { people }: PermitInput): Promise<z.infer<typeof permitted>> {
  scope.require("staff.manage");
  const byOperator = new Map(people.map((person) => [person.operatorId, person]));
  const inOrder = [...byOperator.values()].sort((a, b) => a.operatorId - b.operatorId);
  return scope.write(async (tx) => {
    let changed = 0;
    for (const { operatorId, capabilities, grants, allRooms } of inOrder) {
      const member = await selectMemberForUpdate(tx, operatorId);
      if (member.role !== "staff") throw new DomainError("state_conflict");
      if (await setPermissions(scope, tx, member, "staff", permissionsOf(capabilities, grants, allRooms))) changed += 1;
    }
    return { changed };
  });
}

/**
 * Adds permanent room grants and capabilities to a staff member. Existing grants keep their periods, except that an
 * expired one becomes permanent.
 * @throws no_permission, not_found; state_conflict for a person whose role is not staff
 */
export async function addPermissions(
  scope: Scope,
  { operatorId, roomIds, capabilities }: AddPermitInput,
): Promise<{ operatorId: number }> {
  scope.require("staff.manage");
  const now = scope.now().toISOString();
  return scope.write(async (tx) => {
    const member = await selectMemberForUpdate(tx, operatorId);
    if (member.role !== "staff") throw new DomainError("state_conflict");
    const roomIdsInForce = member.grants
      .filter(({ endsAt }) => endsAt === null || endsAt > now)
      .map(({ roomId }) => roomId);
    const added = roomIds
      .filter((roomId) => !roomIdsInForce.includes(roomId))
      .map((roomId) => ({ roomId, startsAt: null, endsAt: null }));
    const permissions = permissionsOf([...member.capabilities, ...capabilities], [...member.grants, ...added]);
    await setPermissions(scope, tx, member, "staff", permissions);
    return { operatorId };
  });
}

/**
 * Makes a staff member an administrator, or the reverse. A former administrator starts without permissions.
 * @throws no_permission for owners and oneself, not_found; state_conflict if they have the role already
 */
export async function setRole(
  scope: Scope,
  { operatorId, role }: z.output<typeof operatorRoleInput>,
): Promise<{ operatorId: number }> {
  scope.require("staff.manage");
  return scope.write(async (tx) => {
    const member = await selectMemberForUpdate(tx, operatorId);
    if (member.role === "owner" || operatorId === scope.operatorId) throw new DomainError("no_permission");
    if (member.role === role) throw new DomainError("state_conflict");
    await setPermissions(scope, tx, member, role, { capabilities: [], grants: [] });
    return { operatorId };
  });
}

type Input<S extends z.ZodType> = z.infer<S>;

/** Staff member with a grant for a room. */
export interface RoomManager {
  grantId: number;
  operatorId: number;
  name: string;
  mobile: string | null;
  email: string | null;
  startsAt: string | null;
  endsAt: string | null;
}

/**
 * Returns the staff members with a grant for the room, permanent or temporary, including expired grants. @throws
 * no_permission
 */
export async function listRoomManagers(scope: Scope, roomId: number): Promise<(RoomManager & { account: string })[]> {
  scope.require("staff.view");
  const rows = await scope.sql.rows<RoomManager>(
    `SELECT g.id AS "grantId", o.id AS "operatorId", o.name, o.mobile, o.email, iso(g.starts_at) AS "startsAt", iso(g.ends_at) AS "endsAt"
       FROM room_grant g JOIN membership m ON m.id = g.membership_id JOIN operator o ON o.id = m.operator_id
      WHERE g.hotel_id = $1 AND g.room_id = $2::int ORDER BY o.name, o.id`,
    roomId,
  );
  return rows.map((row) => ({ ...row, account: row.mobile ?? row.email ?? "" }));
}

/**
 * Grants a staff member one more room, permanently or for a period; an existing grant gets the new period.
 * @throws no_permission; not_found if no one has that name or account; invalid_input if several have the name or the
 * period is over; state_conflict for other roles, which have every room anyway
 */
export async function grantRoom(
  scope: Scope,
  tx: Transaction,
  { account, ...grant }: RoomGrant & { account: string },
): Promise<Input<typeof schema.grantRef>> {
  scope.require("staff.manage");
  const member = await selectMemberForUpdate(tx, await findOperator(tx, account));
  if (member.role !== "staff") throw new DomainError("state_conflict");
  const others = member.grants.filter(({ roomId }) => roomId !== grant.roomId);
  const permissions = permissionsOf(member.capabilities, [...others, grant]);
  await setPermissions(scope, tx, member, "staff", permissions);
  const { id: grantId } = await tx.db.roomGrant.findFirstOrThrow({
    where: { membershipId: member.membershipId, roomId: grant.roomId },
    select: { id: true },
  });
  return { grantId };
}

/** Removes one room from a staff member's grants. @throws no_permission, not_found */
export async function revokeGrant(
  scope: Scope,
  { grantId }: Input<typeof schema.grantRef>,
): Promise<Input<typeof schema.grantRef>> {
  scope.require("staff.manage");
  return scope.write(async (tx) => {
    const grant = await tx.db.roomGrant.findFirst({
      where: { id: grantId },
      select: { roomId: true, membership: { select: { operatorId: true } } },
    });
    if (!grant) throw new DomainError("not_found");
    const member = await selectMemberForUpdate(tx, grant.membership.operatorId);
    const remaining = member.grants.filter(({ roomId }) => roomId !== grant.roomId);
    if (remaining.length === member.grants.length) throw new DomainError("not_found");
    await setPermissions(scope, tx, member, "staff", permissionsOf(member.capabilities, remaining));
    return { grantId };
  });
}

/** Finds a person by phone or e-mail, otherwise by name if only one person has it. */
async function findOperator(tx: Transaction, accountOrName: string): Promise<number> {
  const account = f.account.safeParse(accountOrName).data ?? null;
  const matches = await tx.sql.rows<{ id: number; byAccount: boolean }>(
    `SELECT o.id, coalesce($3::text IN (o.mobile, o.email), false) AS "byAccount"
       FROM membership m JOIN operator o ON o.id = m.operator_id
      WHERE m.hotel_id = $1 AND (lower(o.name) = lower($2) OR $3::text IN (o.mobile, o.email)) ORDER BY o.id LIMIT 3`,
    accountOrName,
    account,
  );
  const [first, second] = [...matches].sort((a, b) => Number(b.byAccount) - Number(a.byAccount));
  if (!first) throw new DomainError("not_found");
  if (second && !first.byAccount) {
    throw new DomainError("invalid_input", {}, { account: { key: "validation.unknown" } });
  }
  return first.id;
}

/** A procedure or call: the capabilities of which it requires one, and the name of its act. */
interface EntryPoint {
  capability: Capability | readonly Capability[];
  act?: string | undefined;
}

/** Returns the acts that each capability opens, each once. @throws no_permission */
export function listActs(scope: Scope, entryPoints: readonly (EntryPoint | undefined)[]): OpenedActs {
  scope.require("staff.view");
  const acts = new Map<Capability, Set<string>>();
  for (const { capability, act } of entryPoints.filter((one) => one !== undefined)) {
    if (act === undefined) continue;
    for (const name of [capability].flat()) acts.set(name, (acts.get(name) ?? new Set()).add(act));
  }
  return [...acts].map(([capability, names]) => ({ capability, acts: [...names] }));
}
