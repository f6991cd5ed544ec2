import type { FaceRow } from "@innkey/shared/schemas/faces";
import { faceListQuery } from "../../../access/public.ts";
import { type ExportList, text, time } from "../columns.ts";
import { keyRooms, keyState } from "./key-state.ts";

/** People whose faces open doors; pictures are never exported. */
export const facesList: ExportList<"faces", FaceRow> = {
  query: (scope, { query }) => faceListQuery(scope, query),
  columns: {
    note: text(({ note }) => note),
    guest: text(({ guestName }, { scope }) => (scope.can("stays.view") ? guestName : null)),
    rooms: text(({ grants }) => keyRooms(grants)),
    state: text(({ grants }, reader) => keyState(grants, reader)),
    consent: time(({ consentAt }) => consentAt),
    takenIn: time(({ createdAt }) => createdAt),
    operator: text(({ operatorName }) => operatorName),
  },
};
