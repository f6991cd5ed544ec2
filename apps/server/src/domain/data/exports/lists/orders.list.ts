import type { orderListOutput } from "@innkey/shared/schemas/orders";
import type { z } from "zod";
import { orderListQuery } from "../../../folio/public.ts";
import { type ExportList, money, text, time } from "../columns.ts";

type Row = z.infer<typeof orderListOutput>["rows"][number];

/** Returns the amount as shown on the screen: refunds and withdrawals are negative. */
const signed = ({ type, amountMinor }: Row): number =>
  type === "refund" || type === "withdrawal" ? -amountMinor : amountMinor;

export const ordersList: ExportList<"orders", Row> = {
  query: (scope, filters) => orderListQuery(scope, filters),
  columns: {
    type: text(({ type }, { t }) => t(`order.typeOf.${type}`)),
    at: time(({ createdAt }) => createdAt),
    guest: text(({ guestName }) => guestName),
    room: text(({ roomName }) => roomName),
    channel: text(({ channel }, { t }) => (channel ? t(`stay.channel.${channel}`) : t("order.notMoved"))),
    operator: text(({ operatorName }) => operatorName),
    amount: money(signed),
    currency: text((_row, { scope }) => scope.hotel.currency),
    note: text(({ note }) => note),
  },
};
