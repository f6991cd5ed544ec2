import type { EncoderRow } from "@innkey/shared/schemas/encoders";
import { encoderListQuery } from "../../../access/public.ts";
import { type ExportList, text, time } from "../columns.ts";

export const encodersList: ExportList<"encoders", EncoderRow> = {
  query: (scope, filters) => encoderListQuery(scope, filters),
  columns: {
    name: text(({ name }) => name),
    deviceNo: text(({ deviceNo }) => deviceNo),
    type: text(({ type }, { t }) => t("reader.type", { number: type })),
    holder: text(({ holder }) => holder?.name ?? null),
    lastSeen: time(({ lastSeenAt }) => lastSeenAt),
    registered: time(({ createdAt }) => createdAt),
    note: text(({ note }) => note),
  },
};
