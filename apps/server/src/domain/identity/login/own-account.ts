import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import type { changePasswordInput, OwnProfileInput } from "@innkey/shared/schemas/identity/auth";
import type { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import { type Scope, type ScopeFactory, SYSTEM_ACTOR } from "../../../kernel/scope.ts";
import { changesOf } from "../../../kernel/transaction.ts";
import type { FileStore } from "../../files/public.ts";
import { notifyAccountHolder, type OutgoingMessages } from "../../messaging/public.ts";
import { type Accounts, endSessions, maskedAccount, setPassword } from "./accounts.ts";
import type { Attempts } from "./attempts.ts";
import { type PasswordHasher, requireUnguessable } from "./passwords.ts";

/**
 * Saves the caller's own name, picture and start page, for every hotel they work for. The caller must have uploaded
 * the picture; the previous picture is erased. @throws not_found for another person's picture; no_permission for a
 * program
 */
export async function saveOwnProfile(
  scope: Scope,
  files: Pick<FileStore, "eraseUnusedAvatars">,
  { name, avatarFileId, startPage }: OwnProfileInput,
): Promise<void> {
  const { kind, id: operatorId } = scope.actor;
  if (kind !== "operator" || operatorId === null) throw new DomainError("no_permission");
  await scope.write(async (tx) => {
    const [before] = await tx.sql.rows<Required<OwnProfileInput>>(
      `SELECT o.name, o.avatar_file_id::text AS "avatarFileId", o.start_page::text AS "startPage" FROM operator o
        JOIN membership m ON m.operator_id = o.id AND m.hotel_id = $1 WHERE o.id = $2::int FOR UPDATE OF o`,
      operatorId,
    );
    if (!before) throw new DomainError("session_revoked");
    const next = { name, avatarFileId, startPage: startPage ?? before.startPage };
    const changes = changesOf({ ...before }, next);
    if (!changes) return;
    if (avatarFileId !== null && avatarFileId !== before.avatarFileId) {
      const where = { id: avatarFileId, kind: "avatar" as const, createdById: operatorId };
      if ((await tx.db.storedFile.count({ where })) === 0) throw new DomainError("not_found");
    }
    await tx.sql.rows(
      `UPDATE operator SET name = $3, avatar_file_id = $4::uuid, start_page = $5::start_page FROM membership m
        WHERE operator.id = $2::int AND m.operator_id = operator.id AND m.hotel_id = $1 RETURNING operator.id`,
      operatorId,
      name,
      avatarFileId,
      next.startPage,
    );
    tx.audit({ action: "operator.profile", entity: "operator", entityId: operatorId, ...changes });
  });
  await files.eraseUnusedAvatars(scope);
}

export interface OwnPassword {
  /**
   * Sets the caller's password, ends all their other sessions and notifies them. A wrong old password counts like a
   * failed login; an old password that a colleague has replaced is wrong too.
   * @throws credentials_wrong at the field, too_many_attempts; invalid_input for a weak password, or for the one that a
   * colleague set
   */
  change(scope: Scope, sessionId: string, input: z.infer<typeof changePasswordInput>): Promise<void>;
}

export function createOwnPassword(deps: {
  accounts: Accounts;
  attempts: Attempts;
  hasher: PasswordHasher;
  outgoingMessages: OutgoingMessages;
}): OwnPassword {
  const { accounts, attempts, hasher, outgoingMessages } = deps;
  return {
    async change(scope, sessionId, input) {
      const operatorId = scope.actor.id;
      if (operatorId === null) throw new DomainError("no_permission");
      const account = await accounts.byId(operatorId);
      const isRight = await hasher.verify(account?.passwordHash ?? null, input.oldPassword, {
        isKnown: true,
        before: async () => {
          await attempts.checkOwn(operatorId);
        },
        wrong: () => attempts.ownFailed(operatorId),
      });
      if (!account || !isRight) throw oldPasswordWrong();
      const { mobile, email, name } = account;
      if (account.passwordSetByOther && input.password === input.oldPassword) {
        throw new DomainError("invalid_input", {}, { password: { key: v.passwordSame } });
      }
      await requireUnguessable(input.password, [mobile, email, name, scope.hotel.name]);
      const passwordHash = await hasher.hash(input.password);
      await scope.write(async (tx) => {
        const currentHash = account.passwordHash;
        const isSet = await setPassword(tx, operatorId, passwordHash, { currentHash }, scope.now());
        // A colleague has set another password in the meantime.
        if (!isSet) throw oldPasswordWrong();
        const sessionsEnded = await endSessions(tx, operatorId, "password_changed", scope.now(), sessionId);
        tx.audit({
          action: "password.change",
          entity: "operator",
          entityId: operatorId,
          after: { sessionsEnded },
        });
        const params = { hotel: scope.hotel.name };
        await notifyAccountHolder(scope, tx, outgoingMessages, account, { template: "passwordChanged", params });
      });
      await attempts.ownSucceeded(operatorId);
    },
  };
}

function oldPasswordWrong(): DomainError {
  return new DomainError("credentials_wrong", {}, { oldPassword: { key: v.oldPassword } });
}

/**
 * Resets a password from the command line, the only way for an owner who forgot it where no mail can be sent. The
 * holder must choose another password at the next login; a second factor is still required.
 * @throws not_found, invalid_input for a weak password
 */
export async function resetPasswordOfAccount(
  { database, hasher, openScope }: { database: Database; hasher: PasswordHasher; openScope: ScopeFactory },
  account: string,
  password: string,
): Promise<void> {
  const membership = await database.prisma.membership.findFirst({
    where: { operator: { OR: [{ mobile: account }, { email: account }] } },
    orderBy: { id: "asc" },
    include: { hotel: true },
  });
  if (!membership) throw new DomainError("not_found");
  const { hotel, operatorId } = membership;
  await requireUnguessable(password, [account, hotel.name]);
  const passwordHash = await hasher.hash(password);
  const scope = openScope({
    actor: SYSTEM_ACTOR,
    hotel,
    language: "en",
    channel: "system",
    address: "",
    requestId: "reset-password",
  });
  await scope.write(async (tx) => {
    if (!(await setPassword(tx, operatorId, passwordHash, "colleague", scope.now())))
      throw new DomainError("not_found");
    const sessionsEnded = await endSessions(tx, operatorId, "password_changed", scope.now());
    const after = { account: maskedAccount(account), sessionsEnded };
    tx.audit({ action: "password.reset", entity: "operator", entityId: operatorId, after });
  });
}
