import type { BreakfastDay } from "@innkey/shared/schemas/breakfast";
import { formatLocalDate, formatTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { PrintSheet } from "@/ui/print-sheet.tsx";

/** Printed breakfast list with a box for each guest. The heading is repeated on every page. */
export function BreakfastSheet({ day }: { day: BreakfastDay }) {
  const { t } = useTranslation();
  const { name, timeZone } = useHotel();
  return (
    <PrintSheet>
      <table className="w-full border-collapse text-base">
        <caption className="mb-3 text-start">
          <span className="block text-xl font-semibold">{t("breakfast.printTitle")}</span>
          <span className="block">
            {[
              name,
              formatLocalDate(day.date, { dateStyle: "full" }),
              `${day.from} – ${day.to}`,
              t("breakfast.printCount", { count: day.guests.length }),
            ].join(" · ")}
          </span>
        </caption>
        <thead>
          <tr className="border-b-2 border-black">
            <th scope="col" className="w-12 py-1">
              <span className="sr-only">{t("breakfast.served")}</span>
            </th>
            <th scope="col" className="w-28 py-1 text-start">
              {t("breakfast.room")}
            </th>
            <th scope="col" className="py-1 text-start">
              {t("breakfast.guest")}
            </th>
            <th scope="col" className="w-28 py-1 text-start">
              {t("breakfast.at")}
            </th>
          </tr>
        </thead>
        <tbody>
          {day.guests.map((guest) => (
            <tr key={guest.stayGuestId} className="border-b border-black/40">
              <td className="py-1.5 text-center">
                <span className="inline-grid size-4 place-items-center border border-black text-xs leading-none">
                  {guest.usedAt ? "✓" : ""}
                </span>
              </td>
              <td className="py-1.5 font-medium">
                <bdi>{guest.roomName}</bdi>
              </td>
              <td className="py-1.5">
                <bdi>{guest.name}</bdi>
                {guest.state !== "in" && ` (${t(`breakfast.${guest.state}`)})`}
              </td>
              <td className="py-1.5">{guest.usedAt ? formatTime(guest.usedAt, timeZone) : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </PrintSheet>
  );
}
