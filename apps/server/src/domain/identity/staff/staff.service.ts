import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import {
  type freezeOperatorInput,
  type OperatorInput,
  operatorInput,
  type PatchOperatorInput,
  patchOperatorInput,
  type RoomGrant,
} from "@innkey/shared/schemas/identity/staff";
import type { z } from "zod";
import type { RateLimiter } from "../../../adapters/redis/rate-limits.ts";
import { tooManyAttempts } from "../../../kernel/errors.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import { notifyAccountHolder, type OutgoingMessages } from "../../messaging/public.ts";
import { endSessions, endSessionsInHotel, maskedAccount, setPassword } from "../login/accounts.ts";
import { type PasswordHasher, requireUncommon, requireUnrelated } from "../login/passwords.ts";
import { resetTwoStep } from "../two-step/recovery-codes.ts";
import {
  clearPersonalData,
  createOperator,
  hasLeftAnotherHotel,
  type Member,
  type Person,
  requireReach,
  selectMemberForUpdate,
  updateOperator,
} from "./members.ts";
import {
  checkPeriods,
  type Permissions,
  permissionsOf,
  permissionsView,
  replaceGrants,
  resolveAllRooms,
  setApiKeyAuth,
  setPermissions,
} from "./permissions.service.ts";

interface OperatorRef {
  operatorId: number;
}

interface StaffDeps {
  auth: { hasher: PasswordHasher };
  outgoingMessages: OutgoingMessages;
  /** Counts how often a hotel learned that an account is taken, possibly in another hotel. */
  accountAnswers: Pick<RateLimiter, "points" | "read" | "count">;
}

/**
 * Limits these answers, since unlimited attempts would reveal who works in other hotels of the installation. @throws
 * too_many_attempts
 */
async function withAnswerLimit<T>(scope: Scope, { accountAnswers }: StaffDeps, work: () => Promise<T>): Promise<T> {
  const key = String(scope.hotelId);
  const { count: used, resetInMs } = await accountAnswers.read(key);
  if (used >= accountAnswers.points) throw tooManyAttempts(resetInMs);
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.code === "account_taken") await accountAnswers.count(key);
    throw error;
  }
}

/** New personal data, with a password if it changes. */
type PersonForm = Person & Pick<OperatorInput, "password">;

/**
 * Creates an administrator or staff member, or changes one. A new password ends their sessions. They are notified of a
 * new password or account.
 * @throws no_permission (also for one's own password, and for apiKeyAuth unless an owner changes it), not_found,
 * account_taken (by anyone in this or another hotel),
 * invalid_input for a new person without a password, or for a weak password
 */
export async function save(scope: Scope, deps: StaffDeps, input: OperatorInput): Promise<OperatorRef> {
  scope.require("staff.manage");
  if (input.operatorId === undefined && input.password === undefined) {
    throw new DomainError("invalid_input", {}, { password: { key: v.required } });
  }
  const passwordHash = await hashOf(scope, deps.auth.hasher, input);
  const { operatorId } = input;
  return withAnswerLimit(scope, deps, () =>
    scope.write(async (tx) => {
      if (operatorId === undefined) return createMember(scope, tx, input, passwordHash ?? "");
      const member = await selectMemberForUpdate(tx, operatorId);
      const ref = await changeMember(
        scope,
        tx,
        member,
        input,
        requestedPermissions(input, member.grants),
        passwordHash,
      );
      if (input.apiKeyAuth !== undefined) await setApiKeyAuth(scope, tx, member, input.apiKeyAuth);
      await notifyAccountChange(scope, tx, deps.outgoingMessages, member, input.account, passwordHash);
      return ref;
    }),
  );
}

/**
 * Changes only the given fields of an administrator or staff member. Permissions remain as long as the role does.
 * @throws no_permission, not_found, account_taken, invalid_input, as `save`
 */
export async function patchOperator(scope: Scope, deps: StaffDeps, fields: PatchOperatorInput): Promise<OperatorRef> {
  scope.require("staff.manage");
  const passwordHash = await hashOf(scope, deps.auth.hasher, fields);
  const act = async (tx: Transaction): Promise<OperatorRef> => {
    const member = await selectMemberForUpdate(tx, fields.operatorId);
    const { role } = member;
    if (role === "owner") throw new DomainError("no_permission");
    const form = {
      name: fields.name ?? member.name,
      account: fields.account ?? member.mobile ?? member.email ?? "",
      gender: fields.gender ?? member.gender,
      nationality: fields.nationality ?? member.nationality,
      birthDate: fields.birthDate ?? member.birthDate,
      role: fields.role ?? role,
      password: fields.password,
    };
    const permissions = form.role === role ? permissionsOf(member.capabilities, member.grants) : permissionsOf([], []);
    const ref = await changeMember(scope, tx, member, form, permissions, passwordHash);
    await notifyAccountChange(scope, tx, deps.outgoingMessages, member, form.account, passwordHash);
    return ref;
  };
  return withAnswerLimit(scope, deps, () => scope.write(act));
}

