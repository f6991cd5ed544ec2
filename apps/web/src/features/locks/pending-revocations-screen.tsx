import type { PendingRevocation, pendingRevocationRef } from "@innkey/shared/schemas/access/locks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ListX, RadioTower } from "lucide-react";
import { useCallback, useMemo } from "react";
import type { z } from "zod";
import { lockErrorText, nextTryText } from "@/entities/lock/lock-labels.ts";
import { confirm } from "@/lib/confirm.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatDateTime, formatRelative } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { KeyOnHook } from "@/ui/drawings.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn } from "@/ui/table/table-model.ts";
import { KIND_ICONS } from "./lock-cards.tsx";
import { ReachChip } from "./lock-reach.tsx";

type PendingRevocationRef = z.infer<typeof pendingRevocationRef>;

const refOf = ({ lockId, cardId, credentialId }: PendingRevocation): PendingRevocationRef => ({
  lockId,
  ...(cardId !== null && { cardId }),
  ...(credentialId !== null && { credentialId }),
});

const isSameRef = (a: PendingRevocationRef, b: PendingRevocationRef | undefined): boolean =>
  a.lockId === b?.lockId && a.cardId === b.cardId && a.credentialId === b.credentialId;

interface RevocationActs {
  /** Sends the revocation again; only for staff members with the permission. */
  onResend?: ((key: PendingRevocationRef) => void) | undefined;
  /** Key whose revocation is being sent. */
  resending?: PendingRevocationRef | undefined;
  /** Removes the keys of a deleted lock from the list; only for staff members with the permission. */
  onWriteOff?: ((lockId: number) => void) | undefined;
}

function usePendingRevocationColumns({
  onResend,
  resending,
  onWriteOff,
}: RevocationActs): DataColumn<PendingRevocation>[] {
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<PendingRevocation>[] => [
      {
        id: "key",
        header: t("locks.key"),
        fixed: true,
        card: "title",
        sortable: true,
        value: (row) => row.label,
        cell: (row) => {
          const Icon = KIND_ICONS[row.kind];
          return (
            <span className="inline-flex min-w-0 items-center gap-2">
              <Icon aria-hidden className="size-4 shrink-0 text-expired" />
              <span className="min-w-0">
                {row.label && (
                  <bdi className={row.kind === "card" ? "font-mono font-medium" : "font-medium"}>{row.label}</bdi>
                )}
                <span className="block text-xs text-muted-foreground">{t(`locks.kind.${row.kind}`)}</span>
              </span>
            </span>
          );
        },
      },
      {
        id: "room",
        header: t("board.room"),
        sortable: true,
        value: (row) => row.roomName,
        cell: (row) =>
          row.roomId !== null && row.roomName ? (
            <Link
              to="/room/$roomId"
              params={{ roomId: row.roomId }}
              className="font-medium underline decoration-1 underline-offset-4"
            >
              <bdi>{row.roomName}</bdi>
            </Link>
          ) : (
            t(row.lockRemoved ? "locks.risk.lockRemoved" : "locks.noRoom")
          ),
      },
      {
        id: "since",
        header: t("locks.risk.since"),
        sortable: true,
        value: (row) => row.since,
        cell: (row) => (
          <span>
            <time dateTime={row.since} title={formatDateTime(row.since, timeZone)}>
              {formatRelative(row.since)}
            </time>
            <span className="block text-xs text-muted-foreground">
              {textOf(`locks.revokeReason.${row.reason}`, {}, "locks.revokeReason.by_hand")}
            </span>
            {row.overwrittenAt !== null && (
              <span className="block text-xs text-pretty text-muted-foreground">
                {t("locks.risk.overwritten", {
                  name: row.overwrittenBy || "–",
                  when: formatRelative(row.overwrittenAt),
                })}
              </span>
            )}
          </span>
        ),
      },
      {
        id: "lock",
        header: t("room.lock"),
        card: "status",
        sortable: true,
        value: (row) => row.online,
        cell: (row) => (
          <span className="inline-flex flex-col items-start gap-0.5 max-lg:items-end">
            <ReachChip online={row.online} />
            {!row.online && (
              <span className="text-xs text-muted-foreground">
                {row.lastSeenAt
                  ? t("locks.seen", { when: formatRelative(row.lastSeenAt) })
                  : t("locks.links.neverSeen")}
              </span>
            )}
          </span>
        ),
      },
      {
        id: "validTo",
        header: t("locks.risk.until"),
        sortable: true,
        value: (row) => row.validTo ?? "9",
        cell: (row) =>
          row.validTo ? (
            formatDateTime(row.validTo, timeZone)
          ) : (
            <span className="font-medium text-danger">{t("locks.risk.noEnd")}</span>
          ),
      },
      {
        id: "next",
        header: t("locks.risk.next"),
        cell: (row) => (
          <span className="text-pretty">
            {row.nextTryAt ? nextTryText(row.nextTryAt, row.online) : t("locks.risk.notTold")}
            {row.error && <span className="block text-xs text-danger">{lockErrorText(row.error)}</span>}
          </span>
        ),
      },
      ...(onResend || onWriteOff
        ? [
            {
              id: "tell",
              header: t("common.actions"),
              fixed: true,
              align: "end" as const,
              cell: (row: PendingRevocation) =>
                row.lockRemoved
                  ? onWriteOff && (
                      <ActionButton variant="outline" size="sm" onClick={() => onWriteOff(row.lockId)}>
                        <ListX aria-hidden />
                        {t("locks.risk.writeOff")}
                      </ActionButton>
                    )
                  : onResend && (
                      <ActionButton
                        variant="outline"
                        size="sm"
                        pending={isSameRef(refOf(row), resending)}
                        onClick={() => onResend(refOf(row))}
                      >
                        <RadioTower aria-hidden />
                        {t("locks.risk.tell")}
                      </ActionButton>
                    ),
            },
          ]
        : []),
    ],
    [timeZone, onResend, resending, onWriteOff],
  );
}

