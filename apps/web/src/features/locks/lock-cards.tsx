import type { CommandRow, CredentialRow, LockDetail } from "@innkey/shared/schemas/access/locks";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Ban,
  Check,
  CircleX,
  Clock,
  CopyMinus,
  CreditCard,
  Hash,
  Hourglass,
  type LucideIcon,
  ScanFace,
  Send,
} from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { CredentialChip } from "@/entities/credential/credential-state.tsx";
import { lastSeenText, lockErrorText, nextTryText, windowText } from "@/entities/lock/lock-labels.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatDateTime, formatNumber, formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { EmptyLedger, KeyOnHook } from "@/ui/drawings.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn } from "@/ui/table/table-model.ts";
import { BatteryEstimate, ClockDrift, PowerBar } from "./lock-reach.tsx";

export const KIND_ICONS: Record<CredentialRow["kind"], LucideIcon> = {
  card: CreditCard,
  passcode: Hash,
  face: ScanFace,
};

/** Lists the credentials stored in the lock: codes, faces and cards that open by their number. */
export function LockCredentials({ lock }: { lock: LockDetail }) {
  const { timeZone } = useHotel();
  const columns = useMemo(
    (): DataColumn<CredentialRow>[] => [
      {
        id: "label",
        header: t("locks.key"),
        fixed: true,
        card: "title",
        sortable: true,
        value: (row) => row.label,
        cell: (row) => {
          const Icon = KIND_ICONS[row.kind];
          return (
            <span className="inline-flex min-w-0 items-center gap-2">
              <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
              <span className="truncate">{row.label || t(`locks.kind.${row.kind}`)}</span>
              <span className="sr-only">{t(`locks.kind.${row.kind}`)}</span>
            </span>
          );
        },
      },
      {
        id: "window",
        header: t("locks.opens"),
        sortable: true,
        value: (row) => row.validTo ?? "9",
        cell: (row) => windowText(row.validFrom, row.validTo, timeZone),
      },
      {
        id: "state",
        header: t("locks.state"),
        sortable: true,
        value: (row) => row.state,
        cell: (row) => <CredentialChip credential={row} />,
      },
    ],
    [timeZone],
  );
  return (
    <DataTable
      label={t("locks.credentials")}
      columns={columns}
      rows={lock.credentials}
      rowId={(row) => String(row.id)}
      empty={{ drawing: KeyOnHook, title: t("locks.noCredentials"), description: t("locks.noCredentialsText") }}
      toolbar={
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="text-lg font-semibold">{t("locks.credentials")}</h2>
          <p className="text-sm text-pretty text-muted-foreground">{t("locks.credentialsText")}</p>
        </div>
      }
    />
  );
}

export function LockFacts({ lock }: { lock: LockDetail }) {
  const { timeZone } = useHotel();
  return (
    <Card>
      <CardHeading title={t("room.lock")} />
      <CardContent>
        <dl className="grid gap-2.5">
          <FactRow label={t("locks.power")}>
            <PowerBar power={lock.power} />
          </FactRow>
          <FactRow label={t("locks.battery.weeksLeft")}>
            <BatteryEstimate battery={lock} />
          </FactRow>
          <FactRow label={t("room.lastSeen")}>
            <span title={lock.lastSeenAt ? formatDateTime(lock.lastSeenAt, timeZone) : undefined}>
              {lastSeenText(lock.lastSeenAt)}
            </span>
          </FactRow>
          <FactRow label={t("locks.clock")}>
            <ClockDrift lock={lock} />
          </FactRow>
          <FactRow label={t("locks.waiting")}>{formatNumber(lock.waiting)}</FactRow>
          <FactRow label={t("locks.unusedCodes")}>{formatNumber(lock.unusedCodes)}</FactRow>
          <FactRow label={t("locks.readBack")}>{lastSeenText(lock.readBackAt)}</FactRow>
          <FactRow label={t("locks.setUpAt")}>
            {lock.configuredAt ? formatDateTime(lock.configuredAt, timeZone) : t("room.neverSeen")}
          </FactRow>
          <FactRow label={t("room.driver")}>{t(`locks.driver.${lock.driver}`)}</FactRow>
          {lock.address && (
            <FactRow
              label={lock.driver === "ttlock" ? t("locks.form.address.ttlock") : t("locks.form.address.zigbee2mqtt")}
            >
              <bdi className="break-all">{lock.address}</bdi>
            </FactRow>
          )}
          <FactRow label={t("room.mac")}>
            <bdi dir="ltr" className="font-mono text-sm">
              {lock.mac}
            </bdi>
          </FactRow>
          {lock.bluetoothName && <FactRow label={t("room.bluetoothName")}>{lock.bluetoothName}</FactRow>}
          <FactRow label={t("room.firmware")}>
            <bdi>{lock.firmware || "–"}</bdi>
          </FactRow>
          {lock.replaces && (
            <FactRow label={t("locks.replaced.former")}>
              <Link
                to="/locks/$lockId"
                params={{ lockId: lock.replaces.lockId }}
                title={formatDateTime(lock.replaces.at, timeZone)}
                dir="ltr"
                className="font-mono text-sm hover:underline"
              >
                {lock.replaces.mac}
              </Link>
            </FactRow>
          )}
        </dl>
      </CardContent>
    </Card>
  );
}

function FactRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="min-w-0 text-end">{children}</dd>
    </div>
  );
}

const PAGE_SIZE = 20;

const STYLES: Record<CommandRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
  queued: { tone: "neutral", icon: Clock },
  sent: { tone: "info", icon: Send },
  acknowledged: { tone: "success", icon: Check },
  failed: { tone: "danger", icon: CircleX },
  expired: { tone: "expired", icon: Hourglass },
  superseded: { tone: "neutral", icon: CopyMinus },
  cancelled: { tone: "neutral", icon: Ban },
};

/** Lists the commands sent to the lock and their results, newest first. */
export function LockCommands({ lockId, online }: { lockId: number; online: boolean }) {
  const { timeZone } = useHotel();
  const log = useInfiniteQuery(
    trpc.locks.commands.infiniteQueryOptions(
      { lockId, limit: PAGE_SIZE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const rows = useMemo(() => log.data?.pages.flatMap((page) => page.commands), [log.data]);
  const columns = useMemo(
    (): DataColumn<CommandRow>[] => [
      {
        id: "type",
        header: t("locks.log.what"),
        fixed: true,
        card: "title",
        cell: (row) => <span className="font-medium">{t(`locks.command.type.${row.type}`)}</span>,
      },
      {
        id: "state",
        header: t("locks.state"),
        card: "status",
        cell: (row) => (
          <StatusChip {...STYLES[row.state]} size="sm">
            {t(`locks.command.state.${row.state}`)}
          </StatusChip>
        ),
      },
      {
        id: "createdAt",
        header: t("locks.log.when"),
        className: "whitespace-nowrap",
        cell: (row) => <time dateTime={row.createdAt}>{formatDateTime(row.createdAt, timeZone)}</time>,
      },
      { id: "by", header: t("locks.log.by"), cell: (row) => row.operatorName ?? t("locks.log.console") },
      { id: "note", header: t("locks.log.note"), cell: (row) => noteOf(online, row) || "–" },
    ],
    [timeZone, online],
  );
  return (
    <DataTable
      label={t("locks.log.title")}
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      error={log.error}
      onRetry={() => void log.refetch()}
      more={{ available: log.hasNextPage, loading: log.isFetchingNextPage, load: () => void log.fetchNextPage() }}
      empty={{ drawing: EmptyLedger, title: t("locks.log.none") }}
      toolbar={<h2 className="text-lg font-semibold">{t("locks.log.title")}</h2>}
    />
  );
}

function noteOf(online: boolean, row: CommandRow): string {
  const { state, error, nextTryAt, tries, endedAt, openingReason, openingNote } = row;
  const isWaiting = state === "queued" || state === "sent";
  return [
    lockErrorText(error),
    isWaiting && nextTryText(nextTryAt, online),
    isWaiting && tries > 1 && t("locks.log.tries", { tries }),
    state === "acknowledged" && endedAt && formatRelative(endedAt),
    openingReason && t(`doors.openingReason.${openingReason}`),
    openingNote,
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Lists credentials in the lock that this console did not create. They open the door, so a staff member decides whether
 * to keep them.
 */
export function LockUnmanaged({ lock }: { lock: LockDetail }) {
  const { timeZone } = useHotel();
  const canManage = useCan()("locks.manage");
  const settle = useMutation(trpc.locks.settleUnmanaged.mutationOptions());

  function askToRemove(slot: number, name: string): void {
    void confirm({
      title: t("locks.unmanaged.removeAsk", { name }),
      description: t("locks.unmanaged.removeText"),
      confirmLabel: t("locks.unmanaged.remove"),
      tone: "danger",
      action: () => settle.mutateAsync({ lockId: lock.id, slot, act: "remove" }),
    });
  }

  return (
    <Callout tone="warning" title={t("locks.unmanaged.title")}>
      <p className="text-pretty">{t("locks.unmanaged.text")}</p>
      <ul className="mt-2 divide-y border-t">
        {lock.unmanaged.map(({ slot, kind, name, validFrom, validTo }, index) => {
          const Icon = KIND_ICONS[kind];
          const displayName = name || [t(`locks.kind.${kind}`), slot].filter((part) => part !== null).join(" ");
          return (
            <li key={slot ?? `own-${index}`} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
              <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
              <div className="min-w-0 flex-1 basis-40">
                <p className="font-medium">
                  <bdi>{displayName}</bdi>
                </p>
                <p className="text-sm text-muted-foreground">{windowText(validFrom, validTo, timeZone)}</p>
              </div>
              {canManage && (
                <div className="flex flex-wrap items-center gap-2">
                  <ActionButton
                    variant="outline"
                    size="sm"
                    onClick={() =>
                      settle.mutate(
                        { lockId: lock.id, slot, kind, name, act: "adopt" },
                        { onSuccess: () => toast.success(t("locks.unmanaged.adopted")) },
                      )
                    }
                  >
                    {t("locks.unmanaged.adopt")}
                  </ActionButton>
                  {slot !== null ? (
                    <ActionButton size="sm" variant="ghost-destructive" onClick={() => askToRemove(slot, displayName)}>
                      {t("locks.unmanaged.remove")}
                    </ActionButton>
                  ) : (
                    <span className="text-sm text-muted-foreground">{t("locks.unmanaged.atTheLock")}</span>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </Callout>
  );
}
