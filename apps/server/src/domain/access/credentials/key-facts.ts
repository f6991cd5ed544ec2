import { HOUR_MS } from "@innkey/shared/durations";
import type {
  CardKind,
  CardState,
  CredentialKind,
  CredentialState,
  LockDriver,
  LockErrorCode,
  RevokeReason,
  UnlockReason,
  UnlockStyle,
} from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { WeekHours } from "@innkey/shared/locks/week-hours";
import type { Scope } from "../../../kernel/scope.ts";
import { refusingLocks } from "../cards/cards.queries.ts";

/** A room's door, or a common door, as the console knows it. Instants are ISO 8601. */
export interface Door {
  /** null: a common door */
  roomId: number | null;
  doorId: number | null;
  /** name of the room or of the common door */
  roomName: string;
  /** zones of a common door, and whether its lock has confirmed the key of each */
  zones: { id: number; name: string; confirmed: boolean }[];
  lockId: number | null;
  online: boolean;
  lastSeenAt: string | null;
  breakerOpenedAt: string | null;
  power: number | null;
  guestFloor: number;
  /** the checked-in stay of this room */
  stayId: number | null;
  stayGuestId: number | null;
  guestName: string | null;
  endsAt: string | null;
  driver: LockDriver | null;
  driftSeconds: number | null;
  configuredAt: string | null;
  /** when the lock lost its memory, or may have; null once it has confirmed its keys again */
  resetAt: string | null;
  /** since when a block-out card keeps guests out; null: it doesn't */
  blockedOutAt: string | null;
  /** whether the last attempt to send the lock its card keys failed */
  setUpFailed: boolean;
  /** the lock's answers of the last hour, newest first */
  answers: Answer[];
}

/** A lock's answer to one attempt at its door. */
export interface Answer {
  cardId: number | null;
  credentialId: number | null;
  style: UnlockStyle;
  success: boolean;
  reason: UnlockReason | "";
  /** by the lock's clock */
  at: string;
  /** by our clock: the time of receipt, or for a late event the lock's time if its clock can be trusted */
  happenedAt: string;
  /** whether the lock's clock was impossible, so that `at` is the time of receipt instead */
  clockWasOff: boolean;
}

const MAX_ANSWERS = 200;

/** Events are ordered by the lock's own numbers and dated by our clock, because the lock's clock may be wrong. */
const HAPPENED = "coalesce(u.happened_at, u.received_at, u.at)";
const ANSWERS = `
SELECT u.card_id AS "cardId", u.credential_id AS "credentialId", u.style::text AS style, u.success, u.reason,
  iso(u.at) AS at, iso(${HAPPENED}) AS "happenedAt",
  coalesce(u.at = u.received_at, false) AS "clockWasOff"
FROM (SELECT * FROM unlock_record WHERE hotel_id = $1 AND lock_id = $2 ORDER BY lock_seq DESC LIMIT $4) u
WHERE ${HAPPENED} > $3::timestamptz ORDER BY u.lock_seq DESC`;

/** What is known of the lock `l`, which a door may lack. */
const LOCK = `l.id AS "lockId", coalesce(l.online, false) AS online,
  iso(l.last_seen_at) AS "lastSeenAt", iso(l.breaker_opened_at) AS "breakerOpenedAt", l.power,
  coalesce(l.guest_floor, 0) AS "guestFloor", l.driver::text AS driver,
  l.drift_seconds AS "driftSeconds", iso(l.configured_at) AS "configuredAt",
  iso(l.reset_at) AS "resetAt", iso(l.blocked_out_at) AS "blockedOutAt",
  coalesce((SELECT k.state = 'failed' FROM lock_command k WHERE k.lock_id = l.id AND k.type = 'configure'
    ORDER BY k.seq DESC LIMIT 1), false) AS "setUpFailed"`;

const DOOR = `
SELECT r.id AS "roomId", NULL::int AS "doorId", r.name AS "roomName", '[]'::json AS zones, ${LOCK},
  s.id AS "stayId", g.stay_guest_id AS "stayGuestId", g.name AS "guestName", iso(s.ends_at) AS "endsAt"
FROM room r
LEFT JOIN lock l ON l.hotel_id = r.hotel_id AND l.room_id = r.id
LEFT JOIN occupancy o ON o.hotel_id = r.hotel_id AND o.room_id = r.id AND o.kind = 'stay' AND o.state = 'in_house'
LEFT JOIN stay s ON s.id = o.stay_id
LEFT JOIN primary_guest g ON g.stay_id = s.id
WHERE r.hotel_id = $1 AND r.id = $2 AND r.deleted_at IS NULL`;

