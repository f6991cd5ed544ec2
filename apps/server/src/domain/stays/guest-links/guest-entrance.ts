import type { Capability } from "@innkey/shared/capabilities";
import { DAY_MS } from "@innkey/shared/durations";
import { DomainError } from "@innkey/shared/errors";
import type { LanguageCode } from "@innkey/shared/languages";
import type { GuestPage } from "@innkey/shared/schemas/overview/guest-page";
import type { GuestProofOutcome } from "@innkey/shared/schemas/stays/guest-links";
import type { Database } from "../../../adapters/postgres/client.ts";
import { networkOf } from "../../../adapters/process/network-of.ts";
import type { RateLimiter, RateLimits } from "../../../adapters/redis/rate-limits.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { tooManyAttempts } from "../../../kernel/errors.ts";
import { type Actor, guestActor, type Scope, type ScopeFactory, type SystemScopes } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { isProof, MAX_WRONG_PROOFS, needsDocument, type Provable, proofsOf } from "./guest-proof.ts";
import { deviceHash, linkHash, newDeviceToken } from "./guest-secrets.ts";
import { auditAtIntervals } from "./spaced-audit.ts";

/** A browser that opens a guest's page. */
export interface GuestVisitor {
  address: string;
  requestId: string;
  language: LanguageCode;
  /** content of this browser's cookie */
  deviceToken: string | undefined;
}

/** A guest at their page: the stay that the link is for, and a scope that reaches nothing but its room. */
export interface GuestVisit {
  scope: Scope;
  linkId: number;
  stayId: number;
  stayGuestId: number;
  roomId: number;
  /** Whether the guest has shown in this browser who they are. */
  proven: boolean;
  /** Until when a browser that is recognised here is recognised: a day longer than its last stay. */
  recognisedUntil: Date;
  /** The guest's scope with capabilities in their room, for one act that the caller has allowed. */
  scopeWith(...capabilities: Capability[]): Scope;
  /**
   * The same in every room, for an act that has to be checked against other stays. The caller returns nothing that was
   * read with it.
   */
  hotelScopeWith(...capabilities: Capability[]): Scope;
}

interface EntranceDeps {
  database: Pick<Database, "pool">;
  clock: Clock;
  openScope: ScopeFactory;
  scopes: SystemScopes;
  rateLimits: RateLimits;
}

/**
 * Limits calls that find no link. Calls with a link don't count: all guests of a hotel may share one network, and somebody
 * in it must not lock the others out.
 */
const NETWORK_LIMIT = { points: 3_000, duration: 5 * 60 };
/** Of a link in browsers where the guest is recognised: opening the door asks forty times what came of it. */
const PROVEN_LIMIT = { points: 240, duration: 60 };
/** Of a link in all other browsers together */
const UNPROVEN_LIMIT = { points: 60, duration: 60 };
/** What a guest asks of the desk, for each link: every request redraws the desk's screens. */
const REQUEST_LIMIT = { points: 30, duration: 60 * 60 };
/** Of those, requests with pictures, which are decoded one after the other for the whole server. */
const PICTURE_LIMIT = { points: 10, duration: 60 * 60 };
/**
 * Large bodies from a browser, by the first of its links, counted before they are read: what is wrong in them is found
 * only then.
 */
const LARGE_BODY_LIMIT = { points: 20, duration: 60 * 60 };
/** `seen_at` is updated at most this often. */
const TOUCH_MS = 60_000;
/** A guest may use some phones and tablets; a new one replaces the one that was added first. */
const MAX_DEVICES = 10;

/** SQL condition: the stay in the row `s` isn't over. */
const liveStaySql = (now: string): string => `(s.state = 'checked_in' OR s.state = 'reserved' AND s.ends_at > ${now})`;

