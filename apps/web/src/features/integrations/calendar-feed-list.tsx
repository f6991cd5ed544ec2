import { type CalendarFeedRow, makeCalendarFeedInput } from "@innkey/shared/schemas/stays/calendar-feeds";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Ban, CircleCheck } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatDateTime, formatRelative, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { SecretDialog } from "@/ui/dialog/secret-dialog.tsx";
import { KeyOnHook } from "@/ui/drawings.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";

const STATE_STYLES = {
  live: { tone: "success", icon: CircleCheck },
  ended: { tone: "neutral", icon: Ban },
  revoked: { tone: "neutral", icon: Ban },
} as const;

function stateLabel(state: CalendarFeedRow["state"]): string {
  return state === "ended" ? t("calendarFeed.ended") : t(`third.keyState.${state}`);
}

function useCalendarFeedColumns(): DataColumn<CalendarFeedRow>[] {
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<CalendarFeedRow>[] => [
      {
        id: "name",
        header: t("third.name"),
        fixed: true,
        card: "title",
        cell: ({ name }) => <bdi className="block truncate font-medium">{name}</bdi>,
      },
      {
        id: "state",
        header: t("third.state"),
        card: "status",
        cell: ({ state }) => (
          <StatusChip {...STATE_STYLES[state]} size="sm">
            {stateLabel(state)}
          </StatusChip>
        ),
      },
      {
        id: "room",
        header: t("calendarFeed.room"),
        cell: ({ roomName }) => <bdi>{roomName ?? t("calendarFeed.allRooms")}</bdi>,
      },
      {
        id: "shows",
        header: t("calendarFeed.shows"),
        cell: ({ showsNames }) => t(showsNames ? "calendarFeed.withNames" : "calendarFeed.onlyTimes"),
      },
      {
        id: "lastRead",
        header: t("calendarFeed.lastRead"),
        cell: ({ lastReadAt }) =>
          lastReadAt ? (
            <time dateTime={lastReadAt} title={formatDateTime(lastReadAt, timeZone)} className="whitespace-nowrap">
              {formatRelative(lastReadAt)}
            </time>
          ) : (
            <span className="text-muted-foreground">{t("calendarFeed.neverRead")}</span>
          ),
      },
      {
        id: "created",
        header: t("third.created"),
        cell: ({ createdAt, operatorName }) => (
          <span className="block">
            <span className="block whitespace-nowrap">{formatShort(createdAt, timeZone)}</span>
            <bdi className="block truncate text-sm text-muted-foreground">{operatorName}</bdi>
          </span>
        ),
      },
    ],
    [timeZone],
  );
}

/** Calendars of busy periods that other programs read. */
export function CalendarFeedList({ create }: { create: ReactNode }) {
  const columns = useCalendarFeedColumns();
  const { data, error, refetch } = useQuery(trpc.calendarFeeds.list.queryOptions());
  const revoke = useMutation(trpc.calendarFeeds.revoke.mutationOptions());

  function askToRevoke({ id, name }: CalendarFeedRow): void {
    void confirm({
      title: t("calendarFeed.revokeTitle", { name }),
      description: t("calendarFeed.revokeText"),
      confirmLabel: t("third.revoke"),
      tone: "danger",
      action: async () => {
        await revoke.mutateAsync({ id });
        toast.success(t("calendarFeed.revoked", { name }));
      },
    });
  }

  function actions({ state }: CalendarFeedRow): RowAction<CalendarFeedRow>[] {
    return state === "revoked" ? [] : [{ label: t("third.revoke"), icon: Ban, danger: true, onSelect: askToRevoke }];
  }

  return (
    <DataTable
      label={t("third.tab.calendars")}
      columns={columns}
      rows={data}
      rowId={({ id }) => String(id)}
      error={error}
      onRetry={() => void refetch()}
      actions={actions}
      empty={{
        drawing: KeyOnHook,
        title: t("calendarFeed.none"),
        description: t("calendarFeed.noneText"),
        action: create,
      }}
    />
  );
}

/** Makes a calendar of one room or of all, then shows its address once. */
export function CalendarFeedDialog({ onClose }: { onClose: () => void }) {
  const canShowNames = useCan()("privacy.manage");
  const [madeFeed, setMadeFeed] = useState<{ name: string; url: string } | null>(null);
  const form = useZodForm(makeCalendarFeedInput, { defaultValues: { name: "", roomId: null, showsNames: false } });
  const close = useGuardedClose(form, onClose);
  const make = useMutation(trpc.calendarFeeds.make.mutationOptions({ meta: { shownInForm: true }, gcTime: 0 }));
  const { data: board } = useQuery(boardQuery);
  const rooms = useMemo(() => (board?.rooms ?? []).map(({ id, name }) => ({ value: id, label: name })), [board]);

  if (madeFeed) {
    return (
      <SecretDialog
        title={t("calendarFeed.made", { name: madeFeed.name })}
        label={t("calendarFeed.address")}
        value={madeFeed.url}
        onClose={onClose}
      >
        <p className="text-pretty text-muted-foreground">{t("calendarFeed.madeText")}</p>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={t("calendarFeed.new")}
      submitLabel={t("calendarFeed.make")}
      startAt="name"
      onClose={close}
      className="gap-5"
      onSubmit={async (values) => {
        const { path } = await make.mutateAsync(values);
        setMadeFeed({ name: values.name, url: `${location.origin}${path}` });
      }}
    >
      <Field form={form} name="name" label={t("third.name")} hint={t("calendarFeed.nameHint")} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={80} dir="auto" />}
      </Field>
      <Field form={form} name="roomId" label={t("calendarFeed.room")}>
        {(control) => <Combobox {...control} options={rooms} placeholder={t("calendarFeed.allRooms")} clearable />}
      </Field>
      {canShowNames && (
        <Field
          form={form}
          name="showsNames"
          label={t("calendarFeed.names")}
          hint={t("calendarFeed.namesHint")}
          layout="inline"
        >
          {(control) => <CheckboxInput {...control} />}
        </Field>
      )}
    </FormDialog>
  );
}
