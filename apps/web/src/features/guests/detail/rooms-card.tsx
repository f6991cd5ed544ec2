import type { StayDetail } from "@innkey/shared/schemas/stays";
import { cn } from "@/lib/cn.ts";
import { formatDateTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";

const NOW = ["held", "in_house"];

/** Lists the rooms of the stay, the present one first. */
export function RoomsCard({ stay }: { stay: StayDetail }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  if (stay.occupancies.length < 2) return null;
  return (
    <Card>
      <CardHeader title={t("guest.rooms")} />
      <CardBody>
        <ol className="grid gap-4">
          {stay.occupancies.toReversed().map((one) => {
            const present = NOW.includes(one.state);
            return (
              <li key={`${one.roomId}${one.startsAt}`} className="flex items-baseline gap-3">
                <span
                  aria-hidden
                  className={cn("size-2 shrink-0 rounded-full", present ? "bg-checked-in" : "bg-border")}
                />
                <bdi className={cn("min-w-14 font-semibold", !present && "text-muted-foreground")}>{one.roomName}</bdi>
                <span className="text-muted-foreground">
                  {formatDateTime(one.startsAt, timeZone)} – {formatDateTime(one.endsAt, timeZone)}
                </span>
                {present && <span className="sr-only">{t("guest.present")}</span>}
              </li>
            );
          })}
        </ol>
      </CardBody>
    </Card>
  );
}
