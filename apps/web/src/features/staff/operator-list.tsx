import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck, Pencil, ShieldCheck, ShieldOff, Snowflake, Sun, UserCog, UserMinus } from "lucide-react";
import { useMemo } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatDate, formatNumber, formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel, useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { KeyOnHook } from "@/ui/drawings.tsx";
import { PersonAvatar } from "@/ui/person-avatar.tsx";
import { Badge } from "@/ui/primitives/badge.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import type { OperatorRow } from "./operator-form.ts";

const RANK = { owner: 0, administrator: 1, staff: 2 };

function useOperatorColumns(): DataColumn<OperatorRow>[] {
  const { timeZone } = useHotel();
  const { operatorId } = useMe();
  return useMemo(
    () =>
      listColumns<"staff", OperatorRow>("staff", {
        name: {
          fixed: true,
          value: (row) => row.name,
          card: "title",
          cell: (row) => (
            <span className="flex min-w-0 items-center gap-3">
              <PersonAvatar name={row.name} src={row.avatarUrl} />
              <span dir="auto" className="name-run truncate font-medium">
                {row.name}
              </span>
              {row.operatorId === operatorId && <Badge variant="outline">{t("shell.you")}</Badge>}
            </span>
          ),
        },
        state: {
          card: "status",
          value: (row) => row.frozen,
          cell: (row) =>
            row.frozen ? (
              <StatusChip tone="neutral" icon={Snowflake} size="sm">
                {t("staff.frozen")}
              </StatusChip>
            ) : (
              <StatusChip tone="success" icon={CircleCheck} size="sm">
                {t("staff.active")}
              </StatusChip>
            ),
        },
        role: {
          value: (row) => RANK[row.role],
          cell: (row) => (
            <Badge variant={row.role === "owner" ? "default" : "secondary"}>{t(`shell.role.${row.role}`)}</Badge>
          ),
        },
        account: { cell: (row) => <bdi className="ltr-run">{row.mobile ?? row.email ?? "–"}</bdi> },
        rooms: {
          align: "end",
          cell: (row) =>
            row.role === "staff" && !row.allRooms ? (
              formatNumber(row.roomIds.length)
            ) : (
              <span className="text-muted-foreground">{t("staff.allRooms")}</span>
            ),
        },
        twoStep: {
          value: (row) => row.twoStep,
          cell: (row) =>
            row.twoStep ? (
              <span className="inline-flex items-center gap-1.5">
                <ShieldCheck aria-hidden className="size-4 text-vacant" />
                {t("twoStep.on")}
              </span>
            ) : (
              <span className="text-muted-foreground">{t("twoStep.off")}</span>
            ),
        },
        lastSeen: {
          value: (row) => row.lastSeenAt,
          className: "whitespace-nowrap",
          cell: (row) => (row.lastSeenAt ? formatRelative(row.lastSeenAt) : t("staff.never")),
        },
        registered: {
          card: "none",
          className: "whitespace-nowrap",
          cell: (row) => formatDate(row.registeredAt, timeZone),
        },
      }),
    [timeZone, operatorId],
  );
}

export function OperatorList({ onEdit }: { onEdit: (operator: OperatorRow) => void }) {
  const me = useMe();
  const canManage = useCan()("staff.manage");
  const columns = useOperatorColumns();
  const staff = useQuery(trpc.staff.list.queryOptions());
  const freeze = useMutation(trpc.staff.freeze.mutationOptions());
  const setRole = useMutation(trpc.staff.setRole.mutationOptions());
  const remove = useMutation(trpc.staff.remove.mutationOptions());
  const resetTwoStep = useMutation(trpc.staff.resetTwoStep.mutationOptions());
  const rows = useMemo(
    () => staff.data?.toSorted((a, b) => RANK[a.role] - RANK[b.role] || a.name.localeCompare(b.name)),
    [staff.data],
  );

  function askToFreeze({ operatorId, name, frozen }: OperatorRow): void {
    void confirm({
      title: frozen ? t("staff.unfreezeTitle", { name }) : t("staff.freezeTitle", { name }),
      description: frozen ? t("staff.unfreezeText", { name }) : t("staff.freezeText", { name }),
      confirmLabel: frozen ? t("staff.unfreeze") : t("staff.freeze"),
      tone: frozen ? "primary" : "danger",
      action: async () => {
        await freeze.mutateAsync({ operatorId, frozen: !frozen });
        toast.success(frozen ? t("staff.unfrozenDone", { name }) : t("staff.frozenDone", { name }));
      },
    });
  }

  function askForRole({ operatorId, name, role }: OperatorRow): void {
    const next = role === "staff" ? "administrator" : "staff";
    void confirm({
      title: t("staff.roleTitle", { name }),
      description: next === "staff" ? t("staff.roleStaffText") : t("staff.roleAdministratorText"),
      confirmLabel: next === "staff" ? t("staff.makeStaff") : t("staff.makeAdministrator"),
      tone: next === "staff" ? "danger" : "primary",
      action: async () => {
        await setRole.mutateAsync({ operatorId, role: next });
        toast.success(t("staff.roleDone", { name }));
      },
    });
  }

  function askToRemove({ operatorId, name }: OperatorRow): void {
    void confirm({
      title: t("staff.removeTitle", { name }),
      description: t("staff.removeText", { name }),
      confirmLabel: t("staff.remove"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ operatorId });
        toast.success(t("staff.removedDone", { name }));
      },
    });
  }

  function askToResetTwoStep({ operatorId, name }: OperatorRow): void {
    void confirm({
      title: t("staff.resetTwoStepTitle", { name }),
      description: t("staff.resetTwoStepText", { name }),
      confirmLabel: t("staff.resetTwoStep"),
      tone: "danger",
      action: async () => {
        await resetTwoStep.mutateAsync({ operatorId });
        toast.success(t("staff.resetTwoStepDone", { name }));
      },
    });
  }

  function actions(operator: OperatorRow): RowAction<OperatorRow>[] {
    if (operator.role === "owner" && me.role !== "owner") return [];
    const editAction = { label: t("common.edit"), icon: Pencil, onSelect: onEdit };
    const unfreezeAction = { label: t("staff.unfreeze"), icon: Sun, onSelect: askToFreeze };
    const freezeAction = { label: t("staff.freeze"), icon: Snowflake, danger: true, onSelect: askToFreeze };
    const removeAction = { label: t("staff.remove"), icon: UserMinus, danger: true, onSelect: askToRemove };
    if (operator.operatorId === me.operatorId) return operator.role === "owner" ? [] : [editAction];
    const resetAction = { label: t("staff.resetTwoStep"), icon: ShieldOff, danger: true, onSelect: askToResetTwoStep };
    const ending = [
      ...(operator.twoStep && me.role === "owner" ? [resetAction] : []),
      operator.frozen ? unfreezeAction : freezeAction,
      removeAction,
    ];
    if (operator.role === "owner") return ending;
    const label = operator.role === "staff" ? t("staff.makeAdministrator") : t("staff.makeStaff");
    return [editAction, { label, icon: UserCog, onSelect: askForRole }, ...ending];
  }

  return (
    <ExportedTable
      label={t("nav.staff")}
      columns={columns}
      rows={rows}
      rowId={(row) => String(row.operatorId)}
      error={staff.error}
      onRetry={() => void staff.refetch()}
      exportList={{ list: "staff", filters: {} }}
      empty={{ drawing: KeyOnHook, title: t("staff.none") }}
      onOpen={canManage ? (row) => row.role !== "owner" && onEdit(row) : undefined}
      actions={canManage ? actions : undefined}
    />
  );
}