const ENTER = `SELECT k.id AS "linkId", k.hotel_id AS "hotelId", k.stay_guest_id AS "stayGuestId", s.id AS "stayId",
    s.room_id AS "roomId", k.seen_at IS NULL OR k.seen_at <= $4 AS stale,
    EXISTS (SELECT FROM guest_link_device d WHERE d.link_id = k.id AND d.token_hash = $2) AS proven,
    iso(greatest($3, s.ends_at, (SELECT max(x.ends_at) FROM guest_link_device d
      JOIN guest_link o ON o.id = d.link_id AND o.revoked_at IS NULL
      JOIN stay_guest y ON y.id = o.stay_guest_id
      JOIN stay x ON x.id = y.stay_id AND x.state IN ('reserved', 'checked_in')
      WHERE d.token_hash = $2))) AS "lastEndsAt"
  FROM guest_link k
  JOIN stay_guest sg ON sg.id = k.stay_guest_id
  JOIN stay_now s ON s.id = sg.stay_id
  WHERE k.token_hash = $1 AND k.revoked_at IS NULL AND ${liveStaySql("$3")}`;

const RECOGNISED = `SELECT d.link_id AS "linkId" FROM guest_link_device d JOIN guest_link k ON k.id = d.link_id AND k.revoked_at IS NULL
  JOIN stay_guest sg ON sg.id = k.stay_guest_id
  JOIN stay s ON s.id = sg.stay_id
  WHERE d.token_hash = $1 AND ${liveStaySql("$2")} ORDER BY d.link_id LIMIT 1`;

/** The desk's screens show in how many browsers a guest is recognised; they follow the link. */
const FORGET = `WITH forgotten AS (DELETE FROM guest_link_device WHERE token_hash = $1 RETURNING link_id)
  UPDATE guest_link SET seen_at = seen_at WHERE id IN (SELECT link_id FROM forgotten)`;

interface EnterRow {
  linkId: number;
  hotelId: number;
  stayGuestId: number;
  stayId: number;
  roomId: number;
  stale: boolean;
  proven: boolean;
  /** end of the latest stay for which this browser is recognised, or of this stay; now if that is over */
  lastEndsAt: string;
}

/** Lets guests in by their links. A link that is wrong, revoked or of a stay that is over is refused in the same way. */
export class GuestEntrance {
  readonly #deps: EntranceDeps;
  readonly #networks: RateLimiter;
  readonly #proven: RateLimiter;
  readonly #unproven: RateLimiter;
  readonly #requests: RateLimiter;
  readonly #pictures: RateLimiter;
  readonly #largeBodies: RateLimiter;

  constructor(deps: EntranceDeps) {
    this.#deps = deps;
    this.#networks = deps.rateLimits("guestNetworks", NETWORK_LIMIT);
    this.#proven = deps.rateLimits("guestLinks", PROVEN_LIMIT);
    this.#unproven = deps.rateLimits("guestLinksUnproven", UNPROVEN_LIMIT);
    this.#requests = deps.rateLimits("guestRequests", REQUEST_LIMIT);
    this.#pictures = deps.rateLimits("guestPictures", PICTURE_LIMIT);
    this.#largeBodies = deps.rateLimits("guestLargeBodies", LARGE_BODY_LIMIT);
  }

