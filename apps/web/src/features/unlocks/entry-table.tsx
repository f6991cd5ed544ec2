import type { WhoEntered } from "@innkey/shared/schemas/unlocks";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";

type EnteredRoom = WhoEntered["rooms"][number];
type Entry = EnteredRoom["entries"][number];

/** Returns e.g. "18 Nov, 14:00 – now". */
export function roomPeriod(t: Translate, { from, to }: EnteredRoom, timeZone: string): string {
  return `${formatDateTime(from, timeZone)} – ${to ? formatDateTime(to, timeZone) : t("entered.now")}`;
}

export function refusedText(t: Translate, { refused }: EnteredRoom): string | null {
  return refused === 0 ? null : t("entered.refused", { formatted: formatNumber(refused) });
}

function byWhom(t: Translate, { who, name }: Entry): string {
  if (name && (who === "party" || who === "staff" || who === "remote")) return t(`entered.by.${who}Named`, { name });
  return t(`entered.by.${who}`);
}

/** Lists the openings of one room, newest first. */
export function EntryTable({ entries, label }: { entries: readonly Entry[]; label: string }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return (
    <table aria-label={label} className="w-full border-collapse">
      <thead>
        <tr className="border-y text-start text-sm text-muted-foreground">
          <th scope="col" className="px-5 py-2 text-start font-medium">
            {t("room.unlockAt")}
          </th>
          <th scope="col" className="py-2 pe-5 text-start font-medium">
            {t("entered.who")}
          </th>
          <th scope="col" className="py-2 pe-5 text-start font-medium max-sm:hidden">
            {t("room.unlockStyle")}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="px-5 py-2 align-top whitespace-nowrap tabular-nums">
              <time dateTime={entry.at}>{formatDateTime(entry.at, timeZone)}</time>
            </td>
            <td className="py-2 pe-5">{byWhom(t, entry)}</td>
            <td className="py-2 pe-5 text-muted-foreground max-sm:hidden">{t(`room.style.${entry.style}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
