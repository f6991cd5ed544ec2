import type { MasterCardRow } from "@innkey/shared/schemas/cards";
import { cardListQuery } from "../../../access/public.ts";
import { type ExportList, text, time } from "../columns.ts";

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
    note: text(({ note }) => note),
    number: text(({ uid }) => uid),
    kind: text(({ kind, overTheAir }, { t }) => t(overTheAir ? "card.air.kind" : `locks.cardKind.${kind}`)),
    state: text(({ state, validTo }, { t, scope }) =>
      state === "active" && validTo !== null && validTo <= scope.now().toISOString()
        ? t("card.ranOut")
        : t(`card.state.${state}`),
    ),
    rooms: text(({ roomName }) => roomName),
    guest: text(({ guestName }, { scope }) => (scope.can("stays.view") ? guestName : null)),
    locksKnow: text(locksKnow),
    validFrom: time(({ validFrom }) => validFrom),
    validTo: time(({ validTo }) => validTo),
    lastUsed: time(({ usedAt }) => usedAt),
    issuedBy: text(({ operatorName }) => operatorName),
    issued: time(({ createdAt }) => createdAt),
  },
};
