import type { CardReaderRow } from "@innkey/shared/schemas/access/card-readers";
import type { MasterCardRow } from "@innkey/shared/schemas/access/cards";
import type { FaceRow } from "@innkey/shared/schemas/access/faces";
import type { CredentialRow, LockRow } from "@innkey/shared/schemas/access/locks";
import type { PasscodeRow } from "@innkey/shared/schemas/access/passcodes";
import type { UnlockRecord } from "@innkey/shared/schemas/access/unlocks";
import type { Scope } from "../../../../kernel/scope.ts";
import {
  cardListQuery,
  cardReaderListQuery,
  faceListQuery,
  findSubjects,
  listLockRecords,
  listPersonRecords,
  listRoomRecords,
  lockListQuery,
  passcodeListQuery,
  reasonWords,
  recordsFileQuery,
  resultWords,
  SPARE_CARD,
  sourceWords,
  styleWords,
} from "../../../access/public.ts";
import type { ExportList, Reader } from "../columns.ts";

type State = CredentialRow["state"];

/** States in the order of urgency, as on the screens. */
const ATTENTION: readonly State[] = ["failed", "revoking", "queued", "sent", "confirmed", "used", "revoked"];

/** Returns the most urgent state of a key that is at several doors; null for a key that is at none. */
function keyState(credentials: readonly CredentialRow[], { t }: Pick<Reader, "t">): string | null {
  const state = ATTENTION.find((state) => credentials.some((credential) => credential.state === state));
  return state ? t(`locks.credential.${state}`) : null;
}

/** Returns the distinct rooms at whose doors a key is. */
const keyRooms = (credentials: readonly CredentialRow[]): string =>
  [...new Set(credentials.flatMap(({ roomName }) => roomName ?? []))].join(", ");

/** People who have door codes; the codes are never exported. */
export const passcodesList: ExportList<"passcodes", PasscodeRow> = {
  query: (scope, filters) => passcodeListQuery(scope, filters),
  columns: {
    person: ({ person }) => person,
    type: ({ type }, { t }) => t(`locks.passcodeType.${type}`),
    rooms: ({ roomNames }) => roomNames,
    validFrom: ({ validFrom }) => validFrom,
    validTo: ({ validTo }) => validTo,
    state: ({ credentials }, reader) => keyState(credentials, reader),
    issued: ({ createdAt }) => createdAt,
    operator: ({ operatorName }) => operatorName,
    note: ({ note }) => note,
  },
};

/** People whose faces open doors; pictures are never exported. */
export const facesList: ExportList<"faces", FaceRow> = {
  query: (scope, { query }) => faceListQuery(scope, query),
  columns: {
    note: ({ note }) => note,
    guest: ({ guestName }, { scope }) => (scope.can("stays.view") ? guestName : null),
    rooms: ({ grants }) => keyRooms(grants),
    state: ({ grants }, reader) => keyState(grants, reader),
    consent: ({ consentAt }) => consentAt,
    takenIn: ({ createdAt }) => createdAt,
    operator: ({ operatorName }) => operatorName,
  },
};

const CONFIRMED = new Set(["confirmed", "used"]);
const ENDING = new Set(["revoked", "revoking"]);

/** Returns for example "2 / 3": locks that confirmed the card, of those that should have it. */
function confirmedLocks({ credentials }: MasterCardRow): string | null {
  const active = credentials.filter(({ state }) => !ENDING.has(state));
  if (active.length === 0) return null;
  return `${active.filter(({ state }) => CONFIRMED.has(state)).length} / ${active.length}`;
}

