import { MAX_SESSIONS, type Session } from "@innkey/shared/schemas/identity/auth";
import { useMutation, useQuery } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { confirm } from "@/lib/confirm.ts";
import { formatDateTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Badge } from "@/ui/primitives/badge.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { deviceLabel } from "./device-label.ts";

/**
 * Lists the places where the staff member is logged in: browsers, old console clients and the card gateway. Each
 * session can be ended here.
 */
export function SessionsCard() {
  const { data, error, refetch } = useQuery(trpc.auth.sessions.queryOptions());
  return (
    <Card>
      <CardHeading title={t("sessions.title")} description={t("sessions.text", { max: MAX_SESSIONS })} />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <ul className="divide-y pb-2">
          {data.map((session) => (
            <SessionLine key={session.id} session={session} onEnded={() => void refetch()} />
          ))}
        </ul>
      ) : (
        <Skeleton className="m-5 h-24" />
      )}
    </Card>
  );
}

function SessionLine({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const { timeZone } = useHotel();
  const end = useMutation(trpc.auth.revokeSession.mutationOptions());
  const { id, door, address, userAgent, createdAt, lastSeenAt, current } = session;
  const device = deviceLabel(userAgent) || t("sessions.unknown");
  const channelLabel = t(`sessions.door.${door}`);

  async function askToEnd(): Promise<void> {
    const confirmed = await confirm({
      title: t("sessions.endTitle"),
      description: `${device} · ${channelLabel} · ${address}`,
      confirmLabel: t("sessions.end"),
      tone: "danger",
      action: () => end.mutateAsync({ id }),
    });
    if (!confirmed) return;
    toast.success(t("sessions.ended"));
    onEnded();
  }

  return (
    <li className="flex items-center gap-4 px-5 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-medium" title={userAgent}>
          <bdi className="truncate">{device}</bdi>
          {current && <Badge>{t("sessions.current")}</Badge>}
        </p>
        <p className="text-sm text-muted-foreground">
          {channelLabel} · <bdi>{address}</bdi>
        </p>
        <p className="text-sm text-muted-foreground">
          {t("sessions.times", {
            since: formatDateTime(createdAt, timeZone),
            seen: formatDateTime(lastSeenAt, timeZone),
          })}
        </p>
      </div>
      {!current && (
        <ActionButton
          variant="ghost"
          aria-label={t("sessions.endOf", { device, address })}
          onClick={() => void askToEnd()}
        >
          <LogOut aria-hidden className="flip-rtl" />
          {t("sessions.end")}
        </ActionButton>
      )}
    </li>
  );
}