const COMMON_DOOR = `
SELECT NULL::int AS "roomId", d.id AS "doorId", d.name AS "roomName", ${LOCK},
  coalesce((SELECT json_agg(json_build_object('id', z.id, 'name', z.name, 'confirmed', EXISTS (SELECT FROM lock_zone x
      WHERE x.lock_id = l.id AND x.zone_id = z.id AND x.left_at IS NULL AND x.confirmed_at IS NOT NULL)) ORDER BY z.name)
    FROM zone_door zd JOIN zone z ON z.id = zd.zone_id AND z.deleted_at IS NULL WHERE zd.door_id = d.id), '[]') AS zones,
  NULL::int AS "stayId", NULL::int AS "stayGuestId", NULL AS "guestName", NULL AS "endsAt"
FROM door d
LEFT JOIN lock l ON l.hotel_id = d.hotel_id AND l.door_id = d.id
WHERE d.hotel_id = $1 AND d.id = $2 AND d.deleted_at IS NULL`;

/** Returns a room's door with its latest answers. @throws not_found, also for a room that the caller may not see */
export async function doorOf(scope: Scope, roomId: number): Promise<Door> {
  scope.requireRoom(roomId);
  return withAnswers(scope, (await scope.sql.rows<Omit<Door, "answers">>(DOOR, roomId))[0]);
}

/** Returns a common door with its latest answers. @throws not_found, also for staff of certain rooms */
export async function commonDoorOf(scope: Scope, doorId: number): Promise<Door> {
  if (scope.roomIds !== null) throw new DomainError("not_found");
  return withAnswers(scope, (await scope.sql.rows<Omit<Door, "answers">>(COMMON_DOOR, doorId))[0]);
}

/** Returns the ids of the common doors that a stay opens. */
export async function commonDoorIdsOfStay(scope: Scope, stayId: number): Promise<number[]> {
  const rows = await scope.sql.rows<{ id: number }>(
    `SELECT DISTINCT v.door_id AS id FROM door_of_stay v WHERE v.hotel_id = $1 AND v.stay_id = $2::int ORDER BY 1`,
    stayId,
  );
  return rows.map(({ id }) => id);
}

async function withAnswers(scope: Scope, door: Omit<Door, "answers"> | undefined): Promise<Door> {
  if (!door) throw new DomainError("not_found");
  const answers =
    door.lockId === null ? [] : await scope.sql.rows<Answer>(ANSWERS, door.lockId, anHourAgo(scope), MAX_ANSWERS);
  return { ...door, answers };
}

const anHourAgo = (scope: Scope): string => new Date(scope.now().getTime() - HOUR_MS).toISOString();

/** A key as the console knows it: a card, or the credential of a code or face at one lock. */
export interface Key {
  cardId: number | null;
  kind: CardKind | "code";
  style: CredentialKind;
  /** null: not a card, but the credential of a code or face */
  state: CardState | null;
  overTheAir: boolean;
  validFrom: string;
  validTo: string | null;
  confirmedAt: string | null;
  usedAt: string | null;
  revokedAt: string | null;
  revokeReason: RevokeReason | null;
  sequence: number;
  lockNumber: number | null;
  rooms: { id: number; name: string }[];
  /** zones whose records it carries, without those that its stay has lost */
  zones: number[];
  /** zones that its stay opens */
  stayZones: number[];
  stayId: number | null;
  stayGuestId: number | null;
  guestName: string | null;
  stayState: string | null;
  stayEndsAt: string | null;
  /** the key's state on each lock that has a list of credentials */
  credentials: {
    id: number;
    lockId: number;
    roomId: number | null;
    state: CredentialState;
    failReason: LockErrorCode | null;
  }[];
  /** locks that were commanded to refuse its number and have not yet confirmed that it is allowed again */
  refusedBy: number[];
  /** whether it is a one-time code */
  oneTime: boolean;
  /** whether it is a card that opens one time only */
  once: boolean;
  /** days and hours at which it opens; none: at any time */
  hours: WeekHours;
}

