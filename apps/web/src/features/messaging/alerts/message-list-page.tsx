import type { MessageRow } from "@innkey/shared/schemas/messages";
import { ALERT_KINDS } from "@innkey/shared/words";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { BellOff, CheckCheck, CircleCheck, MailOpen, Trash2 } from "lucide-react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { Select } from "@/ui/primitives/select.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { useListState } from "@/ui/table/list-search.ts";
import { useMessageColumns } from "./message-columns.tsx";
import type { MessageSearch } from "./message-search.ts";
import { useMessageNews, useRefreshMessages } from "./use-message-news.ts";

/** Lists alerts from locks that need attention. */
export function MessageListPage({ search }: { search: MessageSearch }) {
  return useCan()("messages.view") ? <Messages search={search} /> : <NoPermission />;
}

function Messages({ search }: { search: MessageSearch }) {
  const { t } = useTranslation();
  const list = useListState();
  const manages = useCan()("messages.manage");
  const columns = useMessageColumns();
  const acts = useMessageActs();
  useMessageNews();
  const { page, pageSize } = list;
  const state = search.state ?? "open";
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.messages.list.queryOptions(
      { state, kind: search.kind, page, pageSize },
      { placeholderData: keepPreviousData },
    ),
  );

  function actions(row: MessageRow): RowAction<MessageRow>[] {
    const read = { label: t("message.markRead"), icon: MailOpen, onSelect: acts.markRead };
    const remove = { label: t("message.remove"), icon: Trash2, danger: true, onSelect: acts.askToRemove };
    return row.readAt === null ? [read, remove] : [remove];
  }

  return (
    <>
      <PageHeader
        title={t("nav.messages")}
        description={t("message.text")}
        actions={
          manages && (
            <Button disabled={!data?.unread} pending={acts.markingAll} onClick={acts.markAllRead}>
              <CheckCheck aria-hidden />
              {t("message.markAllRead")}
            </Button>
          )
        }
      />
      <ExportedTable
        label={t("nav.messages")}
        columns={columns}
        rows={data?.rows}
        total={data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={error}
        onRetry={() => void refetch()}
        stale={isPlaceholderData}
        actions={manages ? actions : undefined}
        exportList={{ list: "messages", filters: { state, kind: search.kind } }}
        empty={
          state === "open" && !search.kind
            ? { icon: CircleCheck, title: t("message.none"), description: t("message.noneText") }
            : { icon: BellOff, title: t("message.noneFound") }
        }
        toolbar={
          <>
            <Segmented
              options={[
                { value: "open", label: t("message.open") },
                { value: "all", label: t("room.range.all") },
              ]}
              value={state}
              onChange={(next) => list.change({ state: next === "all" ? next : undefined })}
              aria-label={t("message.state")}
            />
            <Select
              options={[
                { value: "any", label: t("message.anyKind") },
                ...ALERT_KINDS.map((kind) => ({ value: kind, label: t(`message.kind.${kind}`) })),
              ]}
              value={search.kind ?? "any"}
              onChange={(kind) => list.change({ kind: kind === "any" ? undefined : kind })}
              aria-label={t("message.kindLabel")}
              className="w-auto min-w-52"
            />
          </>
        }
      />
    </>
  );
}

function useMessageActs() {
  const { t } = useTranslation();
  const refresh = useRefreshMessages();
  const read = useMutation(trpc.messages.markRead.mutationOptions({ onSuccess: refresh }));
  const remove = useMutation(trpc.messages.remove.mutationOptions({ onSuccess: refresh }));
  return {
    markRead: ({ id }: MessageRow): void => read.mutate({ ids: [id] }),
    markAllRead: (): void => read.mutate({ ids: null }, { onSuccess: () => toast.success(t("message.allRead")) }),
    markingAll: read.isPending && read.variables.ids === null,
    askToRemove: ({ id, kind }: MessageRow): void =>
      void confirm({
        title: t("message.removeAsk", { kind: t(`message.kind.${kind}`) }),
        description: t("message.removeText"),
        confirmLabel: t("message.remove"),
        tone: "danger",
        action: async () => {
          await remove.mutateAsync({ ids: [id] });
          toast.success(t("message.removed"));
        },
      }),
  };
}