  /** Finds the stay of a link. @throws not_found, too_many_attempts */
  async enter(token: string, visitor: GuestVisitor): Promise<GuestVisit> {
    const { pool } = this.#deps.database;
    const now = this.#deps.clock.now();
    const device = deviceHash(visitor.deviceToken);
    const values = [linkHash(token), device, now, new Date(now.getTime() - TOUCH_MS)];
    const [row] = (await pool.query<EnterRow>({ name: "guest-enter", text: ENTER, values })).rows;
    const system = row && (await this.#deps.scopes(row.hotelId));
    if (!row || !system) {
      await take(this.#networks, networkOf(visitor.address));
      throw new DomainError("not_found");
    }
    await take(row.proven ? this.#proven : this.#unproven, String(row.linkId));
    if (row.stale) await pool.query("UPDATE guest_link SET seen_at = $2 WHERE id = $1", [row.linkId, now]);
    const { linkId, stayId, stayGuestId, roomId, proven } = row;
    const { address, requestId, language } = visitor;
    const scopeIn = (rooms: Actor["rooms"], capabilities: readonly Capability[]): Scope =>
      this.#deps.openScope({
        actor: guestActor({ stayGuestId, rooms, capabilities }),
        hotel: system.hotel,
        ...{ language, channel: "guest", address, requestId },
      });
    const ownRoom = new Set([roomId]);
    const recognisedUntil = new Date(Date.parse(row.lastEndsAt) + DAY_MS);
    return {
      scope: scopeIn(ownRoom, []),
      scopeWith: (...capabilities) => scopeIn(ownRoom, capabilities),
      hotelScopeWith: (...capabilities) => scopeIn("all", capabilities),
      ...{ linkId, stayId, stayGuestId, roomId, proven, recognisedUntil },
    };
  }

  /** As `enter`, for something that a guest asks of the desk. @throws not_found, too_many_attempts */
  async enterToAsk(token: string, visitor: GuestVisitor): Promise<GuestVisit> {
    const visit = await this.enter(token, visitor);
    if (visit.proven) await take(this.#requests, String(visit.linkId));
    return visit;
  }

  /** Counts a request with pictures. @throws too_many_attempts */
  async countPictures({ proven, linkId }: GuestVisit): Promise<void> {
    if (proven) await take(this.#pictures, String(linkId));
  }

  /**
   * Makes no hotel recognise a guest in a browser any more, by whichever link they were recognised. It takes no link,
   * because that of a borrowed phone may have ended.
   */
  async forget(deviceToken: string | undefined): Promise<void> {
    const device = deviceHash(deviceToken);
    if (!device) return;
    await this.#deps.database.pool.query({ name: "guest-forget", text: FORGET, values: [device] });
  }

  /**
   * Returns whether a browser may send a large body, because it is recognised by any link that is valid, before the body
   * names one. Counts it. @throws too_many_attempts
   */
  async admitsLargeBody(deviceToken: string | undefined): Promise<boolean> {
    const device = deviceHash(deviceToken);
    if (!device) return false;
    const query = { name: "guest-recognised", text: RECOGNISED, values: [device, this.#deps.clock.now()] };
    const { rows } = await this.#deps.database.pool.query<{ linkId: number }>(query);
    const [first] = rows;
    if (!first) return false;
    await take(this.#largeBodies, String(first.linkId));
    return true;
  }
}

async function take(limiter: RateLimiter, key: string): Promise<void> {
  const waitMs = await limiter.take(key);
  if (waitMs !== null) throw tooManyAttempts(waitMs);
}

const TO_PROVE = `SELECT k.wrong_proofs AS "wrongProofs", k.sent_to_mobile AS "sentToMobile", g.id AS "guestId", g.mobile, g.document_number_box AS "documentNumberBox"
  FROM guest_link k JOIN stay_guest sg ON sg.id = k.stay_guest_id JOIN guest g ON g.id = sg.guest_id
  WHERE k.hotel_id = $1 AND k.id = $2::int AND k.revoked_at IS NULL`;

interface ToProve extends Provable {
  wrongProofs: number;
}

/** Returns how the visitor can show that they are the guest. @throws not_found */
export async function proofState({ scope, linkId }: GuestVisit): Promise<Exclude<GuestPage["proof"], "done">> {
  const [row] = await scope.sql.rows<ToProve>(TO_PROVE, linkId);
  if (!row) throw new DomainError("not_found");
  if (row.wrongProofs >= MAX_WRONG_PROOFS) return "locked";
  if (proofsOf(scope, row).length === 0) return "impossible";
  return needsDocument(scope, row) ? "document_needed" : "needed";
}

/**
 * Compares an answer with the last characters of the guest's document and phone number. If it is right, the browser
 * is known from now on by a new token, also at the links at which it was by `deviceToken`: that one may have been put
 * there by somebody else. @throws not_found
 */
export async function prove(
  { scope, linkId, stayGuestId }: GuestVisit,
  answer: string,
  deviceToken: string | undefined,
): Promise<{ outcome: GuestProofOutcome; deviceToken: string | undefined }> {
  const token = newDeviceToken();
  const outcome = await scope.write(async (tx): Promise<GuestProofOutcome> => {
    const [row] = await tx.sql.rows<ToProve>(`${TO_PROVE} FOR UPDATE OF k`, linkId);
    if (!row) throw new DomainError("not_found");
    if (row.wrongProofs >= MAX_WRONG_PROOFS) return "locked";
    const entry = { entity: "stayGuest", entityId: stayGuestId };
    const proofs = proofsOf(scope, row);
    // Nobody can be right yet, so the guest must not be locked out once they can.
    if (proofs.length === 0) return "wrong";
    if (isProof(proofs, answer)) {
      await renewDevice(tx, deviceToken, token);
      await rememberDevice(scope, tx, linkId, token);
      await auditAtIntervals(scope, tx, linkId, "proof", { ...entry, action: "guestLink.prove" });
      return "proven";
    }
    const wrongProofs = row.wrongProofs + 1;
    await tx.db.guestLink.updateMany({ where: { id: linkId }, data: { wrongProofs } });
    const locked = wrongProofs >= MAX_WRONG_PROOFS;
    if (locked) tx.audit({ ...entry, action: "guestLink.lock", after: { wrongProofs } });
    return locked ? "locked" : "wrong";
  });
  return { outcome, deviceToken: outcome === "proven" ? token : undefined };
}

/** Replaces a browser's token wherever it is known. A browser may be known at several hotels of this server. */
async function renewDevice(tx: Transaction, before: string | undefined, token: string): Promise<void> {
  const hash = deviceHash(before);
  if (!hash) return;
  await tx.sql.rows(
    `UPDATE guest_link_device SET token_hash = $3::bytea WHERE token_hash = $2::bytea AND $1::int IS NOT NULL RETURNING link_id`,
    hash,
    deviceHash(token),
  );
}

async function rememberDevice(scope: Scope, tx: Transaction, linkId: number, token: string): Promise<void> {
  const now = scope.now();
  const hash = deviceHash(token);
  await tx.sql.rows(
    `INSERT INTO guest_link_device (hotel_id, link_id, token_hash, proven_at) VALUES ($1, $2::int, $3::bytea, $4::timestamptz)
      ON CONFLICT (link_id, token_hash) DO UPDATE SET proven_at = excluded.proven_at RETURNING link_id`,
    linkId,
    hash,
    now,
  );
  await tx.sql.rows(
    `DELETE FROM guest_link_device WHERE hotel_id = $1 AND link_id = $2::int AND token_hash NOT IN (
        SELECT token_hash FROM guest_link_device WHERE link_id = $2::int
          ORDER BY (token_hash = $3::bytea) DESC, proven_at DESC LIMIT $4::int) RETURNING link_id`,
    linkId,
    hash,
    MAX_DEVICES,
  );
  // Wrong answers go on counting: somebody else may have given them, and would get as many again.
  await tx.db.guestLink.updateMany({ where: { id: linkId }, data: { provenAt: now } });
}

const VALID_LINK = `SELECT id FROM guest_link WHERE hotel_id = $1 AND id = $2::int AND revoked_at IS NULL FOR SHARE`;

/**
 * Returns whether the link of a visit still opens the page; the desk may have revoked it since the visit began. It stays
 * valid until the transaction ends: a correction of the guest on another stay, which this one's lock doesn't exclude,
 * waits before it ends the link.
 */
export async function isValidVisit(tx: Transaction, { linkId }: Pick<GuestVisit, "linkId">): Promise<boolean> {
  return (await tx.sql.rows<{ id: number }>(VALID_LINK, linkId)).length > 0;
}

/** Records for the desk that the page opened the door. */
export async function recordDoorOpened({ scope, linkId }: GuestVisit): Promise<void> {
  await scope.write(async (tx) => {
    await tx.db.guestLink.updateMany({ where: { id: linkId }, data: { openedDoorAt: scope.now() } });
  });
}
