import type { TodayStay } from "@innkey/shared/schemas/overview/today";
import { formatFullDateTime, formatMoney, formatNumber, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { PaperTable, PaperTitle } from "@/ui/paper.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";
import type { TodayList } from "./today-search.ts";

type TodaySheetProps = { list: TodayList; stays: readonly TodayStay[]; onPrinted: () => void };

/** One of the lists of today on paper, with a box to tick. */
export default function TodaySheet({ list, stays, onPrinted }: TodaySheetProps) {
  const { name, timeZone, currency } = useHotel();
  usePrinting(true, onPrinted);
  const money = ({ owedMinor }: TodayStay): string =>
    owedMinor === null ? "" : owedMinor === 0 ? t("home.row.settled") : formatMoney(owedMinor, currency);
  return (
    <PrintSheet>
      <PaperTitle
        title={`${name} · ${t(`home.lists.${list}`)}`}
        detail={formatFullDateTime(new Date().toISOString(), timeZone)}
      />
      <PaperTable
        columns={[
          t(list === "arrivals" ? "guest.arrival" : "guest.departure"),
          t("board.room"),
          t("board.guest"),
          t("paper.people"),
          t(list === "arrivals" ? "guest.departure" : "guest.arrival"),
          t("guest.balance"),
          t("paper.documents"),
          t("paper.done"),
        ]}
        rows={stays.map((stay) => [
          formatShort(list === "arrivals" ? stay.startsAt : stay.endsAt, timeZone),
          stay.roomName,
          stay.guestName,
          formatNumber(stay.guestCount),
          formatShort(list === "arrivals" ? stay.endsAt : stay.startsAt, timeZone),
          money(stay),
          stay.documentsMissing === 0 ? "✓" : t("home.row.noDocument"),
          "☐",
        ])}
      />
    </PrintSheet>
  );
}
