import { DomainError } from "@innkey/shared/errors";
import { movedMinor } from "@innkey/shared/money";
import type { QuoteLine } from "@innkey/shared/quote";
import type { ChangeConflict, ChangeKind, ChangePreview, ChangeTarget } from "@innkey/shared/schemas/overview/timeline";
import type { HotelSql } from "../../kernel/hotel-database.ts";
import { rehearse } from "../../kernel/rehearse.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { accessWindow } from "../access/public.ts";
import { readAccount } from "../folio/public.ts";
import { type LiveStay, readRoom, readStay } from "../stays/public.ts";
import { changeRoomIn } from "./change-room.ts";
import { credentialsOf, keyNewsOf, readKeys, readLockNews } from "./key-impact.ts";

import { moveIn } from "./move-reservation.ts";
import { renewIn } from "./renew-stay.ts";
import { shortenIn } from "./shorten-stay.ts";

/** Returns the stays and maintenance that conflict with a stay in that room and period, earliest first. */
export function readConflicts(
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
      WHERE o.hotel_id = $1 AND o.room_id = $2::int AND o.state IN ('held', 'in_house') AND o.stay_id IS DISTINCT FROM $3::int
        AND (tstzrange(o.starts_at, o.ends_at) && tstzrange($4::timestamptz, $5::timestamptz)
             OR o.state = 'in_house' AND $6::boolean)
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
export function changeKind(stay: LiveStay, { roomId, startsAt, endsAt }: ChangeTarget): ChangeKind {
  const [room, start] = [roomId === stay.roomId, startsAt === stay.startsAt];
  if (room && start && endsAt === stay.endsAt) return "none";
  if (room && start && endsAt < stay.endsAt) return "shorten";
  if (stay.state === "reserved") return "move";
  if (!start) throw new DomainError("invalid_input", {}, { startsAt: { key: "validation.alreadyCame" } });
  if (room) return "renew";
  if (endsAt !== stay.endsAt) throw new DomainError("invalid_input", {}, { endsAt: { key: "validation.oneAtATime" } });
  return "changeRoom";
}

type Outcome = Pick<ChangePreview, "credit" | "charge" | "differenceMinor" | "movedMinor" | "locks" | "keys">;
const NOTHING: Outcome = { credit: [], charge: [], differenceMinor: 0, movedMinor: 0, locks: [], keys: [] };

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
      return { ...about, ...NOTHING, kind, conflicts, refusal: plain(new DomainError("room_taken")) };
    if (kind === "none") return { ...about, ...NOTHING, kind };
    const outcome = await rehearse(scope, (tx) => actAndRead(scope, tx, kind, target));
    const roomDirty = kind === "changeRoom" && inHouse && room.condition === "dirty";
    return { ...about, ...outcome, kind, roomDirty };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === "not_found" || error.code === "unavailable") throw error;
    return { ...about, ...NOTHING, refusal: plain(error) };
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

/** The desk enters payment channel and agreement afterwards: neither affects the price or a key. */
const UNPAID = { channel: null, expectedDifferenceMinor: null, agreedTotalMinor: null };

async function actAndRead(
  scope: Scope,
  tx: Transaction,
  kind: Exclude<ChangeKind, "none">,
  target: ChangeTarget,
): Promise<Outcome> {
  const before = await readKeys(tx, target.stayId);
  const { owedMinor } = await readAccount(tx.sql, target.stayId);
  const { entryId, differenceMinor } = await ACTS[kind](scope, tx, target);
  const lines = entryId === null ? [] : await linesOf(tx, entryId);
  const { validTo } = accessWindow(scope.hotel, target);
  return {
    credit: lines.filter(({ amountMinor }) => amountMinor < 0),
    charge: lines.filter(({ amountMinor }) => amountMinor >= 0),
    differenceMinor,
    movedMinor: movedMinor(differenceMinor, owedMinor),
    locks: await readLockNews(tx, credentialsOf(before)),
    keys: keyNewsOf(before, await readKeys(tx, target.stayId), validTo.toISOString()),
  };
}

type Act = (
  scope: Scope,
  tx: Transaction,
  target: ChangeTarget,
) => Promise<{ entryId: number | null; differenceMinor: number }>;

const ACTS: Record<Exclude<ChangeKind, "none">, Act> = {
  move: (scope, tx, target) => moveIn(scope, tx, { ...target, ...UNPAID }),
  shorten: (scope, tx, target) => shortenIn(scope, tx, { ...target, ...UNPAID }),
  changeRoom: (scope, tx, target) =>
    changeRoomIn(scope, tx, { ...target, ...UNPAID, disableOldCards: true, confirmDirty: true }),
  renew: async (scope, tx, { stayId, endsAt }) => {
    const request = { stayId, endsAt, expectedTotalMinor: null, agreedTotalMinor: null, channel: null };
    const { entryId, totalMinor } = await renewIn(scope, tx, request);
    return { entryId, differenceMinor: totalMinor };
  },
};

function linesOf(tx: Transaction, entryId: number): Promise<QuoteLine[]> {
  return tx.sql.rows<QuoteLine>(
    `SELECT l.kind::text AS kind, to_char(l.date, 'YYYY-MM-DD') AS date, iso(l.starts_at) AS "startsAt",
            iso(l.ends_at) AS "endsAt", l.quantity, l.unit_minor AS "unitMinor", l.amount_minor AS "amountMinor"
       FROM folio_entry_line l WHERE l.hotel_id = $1 AND l.folio_entry_id = $2::int ORDER BY l.id`,
    entryId,
  );
}

const plain = ({ code, params, fields = {} }: DomainError): NonNullable<ChangePreview["refusal"]> => ({
  code,
  params,
  fields,
});
