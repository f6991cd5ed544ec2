import type { HomeOverview } from "@innkey/shared/schemas/home";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { TrafficBars } from "@/entities/unlock/traffic-bars.tsx";
import { barsOf } from "@/entities/unlock/traffic-span.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";

type DoorsCardProps = { date: string; traffic: NonNullable<HomeOverview["traffic"]> };

/** Chart of today's door openings. A bar links to its records. */
export function DoorsCard({ date, traffic }: DoorsCardProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const navigate = useNavigate();
  const bars = useMemo(() => barsOf(traffic, "day", date, timeZone), [traffic, date, timeZone]);
  return (
    <Card>
      <CardHeader title={t("home.doors")} />
      <CardBody>
        <TrafficBars
          title={t("home.doors")}
          unit={t("doors.traffic.hour")}
          bars={bars}
          chosen={undefined}
          onChoose={({ from, to }) => void navigate({ to: "/doors", search: { from, to } })}
        />
      </CardBody>
    </Card>
  );
}
