import { DomainError } from "@innkey/shared/errors";
import { movedMinor } from "@innkey/shared/folio";
import type { QuoteLine } from "@innkey/shared/price-rules";
import type {
  ChangeConflict,
  ChangeKind,
  ChangePreview,
  ChangeTarget,
  KeyImpact,
  LockImpact,
  LockImpactItem,
} from "@innkey/shared/schemas/overview/timeline";
import type { HotelSql } from "../../kernel/hotel-database.ts";
import { rehearse, type Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { accessWindow } from "../access/public.ts";
import { readAccount } from "../folio/public.ts";
import { type LiveStay, readRoom, readStay, takesRoomSql } from "../stays/public.ts";
import { changeRoomIn } from "./change-room.ts";
import { moveReservationIn } from "./move-reservation.ts";
import { renewIn } from "./renew-stay.ts";
import { shortenIn } from "./shorten-stay.ts";

/** State of one of a party's keys: a card that carries its own record, or a credential that locks store. */
interface KeyState {
  /** same for all rows of one key */
  keyId: string;
  /** of the card, or of the credential */
  id: number;
  kind: KeyImpact["kind"];
  label: string;
  written: boolean;
  oneTime: boolean;
  /** null: without end */
  validTo: string | null;
}

const LIVE_KEYS = `
SELECT 'card:' || d.id AS "keyId", d.id, 'card' AS kind, coalesce(nullif(d.note, ''), d.uid) AS label, true AS written,
  false AS "oneTime", iso(d.valid_to) AS "validTo"
FROM card d
WHERE d.hotel_id = $1 AND d.stay_id = $2::int AND NOT d.over_the_air AND d.state IN ('pending', 'active')
UNION ALL
SELECT concat(c.kind, ':', coalesce(c.passcode_id, c.card_id, c.face_id)), c.id, c.kind::text,
  coalesce(nullif(p.person, ''), nullif(d.note, ''), nullif(f.note, ''), d.uid, ''), false,
  coalesce(p.type = 'one_time', false), iso(c.valid_to)
FROM credential c
LEFT JOIN passcode p ON p.id = c.passcode_id
LEFT JOIN card d ON d.id = c.card_id
LEFT JOIN face f ON f.id = c.face_id
WHERE c.hotel_id = $1 AND c.stay_id = $2::int AND c.state NOT IN ('revoking', 'revoked')
ORDER BY 2`;

/** Returns the party's current keys. */
function readKeys(tx: Transaction, stayId: number): Promise<KeyState[]> {
  return tx.sql.rows<KeyState>(LIVE_KEYS, stayId);
}

/** Ids of the credentials among the keys, which are those that locks store. */
const credentialsOf = (keys: readonly KeyState[]): Set<number> =>
  new Set(keys.flatMap(({ id, written }) => (written ? [] : [id])));

/**
 * Compares the keys before and after a change and returns its effects beyond lock commands. `validTo`: when the keys
 * should end.
 */
function keyImpactsOf(before: readonly KeyState[], after: readonly KeyState[], validTo: string): KeyImpact[] {
  const keyIds = new Set<string>();
  return before.flatMap((key): KeyImpact[] => {
    if (keyIds.has(key.keyId)) return [];
    keyIds.add(key.keyId);
    const what = effectOn(
      key,
      after.filter(({ keyId }) => keyId === key.keyId),
      validTo,
    );
    return what
      ? [{ kind: key.kind, label: key.label, what, until: what === "write_anew" ? null : untilOf(key, what) }]
      : [];
  });
}

function effectOn(key: KeyState, after: readonly KeyState[], validTo: string): KeyImpact["what"] | null {
  if (key.written) {
    if (after.length === 0) return "write_anew";
    if (key.validTo !== null && minuteOf(key.validTo) < minuteOf(validTo)) return "prolong";
    return key.validTo === null || minuteOf(key.validTo) > minuteOf(validTo) ? "opens_until" : null;
  }
  if (after.length === 0) return "ends";
  const keepsPeriod = after.some((other) => !other.oneTime && other.validTo !== null && other.validTo !== validTo);
  return keepsPeriod ? "keeps_old" : null;
}

const untilOf = (key: KeyState, what: KeyImpact["what"]): string | null => (what === "ends" ? null : key.validTo);

/** Records on cards have a resolution of one minute. */
const minuteOf = (instant: string): number => Math.floor(Date.parse(instant) / 60_000);

interface CommandRow extends Omit<LockImpact, "tells"> {
  type: string;
  credentialId: number | null;
  kind: LockImpactItem["kind"] | null;
  label: string;
  from: string | null;
  to: string | null;
}

/** Commands that the current transaction has written and that will be sent, in sending order. */
const NEW_COMMANDS = `
SELECT k.type::text AS type, k.credential_id AS "credentialId", c.kind::text AS kind,
  coalesce(nullif(p.person, ''), nullif(d.note, ''), nullif(f.note, ''), d.uid, b.uid, '') AS label,
  iso(c.valid_from) AS "from", iso(c.valid_to) AS "to",
  l.id AS "lockId", coalesce(nullif(l.bluetooth_name, ''), l.mac) AS "lockName", coalesce(r.name, dr.name, '') AS "roomName",
  l.driver::text AS driver, l.online
FROM lock_command k
JOIN lock l ON l.id = k.lock_id
LEFT JOIN room r ON r.id = l.room_id
LEFT JOIN door dr ON dr.id = l.door_id
LEFT JOIN credential c ON c.id = k.credential_id
LEFT JOIN passcode p ON p.id = c.passcode_id
LEFT JOIN card d ON d.id = c.card_id
LEFT JOIN face f ON f.id = c.face_id
LEFT JOIN card b ON b.id = k.card_id
WHERE k.hotel_id = $1 AND k.state = 'queued' AND k.xmin = pg_current_xact_id()::xid
ORDER BY k.lock_id, k.seq`;

/**
 * Returns the commands that locks will receive because of the changes in `tx` so far. `credentialIds`: credentials that
 * were live before the changes.
 */
async function readLockImpact(tx: Transaction, credentialIds: ReadonlySet<number>): Promise<LockImpact[]> {
  const locks = new Map<number, LockImpact>();
  for (const row of await tx.sql.rows<CommandRow>(NEW_COMMANDS)) {
    const item = toLockImpactItem(row, credentialIds);
    if (!item) continue;
    const { lockId, lockName, roomName, driver, online } = row;
    const impact = locks.get(lockId) ?? { lockId, lockName, roomName, driver, online, tells: [] };
    impact.tells.push(item);
    locks.set(lockId, impact);
  }
  return [...locks.values()];
}

function toLockImpactItem(
  { type, credentialId, kind, label, from, to }: CommandRow,
  credentialIds: ReadonlySet<number>,
): LockImpactItem | null {
  const noPeriod = { from: null, to: null };
  if (type === "raise_floor") return { kind: "old_cards", what: "refused", label: "", ...noPeriod };
  if (type === "block_card") return { kind: "card", what: "refused", label, ...noPeriod };
  if (kind === null) return null;
  if (type === "skip_code") return { kind, what: "refused", label, ...noPeriod };
  if (type === "remove_credential") return { kind, what: "removed", label, ...noPeriod };
  if (type !== "set_credential") return null;
  return { kind, what: credentialIds.has(credentialId ?? 0) ? "retimed" : "given", label, from, to };
}

/** Returns the stays and maintenance that conflict with a stay in that room and period, earliest first. */
function readConflicts(
  sql: HotelSql,
  stayId: number,
  { roomId, startsAt, endsAt, inHouse }: { roomId: number; startsAt: string; endsAt: string; inHouse: boolean },
): Promise<ChangeConflict[]> {
  return sql.rows<ChangeConflict>(
    `SELECT o.kind::text AS kind, g.stay_guest_id AS "stayGuestId", coalesce(g.name, '') AS "guestName", r.name AS "roomName",
            iso(o.starts_at) AS "startsAt", iso(o.ends_at) AS "endsAt", o.note
       FROM occupancy o
       JOIN room r ON r.id = o.room_id
       LEFT JOIN primary_guest g ON g.stay_id = o.stay_id
      WHERE o.hotel_id = $1 AND o.room_id = $2::int AND o.stay_id IS DISTINCT FROM $3::int
        AND ${takesRoomSql({ startsAt: "$4", endsAt: "$5", movesInNow: "$6" })}
      ORDER BY o.starts_at`,
    roomId,
    stayId,
    startsAt,
    endsAt,
    inHouse,
  );
}

/**
 * Returns the kind of change that makes a stay match `target`. A reservation is moved, or shortened if only its
 * departure becomes earlier. A party in the hotel is renewed, shortened or changes room, one at a time; its arrival
 * can't change.
 */
function changeKind(stay: LiveStay, { roomId, startsAt, endsAt }: ChangeTarget): ChangeKind {
  const [isSameRoom, isSameStart] = [roomId === stay.roomId, startsAt === stay.startsAt];
  if (isSameRoom && isSameStart && endsAt === stay.endsAt) return "none";
  if (isSameRoom && isSameStart && endsAt < stay.endsAt) return "shorten";
  if (stay.state === "reserved") return "move";
  if (!isSameStart) throw new DomainError("invalid_input", {}, { startsAt: { key: "validation.alreadyCame" } });
  if (isSameRoom) return "renew";
  if (endsAt !== stay.endsAt) throw new DomainError("invalid_input", {}, { endsAt: { key: "validation.oneAtATime" } });
  return "changeRoom";
}

type Outcome = Pick<ChangePreview, "credit" | "charge" | "differenceMinor" | "movedMinor" | "locks" | "keys">;
const NO_EFFECTS: Outcome = { credit: [], charge: [], differenceMinor: 0, movedMinor: 0, locks: [], keys: [] };

/**
 * Previews a change of a stay: performs it in a transaction that is rolled back, and reads the amounts and lock
 * commands that it wrote. A refusal is part of the result. @throws no_permission; not_found for a stay or room the
 * caller can't see
 */
export async function previewChange(scope: Scope, target: ChangeTarget): Promise<ChangePreview> {
  scope.require("stays.manage");
  const stay = await readStay(scope, scope.sql, target.stayId);
  const room = await readRoom(scope, scope.sql, target.roomId);
  const about = await aboutStay(scope, stay, room.name, target);
  try {
    const kind = kindOf(stay, target);
    const inHouse = stay.state === "checked_in";
    const conflicts = await readConflicts(scope.sql, stay.id, { ...target, inHouse: inHouse && kind === "changeRoom" });
    if (conflicts.length > 0)
      return { ...about, ...NO_EFFECTS, kind, conflicts, refusal: asRefusal(new DomainError("room_taken")) };
    if (kind === "none") return { ...about, ...NO_EFFECTS, kind };
    const outcome = await rehearse(scope, (tx) => performAndRead(scope, tx, kind, target));
    const roomDirty = kind === "changeRoom" && inHouse && room.condition === "dirty";
    return { ...about, ...outcome, kind, roomDirty };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === "not_found" || error.code === "unavailable") throw error;
    return { ...about, ...NO_EFFECTS, refusal: asRefusal(error) };
  }
}