/** Fields of a staff member as old clients send them; omitted fields are unchanged. */
type StaffFields = Omit<z.input<typeof patchOperatorInput>, "operatorId" | "account"> & {
  /** undefined: a new staff member */
  operatorId?: number | undefined;
  mobile?: string | undefined;
  email?: string | undefined;
};

/**
 * Creates a staff member, or changes the given fields of one. The account is `mobile`, otherwise `email`; a new member
 * without a role is ordinary staff. @throws as `save`
 */
export function saveFields(
  scope: Scope,
  deps: StaffDeps,
  { operatorId, mobile, email, ...fields }: StaffFields,
): Promise<OperatorRef> {
  const profile = { ...fields, account: mobile ?? email };
  return operatorId === undefined
    ? save(scope, deps, operatorInput.parse({ role: "staff", ...profile }))
    : patchOperator(scope, deps, patchOperatorInput.parse({ operatorId, ...profile }));
}

/**
 * Sends the notice to the earlier account, because the owner of that account would not see one sent to the new account.
 */
async function notifyAccountChange(
  scope: Scope,
  tx: Transaction,
  outgoingMessages: OutgoingMessages,
  member: Member,
  account: string,
  passwordHash: string | null,
): Promise<void> {
  const params = { hotel: scope.hotel.name };
  if (!hasAccount(member, account))
    await notifyAccountHolder(scope, tx, outgoingMessages, member, { template: "accountChanged", params });
  if (passwordHash !== null)
    await notifyAccountHolder(scope, tx, outgoingMessages, member, { template: "passwordSet", params });
}

const hasAccount = ({ mobile, email }: Member, account: string): boolean => account === mobile || account === email;

/**
 * @throws no_permission for one's own password, which needs the current one (auth.changePassword), so that no one can
 * change it at an unlocked desk; invalid_input for a very common password
 */
async function hashOf(
  scope: Scope,
  hasher: PasswordHasher,
  { operatorId, password }: Pick<OperatorInput, "operatorId" | "password">,
): Promise<string | null> {
  if (password === undefined) return null;
  if (operatorId !== undefined && operatorId === scope.operatorId) throw new DomainError("no_permission");
  await requireUncommon(password);
  return hasher.hash(password);
}

/** Staff get the requested capabilities and rooms. Administrators need none, because they may do everything. */
function requestedPermissions(input: OperatorInput, current: readonly RoomGrant[]): Permissions {
  if (input.role !== "staff") return { capabilities: [], grants: [] };
  const existing = new Map(current.map((grant) => [grant.roomId, grant]));
  const grants =
    input.grants ?? input.roomIds.map((roomId) => existing.get(roomId) ?? { roomId, startsAt: null, endsAt: null });
  return permissionsOf(input.capabilities, grants, input.allRooms);
}

async function createMember(
  scope: Scope,
  tx: Transaction,
  input: OperatorInput,
  passwordHash: string,
): Promise<OperatorRef> {
  const permissions = await resolveAllRooms(tx, requestedPermissions(input, []), false);
  checkPeriods(scope, permissions.grants, []);
  requireUnrelated(input.password ?? "", [input.name, input.account, scope.hotel.name]);
  const operatorId = await createOperator(tx, input, passwordHash, true, scope.now());
  const { hotelId } = scope;
  const membership = await tx.db.membership.create({
    data: {
      hotelId,
      operatorId,
      role: input.role,
      capabilities: permissions.capabilities,
      allRooms: permissions.allRooms,
      createdAt: scope.now(),
    },
  });
  await replaceGrants(tx, membership.id, permissions.grants);
  // The account's earlier holder may still have a passkey or an app.
  await resetTwoStep(tx, operatorId, scope.now());
  const { name, role } = input;
  const after = { name, account: maskedAccount(input.account), role, ...permissionsView(permissions) };
  tx.audit({ action: "operator.create", entity: "operator", entityId: operatorId, after });
  await setApiKeyAuth(
    scope,
    tx,
    { membershipId: membership.id, operatorId, apiKeyAuth: membership.apiKeyAuth },
    input.apiKeyAuth ?? false,
  );
  return { operatorId };
}

async function changeMember(
  scope: Scope,
  tx: Transaction,
  member: Member,
  input: PersonForm & Pick<OperatorInput, "role">,
  permissions: Permissions,
  passwordHash: string | null,
): Promise<OperatorRef> {
  const { operatorId } = member;
  requireReach(scope, member);
  // No one changes an owner's role or their own; otherwise a hotel could end up with no one able to undo it.
  if (member.role === "owner") throw new DomainError("no_permission");
  if (operatorId === scope.operatorId && input.role !== member.role) throw new DomainError("no_permission");
  await changePerson(scope, tx, member, input, passwordHash);
  await setPermissions(scope, tx, member, input.role, permissions);
  return { operatorId };
}

