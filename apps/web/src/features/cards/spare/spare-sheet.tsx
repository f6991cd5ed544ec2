import type { SpareCards } from "@innkey/shared/schemas/access/cards";
import { formatFullDateTime, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { PaperTable, PaperTitle } from "@/ui/paper.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";

type SpareSheetProps = { spares: SpareCards; onPrinted: () => void };

/** The spare cards on paper, to lie with the envelopes, with room to write who got one and when. */
export default function SpareSheet({ spares, onPrinted }: SpareSheetProps) {
  const { hotelName, timeZone, readAt, rooms } = spares;
  usePrinting(true, onPrinted);
  return (
    <PrintSheet>
      <PaperTitle
        title={`${hotelName} · ${t("nav.spareCards")}`}
        detail={t("roster.asOf", { at: formatFullDateTime(readAt, timeZone) })}
      />
      <PaperTable
        columns={[t("board.room"), t("spare.card"), t("roster.state"), t("card.validTo"), t("spare.handedTo")]}
        rows={rooms.flatMap(({ roomName, cards }) =>
          cards.map(({ label, state, validTo }) => [
            roomName,
            label,
            t(`spare.state.${state}`),
            formatShort(validTo, timeZone),
            "",
          ]),
        )}
      />
    </PrintSheet>
  );
}
