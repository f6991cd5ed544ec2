import type { BatteryRow } from "@innkey/shared/schemas/access/locks";
import { batteryText, percentText } from "@/entities/lock/lock-labels.ts";
import { formatFullDateTime, formatList, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { PaperTable, PaperTitle } from "@/ui/paper.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";

/** Returns where the lock is: its floor, the zones of its common door, or nothing for a lock on no door. */
export function placeOf({ floor, zones, roomId, roomName }: BatteryRow): string {
  if (floor !== null) return t("card.plan.floor", { floor: formatNumber(floor) });
  if (zones.length > 0) return formatList(zones);
  return roomId === null && roomName === null ? t("locks.noRoom") : t("nav.commonDoors");
}

/** Groups rows by floor, then common doors by their zones; each group keeps the order of urgency. */
function groupByPlace(rows: readonly BatteryRow[]): { place: string; rows: BatteryRow[] }[] {
  const groups = new Map<string, BatteryRow[]>();
  for (const row of rows) groups.set(placeOf(row), [...(groups.get(placeOf(row)) ?? []), row]);
  const floorOf = ([, [first]]: [string, BatteryRow[]]): number => first?.floor ?? Number.POSITIVE_INFINITY;
  return [...groups]
    .sort((a, b) => floorOf(a) - floorOf(b) || a[0].localeCompare(b[0]))
    .map(([place, inPlace]) => ({ place, rows: inPlace }));
}

/** The batteries on paper, by floor and zone, to be ticked on the way. */
export function BatterySheet({ rows, onPrinted }: { rows: readonly BatteryRow[]; onPrinted: () => void }) {
  const { name, timeZone } = useHotel();
  usePrinting(true, onPrinted);
  return (
    <PrintSheet>
      <PaperTitle
        title={`${name} · ${t("locks.battery.title")}`}
        detail={formatFullDateTime(new Date().toISOString(), timeZone)}
      />
      {groupByPlace(rows).map(({ place, rows: inPlace }) => (
        <section key={place}>
          <h2 className="mb-1 font-semibold">{place}</h2>
          <PaperTable
            columns={[
              t("board.room"),
              t("locks.power"),
              t("locks.battery.weeksLeft"),
              t("room.lastSeen"),
              t("paper.done"),
            ]}
            rows={inPlace.map((row) => [
              row.roomName ?? row.mac,
              row.power === null ? t("room.powerUnknown") : percentText(row.power),
              batteryText(row.weeksLeft),
              row.lastSeenAt ? formatFullDateTime(row.lastSeenAt, timeZone) : t("room.neverSeen"),
              "☐",
            ])}
          />
        </section>
      ))}
    </PrintSheet>
  );
}
