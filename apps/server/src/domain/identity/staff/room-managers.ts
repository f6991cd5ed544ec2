import { DomainError } from "@innkey/shared/errors";
import * as f from "@innkey/shared/schemas/fields";
import type * as schema from "@innkey/shared/schemas/identity/staff";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { lockedMember } from "./member.ts";
import { permissionsOf, permit } from "./permissions.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/** Staff member with a grant for a room. This file changes single grants; permit.service.ts sets all of a person's. */
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
 * Grants a staff member one more room, permanently or for a period; an existing grant gets the new period.
 * @throws no_permission; not_found if no one has that name or account; invalid_input if several have the name or the
 * period is over; state_conflict for other roles, which have every room anyway
 */
export async function addManager(
  scope: Scope,
  { account, roomId, startsAt, endsAt }: Input<typeof schema.roomManagerInput>,
): Promise<Input<typeof schema.grantRef>> {
  scope.require("staff.manage");
  return scope.write(async (tx) => {
    const member = await lockedMember(tx, await operatorCalled(tx, account));
    if (member.role !== "staff") throw new DomainError("state_conflict");
    const others = member.grants.filter((grant) => grant.roomId !== roomId);
    const permissions = permissionsOf(member.capabilities, [...others, { roomId, startsAt, endsAt }]);
    await permit(scope, tx, member, "staff", permissions);
    const { id: grantId } = await tx.db.roomGrant.findFirstOrThrow({
      where: { membershipId: member.membershipId, roomId },
      select: { id: true },
    });
    return { grantId };
  });
}

/** Removes one room from a staff member's grants. @throws no_permission, not_found */
export async function removeManager(
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
    const member = await lockedMember(tx, grant.membership.operatorId);
    const left = member.grants.filter(({ roomId }) => roomId !== grant.roomId);
    if (left.length === member.grants.length) throw new DomainError("not_found");
    await permit(scope, tx, member, "staff", permissionsOf(member.capabilities, left));
    return { grantId };
  });
}

/** Finds a person by phone or e-mail, otherwise by name if only one person has it. */
async function operatorCalled(tx: Transaction, called: string): Promise<number> {
  const account = f.account.safeParse(called).data ?? null;
  const matches = await tx.sql.rows<{ id: number; byAccount: boolean }>(
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