/** Lists keys that were revoked but may still open a door. Each disappears once its lock confirms. */
export function PendingRevocationsScreen() {
  const can = useCan();
  const pendingRevocations = useQuery(
    trpc.locks.pendingRevocations.queryOptions(undefined, { refetchInterval: BY_TIME_MILLISECONDS }),
  );
  const resend = useMutation(
    trpc.locks.resendRevocation.mutationOptions({
      onSuccess: (_, { lockId }) =>
        pendingRevocations.data?.find((row) => row.lockId === lockId)?.online === false
          ? toast.info(t("locks.whenBack"))
          : toast.success(t("locks.risk.told")),
      onSettled: () => void pendingRevocations.refetch(),
    }),
  );
  const { mutate, isPending, variables } = resend;
  const { mutateAsync: writeOff } = useMutation(trpc.locks.writeOffKeys.mutationOptions());
  const { refetch } = pendingRevocations;
  const askToWriteOff = useCallback(
    (lockId: number) =>
      void confirm({
        title: t("locks.risk.writeOffAsk"),
        description: t("locks.risk.writeOffText"),
        confirmLabel: t("locks.risk.writeOff"),
        tone: "danger",
        action: async () => {
          await writeOff({ lockId });
          await refetch();
        },
      }),
    [writeOff, refetch],
  );
  const columns = usePendingRevocationColumns({
    onResend: can("locks.retry") ? mutate : undefined,
    resending: isPending ? variables : undefined,
    onWriteOff: can("locks.manage") ? askToWriteOff : undefined,
  });

  return (
    <>
      <PageHeader title={t("nav.risk")} description={t("locks.risk.text")} />
      <DataTable
        label={t("nav.risk")}
        columns={columns}
        rows={pendingRevocations.data}
        rowId={(row) => row.key}
        error={pendingRevocations.error}
        onRetry={() => void pendingRevocations.refetch()}
        empty={{ drawing: KeyOnHook, title: t("locks.risk.none"), description: t("locks.risk.noneText") }}
      />
    </>
  );
}
