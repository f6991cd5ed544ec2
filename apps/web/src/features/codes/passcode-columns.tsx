import type { PasscodeRow } from "@innkey/shared/schemas/passcodes";
import { useMemo } from "react";
import { DoorsChip } from "@/entities/credential/doors-chip.tsx";
import { formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { DataColumn } from "@/ui/table/columns.ts";
import { periodText } from "./period-text.ts";

export function usePasscodeColumns(inRoom = false): DataColumn<PasscodeRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<PasscodeRow>[] => [
      {
        id: "person",
        header: t("passcode.personColumn"),
        fixed: true,
        card: "title",
        cell: (row) => (
          <span className="block min-w-0">
            <span className="block truncate font-medium">
              <bdi>{row.person}</bdi>
            </span>
            {row.note && (
              <span className="block truncate text-sm font-normal text-muted-foreground">
                <bdi>{row.note}</bdi>
              </span>
            )}
          </span>
        ),
      },
      { id: "type", header: t("passcode.type"), cell: (row) => t(`locks.passcodeType.${row.type}`) },
      ...(inRoom
        ? []
        : [
            {
              id: "rooms",
              header: t("passcode.rooms"),
              className: "max-w-48",
              cell: (row: PasscodeRow) => (
                <span className="block truncate">
                  <bdi>{row.roomNames || "–"}</bdi>
                </span>
              ),
            },
          ]),
      { id: "period", header: t("passcode.period"), cell: (row) => periodText(row, timeZone) },
      {
        id: "state",
        header: t("locks.state"),
        cell: (row) => <DoorsChip credentials={row.credentials} once={row.type === "one_time"} />,
      },
      {
        id: "createdAt",
        header: t("passcode.issued"),
        cell: (row) => (
          <span className="block">
            <span className="block whitespace-nowrap">{formatShort(row.createdAt, timeZone)}</span>
            {row.operatorName && (
              <span className="block truncate text-sm text-muted-foreground">
                <bdi>{row.operatorName}</bdi>
              </span>
            )}
          </span>
        ),
      },
    ],
    [t, timeZone, inRoom],
  );
}
