import type { StayCardRow } from "@innkey/shared/schemas/access/cards";
import type { CredentialRow, PendingRevocation } from "@innkey/shared/schemas/access/locks";
import { type PasscodeRow, passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import type { StayKey, StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import type { Scope } from "../../../kernel/scope.ts";
import { readStay } from "../../stays/public.ts";
import { listStayCards } from "../cards/cards.queries.ts";
import { grants } from "../faces/faces.queries.ts";
import { isHolderSql } from "../passcodes/made-for.ts";
import { list as listPasscodes } from "../passcodes/passcodes.queries.ts";
import { takenCodesOfStay } from "../zones/stay-zones.ts";
import { accessWindow } from "./key-period.ts";
import { pendingRevocationsAmong } from "./pending-revocations.ts";

const MAX_CODES = 100;

const GUESTS = `SELECT sg.id AS "stayGuestId", sg.guest_id AS "guestId", g.name FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
  WHERE sg.hotel_id = $1 AND sg.stay_id = $2::int ORDER BY sg."primary" DESC, sg.id`;

const DOOR = `SELECT l.id AS "lockId", l.driver::text AS driver, l.configured_at IS NOT NULL AS "setUp", l.online,
    iso(l.last_seen_at) AS "lastSeenAt", l.driver = 'mqtt' AS "readsCards",
    l.driver = 'mqtt' AND l.configured_at IS NOT NULL AS "computesCodes"
  FROM lock l WHERE l.hotel_id = $1 AND l.room_id = $2::int`;

/** Who carries the faces of a stay, by credential. */
const FACE_GUESTS = `SELECT c.id AS "credentialId", f.guest_id AS "guestId" FROM credential c JOIN face f ON f.id = c.face_id
  WHERE c.hotel_id = $1 AND c.stay_id = $2::int AND c.kind = 'face'`;

/** Who has the door codes of a stay. */
const CODE_HOLDERS = `SELECT p.id AS "passcodeId", sg.id AS "stayGuestId" FROM passcode p JOIN stay_guest sg ON sg.stay_id = p.stay_id
  JOIN guest g ON g.id = sg.guest_id WHERE p.hotel_id = $1 AND p.stay_id = $2::int AND ${isHolderSql("p", "sg", "g")}`;

/** The zones that a stay opens or may get as extras, with the names of their doors. */
const ZONES = `SELECT z.id, z.name, z.kind::text AS kind, z.is_extra AS "isExtra",
    EXISTS (SELECT FROM zone_of_stay v WHERE v.stay_id = $2::int AND v.zone_id = z.id) AS opens,
    EXISTS (SELECT FROM stay_zone x WHERE x.stay_id = $2::int AND x.zone_id = z.id) AS added,
    ARRAY(SELECT d.name FROM zone_door zd JOIN door d ON d.id = zd.door_id AND d.deleted_at IS NULL
      WHERE zd.zone_id = z.id ORDER BY d.name) AS doors
  FROM zone z WHERE z.hotel_id = $1 AND z.deleted_at IS NULL
    AND (z.is_extra OR EXISTS (SELECT FROM zone_of_stay v WHERE v.stay_id = $2::int AND v.zone_id = z.id))
  ORDER BY z.kind, z.name`;

/** The keys of a stay at common doors, other than written cards. */
const AT_COMMON_DOORS = `SELECT c.card_id AS "cardId", c.passcode_id AS "passcodeId", c.face_id AS "faceId",
    c.lock_id AS "lockId", CASE WHEN c.state IN ('confirmed', 'used') THEN 'opens' WHEN c.state = 'failed' THEN 'failed'
      ELSE 'waiting' END AS state
  FROM credential c WHERE c.hotel_id = $1 AND c.stay_id = $2::int AND c.room_id IS NULL AND c.state NOT IN ('revoking', 'revoked')`;

const COMMON_DOORS = `SELECT DISTINCT v.door_id AS id, v.lock_id AS "lockId", d.name FROM door_of_stay v JOIN door d ON d.id = v.door_id
  WHERE v.hotel_id = $1 AND v.stay_id = $2::int ORDER BY d.name`;

interface KeyAtDoor {
  cardId: number | null;
  passcodeId: number | null;
  faceId: number | null;
  lockId: number;
  state: "opens" | "waiting" | "failed";
}

/** A common door that the stay opens. */
interface CommonDoor {
  id: number;
  lockId: number | null;
  name: string;
}

type DoorStates = StayKey["doors"];
type DoorsOf = (key: Pick<KeyAtDoor, "cardId" | "passcodeId" | "faceId">) => DoorStates;

interface Guest {
  stayGuestId: number;
  guestId: number;
  name: string;
}

/**
 * Returns the keys of a stay that the caller may see, with where each stands, and what the door can do with new ones.
 * For a party that has left, these are the keys that its check-out ended. @throws no_permission, not_found
 */
export async function readStayKeys(scope: Scope, stayId: number): Promise<StayKeys> {
  scope.require("stays.view");
  const stay = await readStay(scope, scope.sql, stayId);
  const codeFilter = { stayId, pageSize: MAX_CODES };
  const [
    guests,
    [door],
    [wish],
    cards,
    liveCodes,
    endedCodes,
    faces,
    faceGuests,
    codeHolders,
    zones,
    commonDoors,
    atDoors,
    taken,
  ] = await Promise.all([
    scope.sql.rows<Guest>(GUESTS, stayId),
    scope.sql.rows<NonNullable<StayKeys["door"]>>(DOOR, stay.roomId),
    scope.sql.rows<{ wanted: boolean }>(
      "SELECT id_card_match AS wanted FROM stay WHERE hotel_id = $1 AND id = $2::int",
      stayId,
    ),
    scope.can("cards.view") ? listStayCards(scope, stayId) : [],
    scope.can("passcodes.view")
      ? listPasscodes(scope, passcodesInput.parse({ ...codeFilter, state: "live" }))
      : NO_CODES,
    scope.can("passcodes.view")
      ? listPasscodes(scope, passcodesInput.parse({ ...codeFilter, state: "ended" }))
      : NO_CODES,
    scope.can("faces.view") ? grants(scope, { stayId }) : [],
    scope.sql.rows<{ credentialId: number; guestId: number | null }>(FACE_GUESTS, stayId),
    scope.sql.rows<{ passcodeId: number; stayGuestId: number }>(CODE_HOLDERS, stayId),
    scope.sql.rows<StayKeys["zones"][number]>(ZONES, stayId),
    scope.sql.rows<CommonDoor>(COMMON_DOORS, stayId),
    scope.sql.rows<KeyAtDoor>(AT_COMMON_DOORS, stayId),
    takenCodesOfStay(scope, stayId),
  ]);
  const doorsOf: DoorsOf = (key) =>
    commonDoors.map(({ lockId, name }) => {
      const here = atDoors.find(
        (row) =>
          row.lockId === lockId &&
          row.cardId === key.cardId &&
          row.passcodeId === key.passcodeId &&
          row.faceId === key.faceId,
      );
      const isTaken = taken.some((code) => code.lockId === lockId && code.passcodeId === key.passcodeId);
      return { name, state: here?.state ?? (isTaken ? "taken" : "none") };
    });
  const doorsOfWritten = ({ otherDoors }: StayCardRow): DoorStates =>
    commonDoors.map(({ lockId, name }) => ({
      name,
      state: otherDoors.find((door) => door.lockId === lockId)?.state ?? "none",
    }));
  const codes = [...liveCodes.rows, ...endedCodes.rows];
  const pending = await pendingRevocationsAmong(scope, {
    cardIds: new Set(cards.map(({ id }) => id)),
    credentialIds: new Set([
      ...codes.flatMap((code) => code.credentials.map(({ id }) => id)),
      ...faces.map(({ id }) => id),
    ]),
  });
  const holderOfFace = (id: number): number | null => {
    const guestId = faceGuests.find(({ credentialId }) => credentialId === id)?.guestId;
    return guests.find((guest) => guest.guestId === guestId)?.stayGuestId ?? null;
  };
  const holderOfCode = (id: number): number | null =>
    codeHolders.find(({ passcodeId }) => passcodeId === id)?.stayGuestId ?? null;
  const keys = [
    ...cards.map((card) =>
      keyOfCard(
        card,
        pending,
        card.overTheAir ? doorsOf({ cardId: card.id, passcodeId: null, faceId: null }) : doorsOfWritten(card),
      ),
    ),
    ...codes.map((code) =>
      keyOfCode(
        code,
        holderOfCode(code.id),
        pending,
        code.type === "one_time" ? [] : doorsOf({ cardId: null, passcodeId: code.id, faceId: null }),
      ),
    ),
    ...faces.map((face) =>
      keyOfFace(face, holderOfFace(face.id), pending, doorsOf({ cardId: null, passcodeId: null, faceId: face.faceId })),
    ),
  ];
  const hasLeft = stay.state !== "reserved" && stay.state !== "checked_in";
  return {
    stayId,
    state: stay.state,
    room: { id: stay.roomId, name: stay.roomName },
    opensUntil: accessWindow(scope.hotel, stay).validTo.toISOString(),
    door: door ?? null,
    zones,
    wantsIdCard: wish?.wanted ?? false,
    guests: guests.map(({ stayGuestId, name }) => ({ stayGuestId, name })),
    keys: keys.filter((key) => key !== null).filter((key) => isShown(key, hasLeft)),
  };
}

const NO_CODES: { rows: PasscodeRow[] } = { rows: [] };

/** While the party is here, ended keys are no news; of a party that has left, those that its check-out ended are. */
function isShown({ state, revokeReason }: StayKey, hasLeft: boolean): boolean {
  if (state !== "ended") return true;
  return hasLeft && (revokeReason === "checked_out" || revokeReason === "cancelled");
}

type Pending = readonly PendingRevocation[];

/** Until when a key that ended may still open, by its locks; undefined: it opens no door any more. */
function mayOpenUntil(rows: Pending): string | null | undefined {
  if (rows.length === 0) return undefined;
  const ends = rows.map(({ validTo }) => validTo);
  return ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null);
}

/**
 * A key that ended and may still open says so. One that lives on at another door, after its party moved, doesn't: what
 * may still open there is shown with the old door.
 */
const withRisk = (state: StayKey["state"], until: string | null | undefined): StayKey["state"] =>
  until !== undefined && (state === "ended" || state === "may_open") ? "may_open" : state;

/** A card whose writing was never confirmed is no key; its earlier issue says that it must be written again. */
function keyOfCard(card: StayCardRow, pending: Pending, doors: DoorStates): StayKey | null {
  const { id, uid, overTheAir, idCard, rewrite, roomName, revokeReason, usedAt, holder } = card;
  const until = mayOpenUntil(pending.filter(({ cardId }) => cardId === id));
  const own = rewrite ? "rewrite" : stateOfCard(card);
  if (own === null) return null;
  const state = withRisk(own, until);
  return {
    ...{
      kind: idCard ? "idCard" : overTheAir ? "airCard" : "card",
      id,
      label: uid,
      stayGuestId: holder?.stayGuestId ?? null,
      state,
    },
    ...{
      rewrite,
      revokeReason,
      roomName,
      validTo: state === "may_open" && until !== undefined ? until : card.validTo,
      usedAt,
      doors: doorsShown(state, doors),
    },
  };
}

/** A key that opens nothing any more isn't told what it doesn't open. */
const doorsShown = (state: StayKey["state"], doors: DoorStates): DoorStates =>
  state === "ended" || state === "may_open" ? [] : doors;

function stateOfCard({ state, overTheAir, standing }: StayCardRow): StayKey["state"] | null {
  if (state === "pending" && !overTheAir) return null;
  switch (standing) {
    case "pending":
      return "waiting";
    case "failed":
      return "failed";
    case "active":
      return "opens";
    case "revoking":
      return "may_open";
    default:
      return "ended";
  }
}

function keyOfCode(code: PasscodeRow, stayGuestId: number | null, pending: Pending, doors: DoorStates): StayKey {
  const ids = new Set(code.credentials.map(({ id }) => id));
  const until = mayOpenUntil(pending.filter(({ credentialId }) => credentialId !== null && ids.has(credentialId)));
  const states = { pending: "waiting", active: "opens", failed: "failed", revoking: "may_open" } as const;
  const { standing } = code;
  const state = standing === "expired" || standing === "revoked" ? "ended" : states[standing];
  return {
    ...{ kind: "passcode", id: code.id, label: code.person, rewrite: null, roomName: code.roomNames || null },
    stayGuestId,
    state: withRisk(state, until),
    revokeReason: code.deletedAt === null && state === "ended" ? "checked_out" : null,
    validTo: withRisk(state, until) === "may_open" && until !== undefined ? until : code.validTo,
    usedAt: latestUse(code.credentials),
    doors: doorsShown(withRisk(state, until), doors),
  };
}

function keyOfFace(
  face: CredentialRow & { displayStatus: string },
  stayGuestId: number | null,
  pending: Pending,
  doors: DoorStates,
): StayKey {
  const { id, label, roomName, usedAt } = face;
  const until = mayOpenUntil(pending.filter(({ credentialId }) => credentialId === id));
  const states: Record<string, StayKey["state"]> = {
    pending: "waiting",
    active: "opens",
    failed: "failed",
    revoking: "may_open",
  };
  return {
    ...{ kind: "face", id, label, stayGuestId, rewrite: null, revokeReason: null, roomName, usedAt },
    state: withRisk(states[face.displayStatus] ?? "ended", until),
    validTo: until !== undefined ? until : face.validTo,
    doors: doorsShown(withRisk(states[face.displayStatus] ?? "ended", until), doors),
  };
}

const latestUse = (credentials: readonly CredentialRow[]): string | null =>
  credentials
    .flatMap(({ usedAt }) => usedAt ?? [])
    .toSorted()
    .at(-1) ?? null;