export const cardsList: ExportList<"cards", MasterCardRow> = {
  query: (scope, filters) => cardListQuery(scope, filters),
  columns: {
    note: ({ note }) => note,
    number: ({ uid }) => uid,
    kind: ({ kind, overTheAir }, { t }) => t(overTheAir ? "card.air.kind" : `locks.cardKind.${kind}`),
    state: ({ state, validTo }, { t, scope }) =>
      state === "active" && validTo !== null && validTo <= scope.now().toISOString()
        ? t("card.ranOut")
        : t(`card.state.${state}`),
    rooms: ({ roomName }) => roomName,
    guest: ({ guestName }, { scope }) => (scope.can("stays.view") ? guestName : null),
    locksKnow: confirmedLocks,
    validFrom: ({ validFrom }) => validFrom,
    validTo: ({ validTo }) => validTo,
    lastUsed: ({ usedAt }) => usedAt,
    issuedBy: ({ operatorName }) => operatorName,
    issued: ({ createdAt }) => createdAt,
  },
};

export const locksList: ExportList<"locks", LockRow> = {
  query: (scope, { ids }) => lockListQuery(scope, ids),
  columns: {
    room: ({ roomName }, { t }) => roomName ?? t("locks.noRoom"),
    state: ({ breakerOpenedAt, configuredAt, online }, { t }) =>
      breakerOpenedAt
        ? t("locks.stopped")
        : configuredAt === null
          ? t("locks.notSetUp")
          : t(online ? "locks.online" : "locks.offline"),
    power: ({ power }) => power,
    weeksLeft: ({ weeksLeft }) => weeksLeft,
    clock: ({ driftSeconds }) => driftSeconds,
    lastSeen: ({ lastSeenAt: seenAt }) => seenAt,
    waiting: ({ waiting }) => waiting,
    driver: ({ driver }, { t }) => t(`locks.driver.${driver}`),
    mac: ({ mac }) => mac,
    bluetoothName: ({ bluetoothName }) => bluetoothName,
    firmware: ({ firmware }) => firmware,
  },
};

export const cardReadersList: ExportList<"cardReaders", CardReaderRow> = {
  query: (scope, filters) => cardReaderListQuery(scope, filters),
  columns: {
    name: ({ name }) => name,
    deviceNo: ({ deviceNo }) => deviceNo,
    type: ({ type }, { t }) => t("reader.type", { number: type }),
    holder: ({ holders }) => holders.map(({ name }) => name).join(", ") || null,
    lastSeen: ({ lastSeenAt }) => lastSeenAt,
    registered: ({ createdAt }) => createdAt,
    note: ({ note }) => note,
  },
};

type RecordRow = Omit<UnlockRecord, "id" | "stayGuestId" | "roomId">;

const ROW = (
  holder: string,
): string => `iso(u.at) AS at, u.style::text AS style, u.success, u.reason, u.content, u.source,
  o.name AS "operatorName", g.name AS "guestName", ${holder} AS holder, ${SPARE_CARD} AS "spareCard", coalesce(r.name, dr.name) AS "roomName",
  u.opening_reason::text AS "openingReason", u.opening_note AS "openingNote"`;

export const unlocksList: ExportList<"unlocks", RecordRow> = {
  async check(scope: Scope, { roomId, stayGuestId, lockId }) {
    if (roomId !== undefined) await listRoomRecords(scope, { roomId, limit: 1 });
    if (stayGuestId !== undefined) await listPersonRecords(scope, { stayGuestId, limit: 1 });
    if (lockId !== undefined) await listLockRecords(scope, { lockId, limit: 1 });
  },
  async query(scope, { keyword, ...filters }) {
    const subjects = keyword ? await findSubjects(scope, keyword) : undefined;
    return recordsFileQuery({ ...filters, subjects }, scope.roomIds, filters, (_put, holder) => ROW(holder));
  },
  columns: {
    at: ({ at }) => at,
    room: ({ roomName }) => roomName,
    style: (row, { t }) => styleWords(row, t),
    result: (row, { t }) => resultWords(row, t),
    reason: (row, { t }) => reasonWords(row, t),
    guest: ({ guestName }) => guestName,
    holder: ({ holder, spareCard }, { t }) => (spareCard === null ? holder : t("room.spareCard", { label: spareCard })),
    operator: ({ operatorName }) => operatorName,
    source: ({ source }, { t }) => sourceWords(source, t),
    content: ({ content }) => content,
  },
};
