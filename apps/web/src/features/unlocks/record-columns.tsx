import type { UnlockRecord } from "@innkey/shared/schemas/access/unlocks";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { listColumns } from "@/entities/export/list-columns.ts";
import { formatDateTime } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { StatusChip } from "@/ui/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";
import { iconOf, reasonText, resultText, styleText } from "./record-look.tsx";
import type { RecordsOf } from "./records-query.ts";

/** Known sources of a record. Drivers may report others, which are shown unchanged. */
const SOURCES = ["lock", "gateway", "console"] as const;

const linkStyle = "underline decoration-border underline-offset-4 hover:decoration-current";

function sourceText(t: Translate, source: string): string {
  const sourceName = SOURCES.find((name) => name === source);
  return sourceName ? t(`room.source.${sourceName}`) : source || "–";
}

/** Columns of a list of records. Those that are the same in all rows are left out. */
export function useRecordColumns(of: RecordsOf): DataColumn<UnlockRecord>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const seesGuests = useCan()("stays.view");
  const isOfRoom = typeof of === "object" && "roomId" in of;
  const isOfPerson = typeof of === "object" && "stayGuestId" in of;

  return useMemo(
    () =>
      listColumns<"unlocks", UnlockRecord>("unlocks", {
        at: {
          fixed: true,
          card: "title",
          className: "whitespace-nowrap",
          cell: (row) => <time dateTime={row.at}>{formatDateTime(row.at, timeZone)}</time>,
        },
        room: !isOfRoom && { cell: (row) => <RoomOf record={row} /> },
        style: { cell: (row) => <StyleOf record={row} /> },
        result: { card: "status", cell: (row) => <ResultOf record={row} /> },
        who: !isOfPerson && { cell: (row) => <WhoOf record={row} linked={seesGuests} /> },
        source: { card: "none", cell: (row) => sourceText(t, row.source) },
        content: { hidden: true, cell: (row) => row.content || "–" },
      }),
    [t, timeZone, seesGuests, isOfRoom, isOfPerson],
  );
}

function RoomOf({ record: { roomId, roomName } }: { record: UnlockRecord }) {
  if (roomId === null || roomName === null) return "–";
  return (
    <Link to="/room/$roomId" params={{ roomId }} search={{ tab: "unlocks" }} className={`font-medium ${linkStyle}`}>
      <bdi>{roomName}</bdi>
    </Link>
  );
}

function StyleOf({ record }: { record: UnlockRecord }) {
  const Icon = iconOf(record);
  return (
    <span className="inline-flex items-center gap-2">
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      {styleText(record)}
    </span>
  );
}

function ResultOf({ record }: { record: UnlockRecord }) {
  const reason = reasonText(record);
  return (
    <span className="flex flex-col items-start gap-0.5 max-lg:items-end">
      <StatusChip tone={record.success ? "success" : "danger"} size="sm">
        {resultText(record)}
      </StatusChip>
      {reason && <span className="text-sm text-muted-foreground max-lg:max-w-44 max-lg:text-end">{reason}</span>}
    </span>
  );
}

/** Shows the guest, otherwise the key's holder, otherwise the staff member who opened the door from the console. */
function WhoOf({ record, linked }: { record: UnlockRecord; linked: boolean }) {
  const { t } = useTranslation();
  const { guestName, stayGuestId, holder, operatorName } = record;
  if (guestName !== null) {
    if (!linked || stayGuestId === null) return guestName;
    return (
      <Link to="/room/thetouristsDetails" search={{ id: stayGuestId }} className={linkStyle}>
        {guestName}
      </Link>
    );
  }
  const name = holder ?? operatorName;
  if (name === null) return "–";
  return (
    <>
      {name} <span className="text-sm text-muted-foreground">{holder ? t("doors.holder") : t("room.operator")}</span>
    </>
  );
}
