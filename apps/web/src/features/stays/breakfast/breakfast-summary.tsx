import { atLocal } from "@innkey/shared/hotel-time";
import type { BreakfastDay } from "@innkey/shared/schemas/stays/breakfast";
import { formatLocalDate, formatMoney, formatNumber, formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { useNow } from "@/lib/time/timers.ts";
import { Callout } from "@/ui/callout.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Progress } from "@/ui/primitives/progress.tsx";
import { Table, TableBody, TableCaption, TableCell, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";
import { PrintSheet } from "@/ui/printing.tsx";

/** Shows how many guests are expected, served and still to come; outside breakfast hours, it shows those hours. */
export function BreakfastSummary({ day }: { day: BreakfastDay }) {
  const { timeZone, currency } = useHotel();
  const now = useNow();
  const expected = day.guests.length;
  const served = day.guests.filter(({ usedAt }) => usedAt !== null).length;
  const from = atLocal(day.date, day.from, timeZone);
  const to = atLocal(day.date, day.to, timeZone);
  const open = now >= Date.parse(from) && now < Date.parse(to);
  const counts = [
    ["expected", expected],
    ["served", served],
    ["left", expected - served],
  ] as const;
  return (
    <>
      <Card className="p-4">
        <dl className="grid grid-cols-3 gap-4 text-center">
          {counts.map(([name, count]) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-sm text-muted-foreground">{t(`breakfast.${name}`)}</dt>
              <dd className="figures text-2xl">{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
        {expected > 0 && (
          <Progress
            className="mt-3"
            value={(served / expected) * 100}
            aria-label={t("breakfast.progress", { served: formatNumber(served), expected: formatNumber(expected) })}
          />
        )}
        {day.priceMinor > 0 && (
          <p className="mt-3 text-sm text-muted-foreground">
            {t("breakfast.value", {
              served: formatMoney(served * day.priceMinor, currency),
              expected: formatMoney(expected * day.priceMinor, currency),
            })}
            <span className="block">{t("breakfast.charges", { price: formatMoney(day.priceMinor, currency) })}</span>
          </p>
        )}
      </Card>
      {day.date > day.today ? (
        <Callout tone="info" title={t("breakfast.future")} />
      ) : (
        day.date === day.today &&
        !open && (
          <Callout
            tone="info"
            title={t("breakfast.closed", { from: formatTime(from, timeZone), to: formatTime(to, timeZone) })}
          />
        )
      )}
    </>
  );
}

/** Printed breakfast list with a box for each guest. The heading is repeated on every page. */
export function BreakfastSheet({ day }: { day: BreakfastDay }) {
  const { name, timeZone } = useHotel();
  const printedHead = "text-base font-bold text-black";
  return (
    <PrintSheet>
      <Table spacing="compact" className="caption-top text-base [--edge-x:--spacing(0)]">
        <TableCaption className="mb-3 text-start text-base text-black">
          <span className="block text-xl font-semibold">{t("breakfast.printTitle")}</span>
          <span className="block">
            {[
              name,
              formatLocalDate(day.date, { dateStyle: "full" }),
              `${day.from} – ${day.to}`,
              t("breakfast.printCount", { count: day.guests.length }),
            ].join(" · ")}
          </span>
        </TableCaption>
        <TableHeader>
          <TableRow className="border-b-2 border-black">
            <TableHead className="w-12">
              <span className="sr-only">{t("breakfast.served")}</span>
            </TableHead>
            <TableHead className={`w-28 ${printedHead}`}>{t("breakfast.room")}</TableHead>
            <TableHead className={printedHead}>{t("breakfast.guest")}</TableHead>
            <TableHead className={`w-28 ${printedHead}`}>{t("breakfast.at")}</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody lines={false}>
          {day.guests.map((guest) => (
            <TableRow key={guest.stayGuestId} className="border-b border-black/40">
              <TableCell className="text-center">
                <span className="inline-grid size-4 place-items-center border border-black text-xs leading-none">
                  {guest.usedAt ? "✓" : ""}
                </span>
              </TableCell>
              <TableHead scope="row">
                <bdi>{guest.roomName}</bdi>
              </TableHead>
              <TableCell>
                <bdi>{guest.name}</bdi>
                {guest.state !== "in" && ` (${t(`breakfast.${guest.state}`)})`}
              </TableCell>
              <TableCell>{guest.usedAt ? formatTime(guest.usedAt, timeZone) : ""}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </PrintSheet>
  );
}
