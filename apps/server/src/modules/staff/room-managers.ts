import { DomainError } from "@innkey/shared/errors";
import * as f from "@innkey/shared/schemas/fields";
import type * as schema from "@innkey/shared/schemas/people";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { lockedMember } from "./member.ts";
import { permissionsOf, permit } from "./permissions.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/** Members of staff who were granted a room, one at a time: what permit.service.ts does for whole people. */
export interface RoomManager {
  grantId: number;
  operatorId: number;
  name: string;
  mobile: string | null;
  email: string | null;
  startsAt: string | null;
  endsAt: string | null;
}

/** Whoever was granted the room, for good or for a period, also one that is over. @throws no_permission */
export async function managersOf(scope: Scope, roomId: number): Promise<RoomManager[]> {
  scope.require("staff.view");
  return scope.sql.rows<RoomManager>(
    `SELECT g.id AS "grantId", o.id AS "operatorId", o.name, o.mobile, o.email, iso(g.starts_at) AS "startsAt", iso(g.ends_at) AS "endsAt"
       FROM room_grant g JOIN membership m ON m.id = g.membership_id JOIN operator o ON o.id = m.operator_id
      WHERE g.hotel_id = $1 AND g.room_id = $2::int ORDER BY o.name, o.id`,
    roomId,
  );
}

/**
 * Grants a member of staff one room more, for good or for a period; a room that they have gets the period that is asked for.
 * @throws no_permission; not_found for nobody of that name or account, invalid_input for several of one name or a period
 * that is over; state_conflict for who is no member of staff, and so has every room
 */
export async function addManager(
  scope: Scope,
  { account, roomId, startsAt, endsAt }: Input<typeof schema.roomManagerInput>,
): Promise<Input<typeof schema.grantRef>> {
  scope.require("staff.manage");
  return scope.write(async (unit) => {
    const member = await lockedMember(unit, await operatorCalled(unit, account));
    if (member.role !== "staff") throw new DomainError("state_conflict");
    const others = member.grants.filter((grant) => grant.roomId !== roomId);
    const permissions = permissionsOf(member.capabilities, [...others, { roomId, startsAt, endsAt }]);
    await permit(scope, unit, member, "staff", permissions);
    const { id: grantId } = await unit.db.roomGrant.findFirstOrThrow({
      where: { membershipId: member.membershipId, roomId },
      select: { id: true },
    });
    return { grantId };
  });
}

/** Takes one room away from a member of staff. @throws no_permission, not_found */
export async function removeManager(
  scope: Scope,
  { grantId }: Input<typeof schema.grantRef>,
): Promise<Input<typeof schema.grantRef>> {
  scope.require("staff.manage");
  return scope.write(async (unit) => {
    const grant = await unit.db.roomGrant.findFirst({
      where: { id: grantId },
      select: { roomId: true, membership: { select: { operatorId: true } } },
    });
    if (!grant) throw new DomainError("not_found");
    const member = await lockedMember(unit, grant.membership.operatorId);
    const left = member.grants.filter(({ roomId }) => roomId !== grant.roomId);
    if (left.length === member.grants.length) throw new DomainError("not_found");
    await permit(scope, unit, member, "staff", permissionsOf(member.capabilities, left));
    return { grantId };
  });
}

/** Whose phone or e-mail it is; else whose name, if it is one person's. */
async function operatorCalled(unit: Unit, called: string): Promise<number> {
  const account = f.account.safeParse(called).data ?? null;
  const matches = await unit.sql.rows<{ id: number; byAccount: boolean }>(
    `SELECT o.id, coalesce($3::text IN (o.mobile, o.email), false) AS "byAccount"
       FROM membership m JOIN operator o ON o.id = m.operator_id
      WHERE m.hotel_id = $1 AND (lower(o.name) = lower($2) OR $3::text IN (o.mobile, o.email)) ORDER BY o.id LIMIT 3`,
    called,
    account,
  );
  const [first, second] = [...matches].sort((a, b) => Number(b.byAccount) - Number(a.byAccount));
  if (!first) throw new DomainError("not_found");
  if (second && !first.byAccount) {
    throw new DomainError("invalid_input", {}, { account: { key: "validation.unknown" } });
  }
  return first.id;
}
