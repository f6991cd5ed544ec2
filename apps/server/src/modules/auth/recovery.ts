import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "@innkey/shared/errors";
import { type LanguageCode, languageOf } from "@innkey/shared/languages";
import type { recoverySent, resetPasswordInput, sendRecoveryCodeInput } from "@innkey/shared/schemas/auth";
import { v } from "@innkey/shared/schemas/fields";
import type { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { type Scope, SYSTEM_ACTOR } from "../../core/scope.ts";
import type { ScopeFactory } from "../../core/scope-factory.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../infra/database/client.ts";
import { tellHolder } from "../notifications/account-notice.ts";
import type { Notifier } from "../notifications/notifications.service.ts";
import { type Account, type Accounts, endSessions, setPassword } from "./accounts.ts";
import { type Attempts, RECOVERY_RESEND_SECONDS } from "./attempts.ts";
import type { Captchas } from "./captchas.ts";
import { knownDevice } from "./known-devices.ts";
import { maskedAccount } from "./masked-account.ts";
import { hotelOf } from "./operator-at-hotel.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import type { Visitor } from "./visitor.ts";
import { requireUnguessable, requireUnrelated } from "./weak-passwords.ts";

const VALID_SECONDS = 5 * 60;
const TRIES = 5;
/** Every request for a code takes at least this long, so that an unknown account answers no sooner than a known one. */
const ANSWER_AFTER_MS = 250;

export interface Recovery {
  /** The same answer for every account. @throws captcha_wrong, too_many_attempts */
  sendCode(visitor: Visitor, input: z.infer<typeof sendRecoveryCodeInput>): Promise<z.infer<typeof recoverySent>>;
  /**
   * Sets a new password, ends all sessions, and tells the account's holder. Five wrong codes void the code.
   * @throws code_wrong, too_many_attempts, invalid_input for a weak password, and for the one that a
   * colleague gave them, state_conflict if they gave another meanwhile
   */
  reset(visitor: Visitor, input: z.infer<typeof resetPasswordInput>): Promise<void>;
}

/** Counts the try before it is judged, so that tries at the same moment can't be more than five. */
const TRY_CODE = `UPDATE recovery_code SET tries = tries + 1
  WHERE id = (SELECT r.id FROM recovery_code r JOIN operator o ON o.id = r.operator_id
      WHERE o.mobile = $1 OR o.email = $1 ORDER BY r.created_at DESC LIMIT 1)
    AND used_at IS NULL AND expires_at > $2 AND tries < ${TRIES}
  RETURNING id, code_hash AS "codeHash"`;

export function createRecovery(held: {
  accounts: Accounts;
  attempts: Attempts;
  box: SecretBox;
  captchas: Captchas;
  clock: Clock;
  database: Database;
  hasher: PasswordHasher;
  notifier: Notifier;
  openScope: ScopeFactory;
}): Recovery {
  const { accounts, attempts, box, captchas, clock, database, hasher, notifier, openScope } = held;
  const hashed = (id: string, code: string): string => `recovery:${id}:${code}`;

  /** For an account that may still log in somewhere. */
  async function scopeFor(account: Account | null, visitor: Visitor): Promise<Scope | null> {
    if (!account || account.hotelId === null) return null;
    const row = await accounts.at(account.operatorId, account.hotelId, clock.now());
    return row && openScope({ ...visitor, actor: SYSTEM_ACTOR, hotel: hotelOf(row) });
  }

  async function issue(
    scope: Scope,
    { operatorId, colleagueOnly }: Account,
    recipient: string,
    language: LanguageCode,
  ): Promise<void> {
    // Where messages end on a page of the hotel, its owners would read the code.
    const readByOthers = notifier.embedded && !colleagueOnly;
    const [id, code, now] = [randomUUID(), String(randomInt(1_000_000)).padStart(6, "0"), scope.now()];
    const messageId = await scope.write(async (unit) => {
      await unit.sql.rows(
        `INSERT INTO recovery_code (id, operator_id, code_hash, created_at, expires_at)
          SELECT $3::uuid, m.operator_id, $4, $5, $6 FROM membership m
           WHERE m.hotel_id = $1 AND m.operator_id = $2::int AND NOT $7::boolean RETURNING id::text`,
        operatorId,
        id,
        box.fingerprint(hashed(id, code)),
        now,
        new Date(now.getTime() + VALID_SECONDS * 1000),
        readByOthers,
      );
      unit.journal({
        action: "password.sendCode",
        entity: "operator",
        entityId: operatorId,
        after: { account: maskedAccount(recipient) },
      });
      return notifier.queue(unit.db, {
        hotelId: scope.hotelId,
        channel: recipient.includes("@") ? "mail" : "sms",
        recipient,
        language,
        ...(readByOthers
          ? { template: "recoveryByCommand", params: {} }
          : { template: "recoveryCode", params: { code, minutes: VALID_SECONDS / 60 }, operatorId }),
      });
    });
    await notifier.deliverSoon([messageId]);
  }

  const deviceOf = async (account: Account | null, { deviceToken }: Visitor): Promise<string | null> =>
    account && deviceToken ? knownDevice(database, clock, account.operatorId, deviceToken) : null;

  return {
    async sendCode(visitor, input) {
      await captchas.check(input);
      const answerTime = delay(ANSWER_AFTER_MS);
      const account = await accounts.find(input.account);
      await attempts.takeRecovery(input.account, visitor.address, await deviceOf(account, visitor));
      const scope = await scopeFor(account, visitor);
      if (scope && account) {
        const language = account.language ? languageOf(account.language).code : visitor.language;
        await issue(scope, account, input.account, language);
      }
      await answerTime;
      return { expiresInSeconds: VALID_SECONDS, resendAfterSeconds: RECOVERY_RESEND_SECONDS };
    },

    async reset(visitor, input) {
      await attempts.takeReset(visitor.address);
      await requireUnguessable(input.password, [input.account]);
      const now = clock.now();
      const tried = await database.pool.query<{ id: string; codeHash: Buffer }>(TRY_CODE, [input.account, now]);
      const code = tried.rows[0];
      if (!code || !box.isFingerprint(hashed(code.id, input.code), code.codeHash)) throw new DomainError("code_wrong");
      const account = await accounts.find(input.account);
      const scope = await scopeFor(account, visitor);
      if (!scope || !account) throw new DomainError("code_wrong");
      // Only now: what is refused here tells names to who tries.
      requireUnrelated(input.password, [account.mobile, account.email, account.name, scope.hotel.name]);
      if (account.passwordSetByOther && (await hasher.verify(account.passwordHash, input.password))) {
        throw new DomainError("invalid_input", {}, { password: { key: v.passwordSame } });
      }
      const passwordHash = await hasher.hash(input.password);
      await scope.write(async (unit) => {
        const used = await unit.sql.rows(
          `UPDATE recovery_code SET used_at = $3 WHERE id = $2::uuid AND used_at IS NULL
            AND operator_id IN (SELECT m.operator_id FROM membership m WHERE m.hotel_id = $1) RETURNING id::text`,
          code.id,
          now,
        );
        if (used.length === 0) throw new DomainError("code_wrong");
        const set = await setPassword(unit, account.operatorId, passwordHash, { was: account.passwordHash }, now);
        // A colleague gave them another one meanwhile, and this one wasn't held against it. The code stays good.
        if (!set) throw new DomainError("state_conflict");
        const sessions = await endSessions(unit, account.operatorId, "password_changed", now);
        const after = { account: maskedAccount(input.account), sessionsEnded: sessions };
        unit.journal({ action: "password.reset", entity: "operator", entityId: account.operatorId, after });
        const params = { hotel: scope.hotel.name };
        await tellHolder(scope, unit, notifier, account, { template: "passwordChanged", params });
      });
      const isKnownNetwork = async (): Promise<boolean> => false;
      await attempts.succeeded({
        account: input.account,
        operatorId: account.operatorId,
        visitor,
        deviceId: null,
        isKnownNetwork,
      });
    },
  };
}