/**
 * Changes name, account and password. @throws no_permission for a person who also works for another hotel, and for the
 * name of one who left another hotel; invalid_input for a password derived from their personal data
 */
async function changePerson(
  scope: Scope,
  tx: Transaction,
  member: Member,
  input: PersonForm,
  passwordHash: string | null,
): Promise<void> {
  const { operatorId } = member;
  const { name, gender, nationality, birthDate } = input;
  const sameAccount = hasAccount(member, input.account);
  const account = sameAccount ? input.account : (member.mobile ?? member.email ?? "");
  const before = {
    name: member.name,
    gender: member.gender,
    nationality: member.nationality,
    birthDate: member.birthDate,
  };
  const changes = changesOf(
    { ...before, account: maskedAccount(account), accountChanged: false },
    { name, gender, nationality, birthDate, account: maskedAccount(input.account), accountChanged: !sameAccount },
    ["gender", "nationality", "birthDate"],
  );
  if (!changes && passwordHash === null) return;
  if (member.elsewhere) throw new DomainError("no_permission");
  if (name !== member.name && (await hasLeftAnotherHotel(tx, operatorId))) throw new DomainError("no_permission");
  if (changes) {
    await updateOperator(tx, operatorId, input, sameAccount);
    tx.audit({ action: "operator.update", entity: "operator", entityId: operatorId, ...changes });
  }
  if (passwordHash !== null) {
    const { mobile, email } = member;
    requireUnrelated(input.password ?? "", [name, input.account, mobile, email, scope.hotel.name]);
    await setPassword(tx, operatorId, passwordHash, "colleague", scope.now());
    const sessionsEnded = await endSessions(tx, operatorId, "password_changed", scope.now());
    tx.audit({
      action: "operator.setPassword",
      entity: "operator",
      entityId: operatorId,
      after: { sessionsEnded },
    });
  }
}

/**
 * Freezes a staff member, which ends all their sessions in this hotel at once, or unfreezes them.
 * @throws no_permission (yourself; an owner, for an administrator), not_found, last_owner, state_conflict if already so
 */
export async function setFrozen(scope: Scope, input: z.output<typeof freezeOperatorInput>): Promise<OperatorRef> {
  scope.require("staff.manage");
  const { operatorId, frozen } = input;
  return scope.write(async (tx) => {
    const member = await selectMemberForUpdate(tx, operatorId);
    requireReach(scope, member);
    if (frozen && member.role === "owner") await requireAnotherOwner(tx, operatorId);
    if (operatorId === scope.operatorId) throw new DomainError("no_permission");
    if (member.frozen === frozen) throw new DomainError("state_conflict");
    const frozenAt = frozen ? scope.now() : null;
    await tx.db.membership.updateMany({ where: { id: member.membershipId }, data: { frozenAt } });
    const sessionsEnded = frozen ? await endSessionsInHotel(tx, operatorId, "frozen", scope.now()) : 0;
    const action = frozen ? "operator.freeze" : "operator.unfreeze";
    tx.audit({ action, entity: "operator", entityId: operatorId, after: { sessionsEnded } });
    // A board change makes every open screen reload, so a frozen person is logged out now and not at the next
    // heartbeat.
    if (sessionsEnded > 0) tx.boardChanged([]);
    return { operatorId };
  });
}

/**
 * Ends a staff member's employment and sessions in this hotel; the caller must have checked staff.manage. @throws
 * no_permission (yourself; an owner, for an administrator), not_found, last_owner
 */
export async function endMembership(scope: Scope, tx: Transaction, operatorId: number): Promise<void> {
  const member = await selectMemberForUpdate(tx, operatorId);
  requireReach(scope, member);
  if (member.role === "owner") await requireAnotherOwner(tx, operatorId);
  if (operatorId === scope.operatorId) throw new DomainError("no_permission");
  const sessionsEnded = await endSessionsInHotel(tx, operatorId, "revoked", scope.now());
  await tx.db.membership.deleteMany({ where: { id: member.membershipId } });
  await clearPersonalData(tx, operatorId);
  const { name, role } = member;
  tx.audit({
    action: "operator.remove",
    entity: "operator",
    entityId: operatorId,
    before: { name, role },
    after: { sessionsEnded },
  });
  tx.boardChanged([]);
}

/**
 * Locks the hotel's owners, so that two of them cannot freeze or remove each other at the same moment. @throws
 * last_owner
 */
async function requireAnotherOwner(tx: Transaction, operatorId: number): Promise<void> {
  const owners = await tx.sql.rows<{ operatorId: number }>(
    `SELECT operator_id AS "operatorId" FROM membership
      WHERE hotel_id = $1 AND role = 'owner' AND frozen_at IS NULL ORDER BY id FOR UPDATE`,
  );
  if (!owners.some((owner) => owner.operatorId !== operatorId)) throw new DomainError("last_owner");
}
