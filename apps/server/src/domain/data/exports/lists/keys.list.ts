import type { MasterCardRow } from "@innkey/shared/schemas/access/cards";
import type { FaceRow } from "@innkey/shared/schemas/access/faces";
import type { CredentialRow } from "@innkey/shared/schemas/access/locks";
import type { PasscodeRow } from "@innkey/shared/schemas/access/passcodes";
import { cardListQuery, faceListQuery, passcodeListQuery } from "../../../access/public.ts";
import type { ExportList, Reader } from "../columns.ts";

type State = CredentialRow["state"];

/** States in the order of urgency, as on the screens. */
const ATTENTION: readonly State[] = ["failed", "revoking", "queued", "sent", "confirmed", "used", "revoked"];

/** Returns the most urgent state of a key that is at several doors; null for a key that is at none. */
export function keyState(credentials: readonly CredentialRow[], { t }: Pick<Reader, "t">): string | null {
  const state = ATTENTION.find((state) => credentials.some((credential) => credential.state === state));
  return state ? t(`locks.credential.${state}`) : null;
}

/** Returns the distinct rooms at whose doors a key is. */
export const keyRooms = (credentials: readonly CredentialRow[]): string =>
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
function locksKnow({ credentials }: MasterCardRow): string | null {
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
    locksKnow: locksKnow,
    validFrom: ({ validFrom }) => validFrom,
    validTo: ({ validTo }) => validTo,
    lastUsed: ({ usedAt }) => usedAt,
    issuedBy: ({ operatorName }) => operatorName,
    issued: ({ createdAt }) => createdAt,
  },
};