const CARD_KEY = `
SELECT c.id AS "cardId", c.kind::text AS kind, 'card' AS style, c.state::text AS state, c.over_the_air AS "overTheAir",
  iso(c.valid_from) AS "validFrom", iso(c.valid_to) AS "validTo", iso(c.confirmed_at) AS "confirmedAt",
  iso(c.used_at) AS "usedAt", iso(c.revoked_at) AS "revokedAt", c.revoke_reason AS "revokeReason",
  c.sequence, c.lock_number AS "lockNumber",
  coalesce((SELECT json_agg(json_build_object('id', r.id, 'name', r.name) ORDER BY r.sort, r.name)
    FROM card_room cr JOIN room r ON r.id = cr.room_id WHERE cr.card_id = c.id), '[]') AS rooms,
  ARRAY(SELECT z FROM unnest(c.zones) AS z WHERE z <> ALL (c.revoked_zones)) AS zones,
  ARRAY(SELECT v.zone_id FROM zone_of_stay v WHERE v.stay_id = c.stay_id) AS "stayZones",
  s.id AS "stayId", g.stay_guest_id AS "stayGuestId", g.name AS "guestName", s.state::text AS "stayState", iso(s.ends_at) AS "stayEndsAt",
  coalesce((SELECT json_agg(json_build_object('id', t.id, 'lockId', t.lock_id, 'roomId', t.room_id, 'state', t.state, 'failReason', t.fail_reason))
    FROM credential t WHERE t.card_id = c.id AND t.state <> 'revoked'), '[]') AS credentials,
  ARRAY(${refusingLocks("$3")}) AS "refusedBy", false AS "oneTime", c.once, c.hours
FROM card c
LEFT JOIN stay s ON s.id = c.stay_id
LEFT JOIN primary_guest g ON g.stay_id = s.id`;

/**
 * Returns the card with one of these numbers: a live issue first, then the newest. The caller must check whether the
 * user may see it.
 */
export async function keyOfCard(scope: Scope, uids: readonly string[]): Promise<Key | null> {
  const [key] = await scope.sql.rows<Key>(
    `${CARD_KEY} WHERE c.hotel_id = $1 AND c.uid = ANY ($2::text[])
     ORDER BY c.state IN ('pending', 'active') DESC, array_position($2::text[], c.uid), c.id DESC LIMIT 1`,
    [...uids],
    scope.now(),
  );
  return key ?? null;
}

async function cardById(scope: Scope, cardId: number): Promise<Key | null> {
  const [key] = await scope.sql.rows<Key>(`${CARD_KEY} WHERE c.hotel_id = $1 AND c.id = $2::int`, cardId, scope.now());
  return key ?? null;
}

/** Returns the cards of a stay, newest first. */
export async function cardsOfStay(scope: Scope, stayId: number): Promise<Key[]> {
  return scope.sql.rows<Key>(
    `${CARD_KEY} WHERE c.hotel_id = $1 AND c.stay_id = $2 ORDER BY c.id DESC`,
    stayId,
    scope.now(),
  );
}

const CODE_KEY = `
SELECT NULL::int AS "cardId", 'code' AS kind, t.kind::text AS style, NULL AS state, false AS "overTheAir", iso(t.valid_from) AS "validFrom",
  iso(t.valid_to) AS "validTo", iso(t.confirmed_at) AS "confirmedAt", iso(t.used_at) AS "usedAt", iso(t.revoked_at) AS "revokedAt",
  t.revoke_reason AS "revokeReason", 0 AS sequence, NULL::int AS "lockNumber", '[]'::json AS rooms,
  '{}'::int[] AS zones, ARRAY(SELECT v.zone_id FROM zone_of_stay v WHERE v.stay_id = t.stay_id) AS "stayZones", t.stay_id AS "stayId",
  NULL::int AS "stayGuestId", NULL AS "guestName", s.state::text AS "stayState", iso(s.ends_at) AS "stayEndsAt",
  json_build_array(json_build_object('id', t.id, 'lockId', t.lock_id, 'roomId', t.room_id, 'state', t.state, 'failReason', t.fail_reason)) AS credentials,
  '{}'::int[] AS "refusedBy", coalesce(p.type = 'one_time', false) AS "oneTime", false AS once, coalesce(p.hours, '[]') AS hours
FROM credential t
LEFT JOIN passcode p ON p.id = t.passcode_id
LEFT JOIN stay s ON s.id = t.stay_id`;

const CODES_AT_DOOR = `${CODE_KEY}
WHERE t.hotel_id = $1 AND (t.stay_id = $2 OR t.stay_id IS NULL) AND t.room_id = $3 AND t.card_id IS NULL
  AND (t.stay_id IS NOT NULL OR coalesce(t.revoked_at, t.used_at) > $4::timestamptz)
ORDER BY t.id DESC LIMIT 100`;

/**
 * Returns the codes and faces of a stay at a door, and those without a stay that ended there within the last hour,
 * newest first.
 */
export function codesOfStay(scope: Scope, stayId: number, roomId: number): Promise<Key[]> {
  return scope.sql.rows<Key>(CODES_AT_DOOR, stayId, roomId, anHourAgo(scope));
}

/** Returns the key that a lock's answer refers to, or null if the console did not issue it. */
export async function keyOfAnswer(scope: Scope, { cardId, credentialId }: Answer): Promise<Key | null> {
  if (cardId !== null) return cardById(scope, cardId);
  if (credentialId === null) return null;
  const [key] = await scope.sql.rows<Key>(`${CODE_KEY} WHERE t.hotel_id = $1 AND t.id = $2::int`, credentialId);
  return key ?? null;
}
