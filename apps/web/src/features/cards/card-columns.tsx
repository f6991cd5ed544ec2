import type { MasterCardRow } from "@innkey/shared/schemas/cards";
import { useMemo } from "react";
import { CardStateChip } from "@/entities/credential/card-state.tsx";
import { windowText } from "@/entities/lock/lock-words.ts";
import { formatNumber, formatRelative, formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { DataColumn } from "@/ui/table/columns.ts";

const CONFIRMED_STATES = new Set(["confirmed", "used"]);

export function useCardColumns(kind: "management" | "universal"): DataColumn<MasterCardRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo((): DataColumn<MasterCardRow>[] => {
    /** The start is shown only while it lies in the future. */
    const periodText = ({ validFrom, validTo }: MasterCardRow): string => {
      if (Date.parse(validFrom) > Date.now()) return windowText(validFrom, validTo, timeZone);
      return validTo ? t("card.until", { when: formatShort(validTo, timeZone) }) : t("card.permanent");
    };
    const doors: DataColumn<MasterCardRow>[] = [
      {
        id: "rooms",
        header: t("card.rooms"),
        cell: (row) => (
          <span
            dir="ltr"
            className="block max-w-[45vw] truncate lg:max-w-44 rtl:text-end"
            title={row.roomName ?? undefined}
          >
            <span className="tabular-nums">{formatNumber(row.roomIds.length)}</span>
            {" · "}
            <bdi className="text-muted-foreground">{row.roomName}</bdi>
          </span>
        ),
      },
      {
        id: "locks",
        header: t("card.locksKnow"),
        className: "whitespace-nowrap",
        cell: ({ credentials }) => {
          const active = credentials.filter(({ state }) => state !== "revoked" && state !== "revoking");
          if (active.length === 0) return <span className="text-faint-foreground">–</span>;
          const confirmed = active.filter(({ state }) => CONFIRMED_STATES.has(state)).length;
          return (
            <span className={confirmed < active.length ? "text-expired" : undefined}>
              {t("card.ofLocks", { confirmed: formatNumber(confirmed), total: formatNumber(active.length) })}
            </span>
          );
        },
      },
    ];
    return [
      {
        id: "note",
        header: t("card.note"),
        fixed: true,
        card: "title",
        cell: (row) => (
          <span className="block max-w-56 min-w-0">
            <span dir="auto" className="name-run block truncate font-medium">
              {row.note}
            </span>
            <bdi className="block font-mono text-xs font-normal text-muted-foreground rtl:text-end" dir="ltr">
              {row.uid}
            </bdi>
          </span>
        ),
      },
      {
        id: "state",
        header: t("card.stateLabel"),
        card: "status",
        cell: (row) => (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <CardStateChip card={row} />
            {row.tooShort && <span className="text-xs font-medium text-expired">{t("card.writeAgain")}</span>}
          </span>
        ),
      },
      ...(kind === "management" ? doors : []),
      {
        id: "period",
        header: t("card.valid"),
        className: "whitespace-nowrap",
        cell: periodText,
      },
      {
        id: "used",
        header: t("card.lastUsed"),
        className: "whitespace-nowrap",
        cell: (row) =>
          row.usedAt ? (
            <span title={formatShort(row.usedAt, timeZone)}>{formatRelative(row.usedAt)}</span>
          ) : (
            <span className="text-muted-foreground">{t("card.neverUsed")}</span>
          ),
      },
      {
        id: "by",
        header: t("card.issuedBy"),
        className: "whitespace-nowrap",
        cell: (row) => (
          <span>
            <bdi>{row.operatorName ?? "–"}</bdi>
            <span className="block text-xs text-muted-foreground max-lg:hidden">
              {formatShort(row.createdAt, timeZone)}
            </span>
          </span>
        ),
      },
    ];
  }, [t, timeZone, kind]);
}