/** @throws state_conflict for a stay that is over */
function kindOf(stay: LiveStay, target: ChangeTarget): ChangeKind {
  if (stay.state !== "reserved" && stay.state !== "checked_in") {
    throw new DomainError("state_conflict", { state: stay.state });
  }
  return changeKind(stay, target);
}

async function aboutStay(scope: Scope, stay: LiveStay, roomName: string, { startsAt, endsAt }: ChangeTarget) {
  const [guest] = await scope.sql.rows<{ name: string }>(
    `SELECT g.name FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id WHERE sg.hotel_id = $1 AND sg.id = $2::int`,
    stay.stayGuestId,
  );
  return {
    kind: "none" as ChangeKind,
    stayId: stay.id,
    guestName: guest?.name ?? "",
    state: stay.state,
    from: { roomName: stay.roomName, startsAt: stay.startsAt, endsAt: stay.endsAt },
    to: { roomName, startsAt, endsAt },
    refusal: null,
    conflicts: [],
    roomDirty: false,
  };
}

/** Payment channel and agreement are entered afterwards; neither affects the quoted price or a key. */
const NO_PAYMENT = { channel: null, expectedDifferenceMinor: null, agreedTotalMinor: null };

async function performAndRead(
  scope: Scope,
  tx: Transaction,
  kind: Exclude<ChangeKind, "none">,
  target: ChangeTarget,
): Promise<Outcome> {
  const before = await readKeys(tx, target.stayId);
  const { owedMinor } = await readAccount(tx.sql, target.stayId);
  const { entryId, differenceMinor } = await ACTS[kind](scope, tx, target);
  const lines = entryId === null ? [] : await readEntryLines(tx, entryId);
  const { validTo } = accessWindow(scope.hotel, target);
  return {
    credit: lines.filter(({ amountMinor }) => amountMinor < 0),
    charge: lines.filter(({ amountMinor }) => amountMinor >= 0),
    differenceMinor,
    movedMinor: movedMinor(differenceMinor, owedMinor),
    locks: await readLockImpact(tx, credentialsOf(before)),
    keys: keyImpactsOf(before, await readKeys(tx, target.stayId), validTo.toISOString()),
  };
}

