import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Role } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { type Due, MAX_SESSIONS, type sessionRow } from "@innkey/shared/schemas/identity/auth";
import DataLoader from "dataloader";
import type { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { actorOf, type Channel, type HotelContext, type Scope, type ScopeFactory } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { MEMBER } from "../two-step/factors.ts";
import { forgetDeviceOf, newDeviceToken, rememberDevice } from "./known-devices.ts";
import type { Visitor } from "./visitor.ts";

/** Hotel with the version of its board, as requests need it. */
export interface HotelWithBoard extends HotelContext {
  boardVersion: string;
  /** PostgreSQL's snapshot in which this was read (kernel/kept-answers.ts) */
  snapshot: string;
}

/** Columns of a HotelWithBoard over the aliases h (hotel) and hs (hotel_state). */
export const hotelColumns = `h.id, h.name, h.time_zone AS "timeZone", h.currency, h.language, h.hour_format AS "hourFormat",
  h.check_in_time AS "checkInTime", h.check_out_time AS "checkOutTime", h.day_start_time AS "dayStartTime",
  h.weekend_nights AS "weekendNights", h.access_early_minutes AS "accessEarlyMinutes",
  h.access_late_minutes AS "accessLateMinutes", hs.board_version::text AS "boardVersion",
  pg_current_snapshot()::text AS snapshot`;

/** Operator in one hotel, as one row with all that is needed to open their scope. */
export interface OperatorAtHotel extends HotelWithBoard {
  operatorId: number;
  operatorName: string;
  /** null without a membership, for example after it was removed */
  role: Role | null;
  capabilities: string[];
  apiKeyAuth: boolean;
  frozen: boolean;
  /** A colleague set their current password, so they must choose another. */
  passwordDue: boolean;
  /** The hotel requires a second factor, and they have none. */
  twoStepDue: boolean;
  roomIds: number[];
}

/**
 * Columns of an OperatorAtHotel over the aliases o (operator_now), m (membership), h (hotel) and hs (hotel_state);
 * `now` is the parameter with the current time, which decides the room grants in force.
 */
export const operatorAtHotelColumns = (now: string): string => `
  o.id AS "operatorId", o.name AS "operatorName", m.role, coalesce(m.capabilities, '{}') AS capabilities,
  coalesce(m.api_key_auth, false) AS "apiKeyAuth", m.frozen_at IS NOT NULL AS frozen,
  o.password_set_by_other AS "passwordDue",
  coalesce(asks_second_factor(h.two_step, m.role), false) AND NOT o.has_second_factor AS "twoStepDue",
  CASE WHEN m.role = 'staff' THEN ARRAY(
    SELECT g.room_id FROM room_grant g WHERE g.membership_id = m.id
      AND (g.starts_at IS NULL OR g.starts_at <= ${now}) AND is_live_grant(g.ends_at, ${now}))
    ELSE '{}' END AS "roomIds",
  ${hotelColumns}`;

/**
 * Returns what the person must do before anything else. Only the console asks for a new password, because old clients
 * and programs have no page to choose one.
 */
export function dueOf({ passwordDue, twoStepDue }: OperatorAtHotel, channel: Channel): Due | null {
  if (passwordDue && channel === "console") return "password";
  return twoStepDue ? "two_step" : null;
}

export function hotelOf(row: HotelContext): HotelContext {
  const { id, name, currency, language, checkInTime, checkOutTime, timeZone, dayStartTime, weekendNights } = row;
  const { hourFormat, accessEarlyMinutes, accessLateMinutes } = row;
  return {
    ...{ id, name, currency, language, checkInTime, checkOutTime, timeZone, dayStartTime, weekendNights },
    ...{ hourFormat, accessEarlyMinutes, accessLateMinutes },
  };
}

/** Opens the operator's scope in the hotel; null without an active membership. */
function scopeOf(row: OperatorAtHotel, visitor: Visitor, openScope: ScopeFactory): Scope | null {
  if (row.role === null || row.frozen) return null;
  const actor = actorOf({ ...row, name: row.operatorName, role: row.role });
  const { language, channel, address, requestId } = visitor;
  return openScope({ actor, hotel: hotelOf(row), language, channel, address, requestId });
}

/** Why a session ended (database enum session_end). */
export type SessionEnd = "signed_out" | "password_changed" | "frozen" | "revoked" | "two_step_changed" | "too_many";

/**
 * Scope of a session token, or the reason why there is none. The same query reads the hotel's `boardVersion`. A person
 * who must first choose a password or set up a second factor gets only the `limited` scope. Every channel treats that
 * as an ended session, except for the calls with which they do this.
 */
export interface Resolution {
  scope: Scope | null;
  limited: Scope | null;
  sessionEnd: "session_expired" | "session_revoked" | "password_due" | "two_step_due" | null;
  sessionId: string | null;
  boardVersion: string | null;
  /** The snapshot of that query (kernel/kept-answers.ts) */
  snapshot: string | null;
}

export interface SignedIn {
  /** 256 random bits; only their hash is stored. */
  token: string;
  scope: Scope;
  /** Token that identifies the browser at later logins; null for clients without one. */
  deviceToken: string | null;
}

/** How a session began. */
export interface SessionOpening {
  how: "login" | "setup";
  /** 1: only a password. 2: also a second factor, or a passkey, which counts as two. */
  factors: 1 | 2;
  /** Uses up the proof that let the operator in, in the same transaction. Returns what the audit records about it. */
  spendProof?: (tx: Transaction) => Promise<Record<string, unknown>>;
}

export interface Sessions {
  readonly limits: SessionLimits;
  /**
   * Resolves a token in one round trip. It is valid only on the channel that it was issued on. With `touch` false this
   * doesn't count as activity of the operator, and all tokens that are resolved at once share one round trip: an event
   * makes every open console check its session.
   */
  resolve(token: string, visitor: Visitor, touch?: boolean): Promise<Resolution>;
  /** Opens the operator's scope in a hotel; null without an active membership. */
  scopeAt(operatorId: number, hotelId: number, visitor: Visitor): Promise<Scope | null>;
  /** Opens a session, and ends the one that the browser still has. */
  begin(scope: Scope, visitor: Visitor, opening: SessionOpening): Promise<SignedIn>;
  /** Records that the session's operator has shown the second factor that they added in this session. */
  recordSecondFactor(tx: Transaction, scope: Scope, sessionId: string): Promise<void>;
  /** Checks that the operator showed the password or a passkey in the last ten minutes. @throws proof_needed */
  requireProof(scope: Scope, sessionId: string): Promise<void>;
  /** Records that the operator showed the password or a passkey just now. */
  recordProof(tx: Transaction, scope: Scope, sessionId: string): Promise<void>;
  end(scope: Scope, sessionId: string): Promise<void>;
  list(scope: Scope, currentId: string): Promise<z.infer<typeof sessionRow>[]>;
  /** Ends one of the caller's own sessions and forgets its browser. @throws not_found */
  revoke(scope: Scope, sessionId: string): Promise<void>;
  /** Moves the session to another hotel of the operator. @throws not_found if they don't work there */
  switchHotel(scope: Scope, sessionId: string, hotelId: number, visitor: Visitor): Promise<Scope>;
}

/** `last_seen_at` is updated at most this often. */
const TOUCH_MS = 60_000;
/** How long expired sessions are stored. */
const RETENTION_MS = 30 * 86_400_000;
/** How long after showing the password or a passkey a person may change the protection of their account. */
export const PROOF_SECONDS = 10 * 60;
const NO_SESSION: Resolution = {
  scope: null,
  limited: null,
  sessionEnd: null,
  sessionId: null,
  boardVersion: null,
  snapshot: null,
};

interface SessionRow extends OperatorAtHotel {
  sessionId: string;
  tokenHash: string;
  ended: boolean;
  expired: boolean;
  stale: boolean;
}

/**
 * A session opened with only a password ends when its operator has a second factor. Merely limiting it would not
 * suffice, because someone who has the password could remove the factor in it.
 */
const resolveSql = (tokens: string): string => `SELECT ${operatorAtHotelColumns("$2")}, s.id AS "sessionId",
    encode(s.token_hash, 'hex') AS "tokenHash",
    s.ended_at IS NOT NULL OR (s.factors < 2 AND o.has_second_factor) AS ended,
    s.expires_at <= $2 OR s.last_seen_at <= $3 AS expired, s.last_seen_at <= $4 AS stale
  FROM session s JOIN operator_now o ON o.id = s.operator_id JOIN hotel h ON h.id = s.hotel_id
  JOIN hotel_state hs ON hs.hotel_id = h.id
  LEFT JOIN membership m ON m.hotel_id = s.hotel_id AND m.operator_id = s.operator_id
  WHERE s.token_hash = ${tokens} AND s.door = $5`;
const RESOLVE = resolveSql("$1");
const RESOLVE_MANY = resolveSql("ANY ($1::bytea[])");

const hashOf = (token: string): Buffer<ArrayBuffer> => createHash("sha256").update(token).digest();

/** Returns 256 random bits that don't start like an API key or key pass (`ik_…`, `gk_…`). */
function newToken(): string {
  const token = randomBytes(32).toString("base64url");
  return /^[ig]k_/.test(token) ? newToken() : token;
}

/** Ends one live session of the caller; returns false if there is none with this id. */
async function endOne(tx: Transaction, scope: Scope, sessionId: string, reason: SessionEnd): Promise<boolean> {
  const rows = await tx.sql.rows(
    `UPDATE session SET ended_at = $4, end_reason = $5::session_end WHERE id = $2::uuid AND operator_id = $3::int
      AND ended_at IS NULL AND EXISTS (SELECT FROM membership m WHERE m.hotel_id = $1 AND m.operator_id = $3::int)
      RETURNING id::text`,
    sessionId,
    scope.actor.id,
    scope.now(),
    reason,
  );
  return rows.length === 1;
}

/**
 * Counts sessions per operator and channel, so that a program that logs in for every call doesn't end sessions at the
 * desk.
 */
async function endOldest(tx: Transaction, scope: Scope, channel: string, newest: string, now: Date): Promise<void> {
  await tx.sql.rows(
    `UPDATE session SET ended_at = $5, end_reason = 'too_many' WHERE id IN (
        SELECT id FROM session WHERE operator_id = $2::int AND door = $3 AND ended_at IS NULL AND expires_at > $5
          ORDER BY (id = $6::uuid) DESC, last_seen_at DESC, created_at DESC OFFSET $4::int)
      AND EXISTS (SELECT FROM membership m WHERE m.hotel_id = $1 AND m.operator_id = $2::int) RETURNING id::text`,
    scope.actor.id,
    channel,
    MAX_SESSIONS,
    now,
    newest,
  );
}

export interface SessionLimits {
  idleSeconds: number;
  maxSeconds: number;
}

export function createSessions(deps: {
  database: Database;
  accounts: { at(operatorId: number, hotelId: number, now: Date): Promise<OperatorAtHotel | null> };
  clock: Clock;
  openScope: ScopeFactory;
  limits: SessionLimits;
}): Sessions {
  const { accounts, clock, openScope, limits } = deps;
  const { pool } = deps.database;

  async function scopeAt(operatorId: number, hotelId: number, visitor: Visitor): Promise<Scope | null> {
    const row = await accounts.at(operatorId, hotelId, clock.now());
    return row && scopeOf(row, visitor, openScope);
  }

  async function end(scope: Scope, sessionId: string): Promise<void> {
    await scope.write(async (tx) => {
      await endOne(tx, scope, sessionId, "signed_out");
      tx.audit({ action: "session.logout", entity: "session", entityId: sessionId });
    });
  }

  // With a short idle limit, updates are more frequent, so that an active session doesn't expire between two of them.
  const touchMs = Math.min(TOUCH_MS, (limits.idleSeconds * 1000) / 4);

  const before = (now: Date, milliseconds: number): Date => new Date(now.getTime() - milliseconds);

  const parameters = (now: Date, channel: Channel): unknown[] => [
    now,
    before(now, limits.idleSeconds * 1000),
    before(now, touchMs),
    channel,
  ];

  async function read(token: string, now: Date, channel: Channel): Promise<SessionRow | undefined> {
    const values = [hashOf(token), ...parameters(now, channel)];
    const { rows } = await pool.query<SessionRow>({ name: "session-resolve", text: RESOLVE, values });
    return rows[0];
  }

  async function readMany(tokens: readonly string[], channel: Channel): Promise<(SessionRow | undefined)[]> {
    const hashes = tokens.map(hashOf);
    const values = [hashes, ...parameters(clock.now(), channel)];
    const { rows } = await pool.query<SessionRow>({ name: "session-resolve-many", text: RESOLVE_MANY, values });
    const sessions = new Map(rows.map((row) => [row.tokenHash, row]));
    return hashes.map((hash) => sessions.get(hash.toString("hex")));
  }

  /** Sessions of open consoles; nothing is cached from one check to the next. */
  const openConsoles = new DataLoader((tokens: readonly string[]) => readMany(tokens, "console"), { cache: false });

  return {
    limits,

    async resolve(token, visitor, touch = true) {
      const now = clock.now();
      const row =
        touch || visitor.channel !== "console"
          ? await read(token, now, visitor.channel)
          : await openConsoles.load(token);
      if (!row || row.ended) return { ...NO_SESSION, sessionEnd: "session_revoked" };
      if (row.expired) return { ...NO_SESSION, sessionEnd: "session_expired" };
      const scope = scopeOf(row, visitor, openScope);
      if (!scope) return { ...NO_SESSION, sessionEnd: "session_revoked" };
      if (touch && row.stale) {
        await pool.query("UPDATE session SET last_seen_at = $2 WHERE id = $1 AND last_seen_at <= $3", [
          row.sessionId,
          now,
          before(now, touchMs),
        ]);
      }
      const { sessionId, boardVersion, snapshot } = row;
      const due = dueOf(row, visitor.channel);
      if (due) return { ...NO_SESSION, limited: scope, sessionEnd: `${due}_due`, sessionId };
      return { scope, limited: null, sessionEnd: null, sessionId, boardVersion, snapshot };
    },

    scopeAt,

    async begin(scope, visitor, { how, factors, spendProof }) {
      const [token, sessionId, now] = [newToken(), randomUUID(), scope.now()];
      const { id: operatorId } = scope.actor;
      const deviceToken = visitor.channel === "console" ? (visitor.deviceToken ?? newDeviceToken()) : null;
      await scope.write(async (tx) => {
        // Locks the operator, so that concurrent logins end surplus sessions and browsers one after the other.
        await tx.sql.rows(`SELECT id FROM operator WHERE id = $2::int AND ${MEMBER} FOR NO KEY UPDATE`, operatorId);
        const after = await spendProof?.(tx);
        const deviceId =
          deviceToken !== null && operatorId !== null ? await rememberDevice(tx, operatorId, deviceToken, now) : null;
        await tx.sql.rows(
          "DELETE FROM session WHERE hotel_id = $1 AND expires_at < $2 RETURNING id::text",
          new Date(now.getTime() - RETENTION_MS),
        );
        await tx.sql.rows(
          `INSERT INTO session (id, token_hash, operator_id, hotel_id, door, address, user_agent, factors, created_at,
              last_seen_at, proved_at, expires_at, device_id)
            VALUES ($2::uuid, $3, $4::int, $1, $5, $6, $7, $8::int, $9, $9, $9, $10, $11::uuid) RETURNING id::text`,
          sessionId,
          hashOf(token),
          scope.actor.id,
          visitor.channel,
          visitor.address,
          visitor.userAgent.slice(0, 300),
          factors,
          now,
          new Date(now.getTime() + limits.maxSeconds * 1000),
          deviceId,
        );
        await endOldest(tx, scope, visitor.channel, sessionId, now);
        tx.audit({ action: `session.${how}`, entity: "session", entityId: sessionId, ...(after && { after }) });
      });
      if (visitor.openSession) await end(visitor.openSession.scope, visitor.openSession.sessionId);
      return { token, scope, deviceToken };
    },

    async recordSecondFactor(tx, scope, sessionId) {
      await tx.sql.rows(
        "UPDATE session SET factors = 2 WHERE hotel_id = $1 AND id = $2::uuid AND operator_id = $3::int RETURNING id::text",
        sessionId,
        scope.actor.id,
      );
    },

    async requireProof(scope, sessionId) {
      const rows = await scope.sql.rows(
        "SELECT id FROM session WHERE hotel_id = $1 AND id = $2::uuid AND proved_at > $3",
        sessionId,
        new Date(scope.now().getTime() - PROOF_SECONDS * 1000),
      );
      if (rows.length === 0) throw new DomainError("proof_needed");
    },

    async recordProof(tx, scope, sessionId) {
      await tx.sql.rows(
        "UPDATE session SET proved_at = $3 WHERE hotel_id = $1 AND id = $2::uuid RETURNING id::text",
        sessionId,
        scope.now(),
      );
    },

    end,

    async list(scope, currentId) {
      return scope.sql.rows(
        `SELECT id, address, user_agent AS "userAgent", door, created_at AS "createdAt", last_seen_at AS "lastSeenAt",
            id = $3::uuid AS current
          FROM session WHERE operator_id = $2 AND ended_at IS NULL AND expires_at > $4 AND last_seen_at > $5
            AND EXISTS (SELECT FROM membership m WHERE m.hotel_id = $1 AND m.operator_id = $2)
          ORDER BY last_seen_at DESC LIMIT 100`,
        scope.actor.id,
        currentId,
        scope.now(),
        new Date(scope.now().getTime() - limits.idleSeconds * 1000),
      );
    },

    async revoke(scope, sessionId) {
      await scope.write(async (tx) => {
        if (!(await endOne(tx, scope, sessionId, "revoked"))) throw new DomainError("not_found");
        await forgetDeviceOf(tx, scope.actor.id, sessionId);
        tx.audit({ action: "session.revoke", entity: "session", entityId: sessionId });
      });
    },

    async switchHotel(scope, sessionId, hotelId, visitor) {
      const target = scope.actor.id === null ? null : await scopeAt(scope.actor.id, hotelId, visitor);
      if (!target) throw new DomainError("not_found");
      await target.write(async (tx) => {
        const moved = await tx.sql.rows(
          `UPDATE session SET hotel_id = $1 WHERE id = $2::uuid AND operator_id = $3::int AND ended_at IS NULL RETURNING id::text`,
          sessionId,
          target.actor.id,
        );
        if (moved.length === 0) throw new DomainError("session_revoked");
        tx.audit({
          action: "session.switchHotel",
          entity: "session",
          entityId: sessionId,
          before: { hotelId: scope.hotelId },
        });
      });
      return target;
    },
  };
}
