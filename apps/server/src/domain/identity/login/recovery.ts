import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "@innkey/shared/errors";
import { type LanguageCode, languageOf } from "@innkey/shared/languages";
import { v } from "@innkey/shared/schemas/fields";
import type {
  legacyResetInput,
  recoverySent,
  resetPasswordInput,
  sendRecoveryCodeInput,
} from "@innkey/shared/schemas/identity/auth";
import type { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { type Scope, type ScopeFactory, SYSTEM_ACTOR } from "../../../kernel/scope.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import { notifyAccountHolder, type OutgoingMessages } from "../../messaging/public.ts";
import { type Account, type Accounts, endSessions, maskedAccount, setPassword } from "./accounts.ts";
import { type Attempts, RECOVERY_RESEND_SECONDS } from "./attempts.ts";
import type { Captchas } from "./captchas.ts";
import { findKnownDevice } from "./known-devices.ts";
import { type PasswordHasher, requireUnguessable, requireUnrelated } from "./passwords.ts";
import { hotelOf } from "./sessions.ts";
import type { Visitor } from "./visitor.ts";

const VALID_SECONDS = 5 * 60;
const MAX_TRIES = 5;
/**
 * Every request takes at least this long, also when it is refused, so that timing doesn't reveal whether the account
 * exists.
 */
const MIN_ANSWER_MS = 250;

export interface Recovery {
  /**
   * Sends a recovery code. The answer looks the same for every account. Only its handle makes the code usable, so tries
   * by other people don't count against it. @throws captcha_wrong, too_many_attempts
   */
  sendCode(visitor: Visitor, input: SendInput): Promise<Sent>;
  /** Sends a code to an old client, which needs no handle; only the newest such code of an account is accepted. */
  sendLegacyCode(visitor: Visitor, input: SendInput): Promise<Omit<Sent, "handle">>;
  /**
   * Sets a new password, ends all sessions, voids the account's other codes and notifies the holder. Five wrong tries
   * with a handle void only that handle's code.
   * @throws code_wrong, too_many_attempts; invalid_input for a weak password, or for the one that a colleague set;
   * state_conflict if a colleague set another one in the meantime
   */
  reset(visitor: Visitor, input: z.infer<typeof resetPasswordInput>): Promise<void>;
  /**
   * The same with the account's newest code for old clients. Five wrong tries from anywhere void that code. @throws as
   * `reset`
   */
  resetLegacy(visitor: Visitor, input: z.infer<typeof legacyResetInput>): Promise<void>;
}

type SendInput = z.infer<typeof sendRecoveryCodeInput>;
type Sent = z.infer<typeof recoverySent>;

/**
 * Counts the try before the code is checked, so that concurrent tries can't exceed five. $3 is the handle; null means
 * the newest code that needs no handle.
 */
const TRY_CODE = `UPDATE recovery_code SET tries = tries + 1
  WHERE id = (SELECT r.id FROM recovery_code r JOIN operator o ON o.id = r.operator_id
      WHERE (o.mobile = $1 OR o.email = $1) AND r.by_handle = ($3::uuid IS NOT NULL) AND r.id = coalesce($3::uuid, r.id)
      ORDER BY r.created_at DESC LIMIT 1)
    AND used_at IS NULL AND expires_at > $2 AND tries < ${MAX_TRIES}
  RETURNING id, code_hash AS "codeHash"`;

export function createRecovery(deps: {
  accounts: Accounts;
  attempts: Attempts;
  box: SecretBox;
  captchas: Captchas;
  clock: Clock;
  database: Database;
  hasher: PasswordHasher;
  outgoingMessages: OutgoingMessages;
  openScope: ScopeFactory;
}): Recovery {
  const { accounts, attempts, box, captchas, clock, database, hasher, outgoingMessages, openScope } = deps;
  const hashInput = (id: string, code: string): string => `recovery:${id}:${code}`;

  /** Opens a scope for an account that is active in some hotel; null otherwise. */
  async function scopeFor(account: Account | null, visitor: Visitor): Promise<Scope | null> {
    if (!account || account.hotelId === null) return null;
    const row = await accounts.at(account.operatorId, account.hotelId, clock.now());
    return row && openScope({ ...visitor, actor: SYSTEM_ACTOR, hotel: hotelOf(row) });
  }

  async function issueCode(
    scope: Scope,
    { operatorId, colleagueOnly }: Account,
    recipient: string,
    language: LanguageCode,
    handle: string | null,
  ): Promise<void> {
    // If messages appear on a page of the hotel instead of being sent, the owners could read the code.
    const isReadableByOthers = outgoingMessages.outboxOnly && !colleagueOnly;
    const [id, code, now] = [handle ?? randomUUID(), String(randomInt(1_000_000)).padStart(6, "0"), scope.now()];
    const messageId = await scope.write(async (tx) => {
      await tx.sql.rows(
        `INSERT INTO recovery_code (id, operator_id, code_hash, created_at, expires_at, by_handle)
          SELECT $3::uuid, m.operator_id, $4, $5, $6, $8::boolean FROM membership m
           WHERE m.hotel_id = $1 AND m.operator_id = $2::int AND NOT $7::boolean RETURNING id::text`,
        operatorId,
        id,
        box.fingerprint(hashInput(id, code)),
        now,
        new Date(now.getTime() + VALID_SECONDS * 1000),
        isReadableByOthers,
        handle !== null,
      );
      tx.audit({
        action: "password.sendCode",
        entity: "operator",
        entityId: operatorId,
        after: { account: maskedAccount(recipient) },
      });
      return outgoingMessages.queue(tx.db, {
        hotelId: scope.hotelId,
        channel: recipient.includes("@") ? "mail" : "sms",
        recipient,
        language,
        ...(isReadableByOthers
          ? { template: "recoveryByCommand", params: {} }
          : { template: "recoveryCode", params: { code, minutes: VALID_SECONDS / 60 }, operatorId }),
      });
    });
    await outgoingMessages.deliverSoon([messageId]);
  }

  const deviceOf = async (account: Account | null, { deviceToken }: Visitor): Promise<string | null> =>
    account && deviceToken ? findKnownDevice(database, clock, account.operatorId, deviceToken) : null;

  async function send(visitor: Visitor, input: SendInput, handle: string | null): Promise<Omit<Sent, "handle">> {
    await captchas.check(input);
    return withMinimumTime(async () => {
      const account = await accounts.find(input.account);
      await attempts.takeRecovery({
        account: input.account,
        address: visitor.address,
        deviceId: await deviceOf(account, visitor),
        isKnownNetwork: async () => account !== null && accounts.knowsNetwork(account.operatorId, visitor, clock.now()),
      });
      const scope = await scopeFor(account, visitor);
      if (scope && account) {
        const language = account.language ? languageOf(account.language).code : visitor.language;
        await issueCode(scope, account, input.account, language, handle);
      }
      return { expiresInSeconds: VALID_SECONDS, resendAfterSeconds: RECOVERY_RESEND_SECONDS };
    });
  }

  async function reset(
    visitor: Visitor,
    input: z.infer<typeof legacyResetInput>,
    handle: string | null,
  ): Promise<void> {
    await attempts.takeReset(visitor.address);
    await withMinimumTime(async () => {
      await requireUnguessable(input.password, [input.account]);
      const now = clock.now();
      const { rows } = await database.pool.query<{ id: string; codeHash: Buffer }>(TRY_CODE, [
        input.account,
        now,
        handle,
      ]);
      const [code] = rows;
      if (!code || !box.isFingerprint(hashInput(code.id, input.code), code.codeHash))
        throw new DomainError("code_wrong");
      const account = await accounts.find(input.account);
      const scope = await scopeFor(account, visitor);
      if (!scope || !account) throw new DomainError("code_wrong");
      // Checked only after the code, since the refusal reveals the account holder's names.
      requireUnrelated(input.password, [account.mobile, account.email, account.name, scope.hotel.name]);
      if (
        account.passwordSetByOther &&
        (await hasher.verify(account.passwordHash, input.password, { isKnown: true }))
      ) {
        throw new DomainError("invalid_input", {}, { password: { key: v.passwordSame } });
      }
      const passwordHash = await hasher.hash(input.password);
      await scope.write(async (tx) => {
        const used = await tx.sql.rows(
          `UPDATE recovery_code SET used_at = $3 WHERE id = $2::uuid AND used_at IS NULL
            AND operator_id IN (SELECT m.operator_id FROM membership m WHERE m.hotel_id = $1) RETURNING id::text`,
          code.id,
          now,
        );
        if (used.length === 0) throw new DomainError("code_wrong");
        await tx.sql.rows(
          `UPDATE recovery_code SET used_at = $3 WHERE operator_id = $2::int AND used_at IS NULL
            AND operator_id IN (SELECT m.operator_id FROM membership m WHERE m.hotel_id = $1) RETURNING id::text`,
          account.operatorId,
          now,
        );
        const currentHash = account.passwordHash;
        const isSet = await setPassword(tx, account.operatorId, passwordHash, { currentHash }, now);
        // A colleague has set another password in the meantime, with which the new one wasn't compared. The code stays
        // valid.
        if (!isSet) throw new DomainError("state_conflict");
        const sessions = await endSessions(tx, account.operatorId, "password_changed", now);
        const after = { account: maskedAccount(input.account), sessionsEnded: sessions };
        tx.audit({ action: "password.reset", entity: "operator", entityId: account.operatorId, after });
        const params = { hotel: scope.hotel.name };
        await notifyAccountHolder(scope, tx, outgoingMessages, account, { template: "passwordChanged", params });
      });
      const isKnownNetwork = async (): Promise<boolean> => false;
      await attempts.succeeded({
        account: input.account,
        operatorId: account.operatorId,
        visitor,
        deviceId: null,
        isKnownNetwork,
      });
    });
  }

  return {
    async sendCode(visitor, input) {
      const handle = randomUUID();
      return { handle, ...(await send(visitor, input, handle)) };
    },
    sendLegacyCode: (visitor, input) => send(visitor, input, null),
    reset: (visitor, { handle, ...input }) => reset(visitor, input, handle),
    resetLegacy: (visitor, input) => reset(visitor, input, null),
  };
}

async function withMinimumTime<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
  const answerTime = delay(MIN_ANSWER_MS);
  try {
    return await answer();
  } finally {
    await answerTime;
  }
}