type Act = (
  scope: Scope,
  tx: Transaction,
  target: ChangeTarget,
) => Promise<{ entryId: number | null; differenceMinor: number }>;

const ACTS: Record<Exclude<ChangeKind, "none">, Act> = {
  move: (scope, tx, target) => moveReservationIn(scope, tx, { ...target, ...NO_PAYMENT }),
  shorten: (scope, tx, target) => shortenIn(scope, tx, { ...target, ...NO_PAYMENT }),
  changeRoom: (scope, tx, target) =>
    changeRoomIn(scope, tx, { ...target, ...NO_PAYMENT, disableOldCards: true, confirmDirty: true }),
  renew: async (scope, tx, { stayId, endsAt }) => {
    const request = { stayId, endsAt, expectedTotalMinor: null, agreedTotalMinor: null, channel: null };
    const { entryId, totalMinor } = await renewIn(scope, tx, request);
    return { entryId, differenceMinor: totalMinor };
  },
};

function readEntryLines(tx: Transaction, entryId: number): Promise<QuoteLine[]> {
  return tx.sql.rows<QuoteLine>(
    `SELECT l.kind::text AS kind, to_char(l.date, 'YYYY-MM-DD') AS date, iso(l.starts_at) AS "startsAt",
            iso(l.ends_at) AS "endsAt", l.quantity, l.unit_minor AS "unitMinor", l.amount_minor AS "amountMinor"
       FROM folio_entry_line l WHERE l.hotel_id = $1 AND l.folio_entry_id = $2::int ORDER BY l.id`,
    entryId,
  );
}

const asRefusal = ({ code, params, fields = {} }: DomainError): NonNullable<ChangePreview["refusal"]> => ({
  code,
  params,
  fields,
});
