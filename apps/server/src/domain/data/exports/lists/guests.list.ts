import type { guestRow } from "@innkey/shared/schemas/stays";
import type { z } from "zod";
import { guestListQuery, readDocumentNumber } from "../../../stays/public.ts";
import { type ExportList, text, time, yesNo } from "../columns.ts";

type Row = z.infer<typeof guestRow> & { guestId: number; documentBox: Buffer | null };

/** Document numbers are masked or in full, as the reader may see them. */
export const guestsList: ExportList<"guests", Row> = {
  query: (scope, filters) => guestListQuery(scope, filters),
  columns: {
    name: text(({ name }) => name),
    state: text(({ state }, { t }) => t(`guest.state.${state}`)),
    room: text(({ roomName }) => roomName),
    arrival: time(({ startsAt }) => startsAt),
    departure: time(({ endsAt }) => endsAt),
    mobile: text(({ mobile }) => mobile),
    nationality: text(({ nationality }) => nationality),
    documentNumber: text(({ guestId, documentBox }, { scope }) => readDocumentNumber(scope, guestId, documentBox)),
    breakfast: yesNo(({ breakfast }) => breakfast),
    primary: yesNo(({ primary }) => primary),
    otherInformation: text(({ otherInformation }) => otherInformation),
  },
};
