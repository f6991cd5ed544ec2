import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell } from "lucide-react";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { WithTooltip } from "@/ui/action/icon-button.tsx";
import { Button } from "@/ui/primitives/button.tsx";

const MAX_COUNTED = 99;

/** Bell in the navbar with the number of unread alerts. */
export function AlertBell() {
  const { data } = useQuery(trpc.alerts.unread.queryOptions());
  const unread = data?.unread ?? 0;
  const label = unread > 0 ? t("alert.bell", { number: formatNumber(unread) }) : t("nav.alerts");
  const countText = unread > MAX_COUNTED ? `${formatNumber(MAX_COUNTED)}+` : formatNumber(unread);
  return (
    <WithTooltip content={label}>
      <Button asChild size="icon" variant="ghost">
        <Link to="/alerts" aria-label={label} className="relative">
          <Bell aria-hidden className="size-[18px]" />
          {unread > 0 && (
            <span
              aria-hidden
              className="absolute -end-0.5 top-0 min-w-4.5 rounded-full bg-destructive px-1 text-center text-[11px] leading-4.5 font-semibold text-destructive-foreground tabular-nums"
            >
              {countText}
            </span>
          )}
        </Link>
      </Button>
    </WithTooltip>
  );
}
