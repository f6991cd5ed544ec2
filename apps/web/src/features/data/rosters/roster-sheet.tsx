import type { RosterRoom, RosterStay, RosterSheet as Sheet } from "@innkey/shared/schemas/rosters";
import { formatFullDateTime, formatNumber, formatShort, joinItems } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { PaperTable, PaperTitle } from "@/ui/paper.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";

type RosterSheetProps = { sheet: Sheet; onPrinted: () => void };

/** The emergency list on paper: every room with who is there, who comes, and how long their keys work. */
export default function RosterSheet({ sheet, onPrinted }: RosterSheetProps) {
  const { hotelName, timeZone, madeAt, rooms } = sheet;
  usePrinting(true, onPrinted);
  return (
    <PrintSheet>
      <PaperTitle
        title={`${hotelName} · ${t("nav.roster")}`}
        detail={t("roster.asOf", { at: formatFullDateTime(madeAt, timeZone) })}
      />
      <PaperTable
        columns={[
          t("board.room"),
          t("roster.state"),
          t("nav.guests"),
          t("guest.arrival"),
          t("guest.departure"),
          t("roster.keys"),
        ]}
        rows={rooms.flatMap((room) => linesOf(room, timeZone))}
      />
    </PrintSheet>
  );
}

function linesOf({ name, condition, maintenance, stays }: RosterRoom, timeZone: string): string[][] {
  if (stays.length === 0) {
    const status = maintenance ? "maintenance" : condition === "dirty" ? "dirty" : "vacant";
    return [[name, t(`status.${status}`), "", "", "", ""]];
  }
  return stays.map((stay) => [
    name,
    t(`status.${stay.state}`),
    joinItems(stay.guests),
    formatShort(stay.startsAt, timeZone),
    formatShort(stay.endsAt, timeZone),
    keysOf(stay, timeZone),
  ]);
}

function keysOf({ cards, codes, faces }: RosterStay, timeZone: string): string {
  const until = (validTo: string | null): string =>
    validTo ? t("roster.until", { at: formatShort(validTo, timeZone) }) : t("roster.noEnd");
  return [
    ...(cards ?? []).map(({ number, validTo }) =>
      joinItems([number === "" ? t("roster.idCard") : t("roster.card", { number }), until(validTo)]),
    ),
    ...(codes ?? []).map(({ validTo }) => `${t("roster.code")}, ${until(validTo)}`),
    ...(faces ? [t("roster.faces", { number: formatNumber(faces) })] : []),
  ].join("; ");
}
