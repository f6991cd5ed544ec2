import type { CardReaderRow } from "@innkey/shared/schemas/access/card-readers";
import { useMutation } from "@tanstack/react-query";
import { Building2, UserRound } from "lucide-react";
import { api } from "@/lib/api.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatList, formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";

type Holder = CardReaderRow["holders"][number];

/** A customer whose name the caller may not see is called a customer. */
const nameOf = ({ kind, name }: Holder): string => name || t(`cardReader.holder.${kind}`);

/** Names of the people who may use a reader. */
export function HolderNames({ holders }: Pick<CardReaderRow, "holders">) {
  if (holders.length === 0) return <span className="text-muted-foreground">{t("cardReader.everybody")}</span>;
  return (
    <span dir="auto" className="name-run block truncate">
      {formatList(holders.map(nameOf))}
    </span>
  );
}

/** Name of one staff member or customer who may use a reader. */
export function HolderName({ holder }: { holder: Holder }) {
  const Icon = holder.kind === "operator" ? UserRound : Building2;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon aria-label={t(`cardReader.holder.${holder.kind}`)} className="size-4 shrink-0 text-muted-foreground" />
      <span dir="auto" className="name-run truncate">
        {nameOf(holder)}
      </span>
    </span>
  );
}

/** Actions on a registered reader. */
export function useCardReaderActs() {
  const remove = useMutation(trpc.cardReaders.remove.mutationOptions());
  const unbind = useMutation(trpc.cardReaders.unbind.mutationOptions());
  const check = useMutation({
    mutationFn: ({ deviceNo }: CardReaderRow) => api.cardReaders.checkStatus.query({ deviceNo }),
    onSuccess: ({ online, lastSeenAt }, { name }) => {
      if (online) toast.success(t("cardReader.isOnline", { name }));
      else if (lastSeenAt) toast.info(t("cardReader.wasSeen", { name, when: formatRelative(lastSeenAt) }));
      else toast.info(t("cardReader.neverSeen", { name }));
    },
  });

  function askToRemove({ id, name }: CardReaderRow): void {
    void confirm({
      title: t("cardReader.removeTitle", { name }),
      description: t("cardReader.removeText"),
      confirmLabel: t("cardReader.remove"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ id });
        toast.success(t("cardReader.removedDone", { name }));
      },
    });
  }

  function askToUnbind({ id, name, holders }: CardReaderRow, holder: Holder): void {
    const isLast = holders.length === 1;
    void confirm({
      title: t("cardReader.unbindTitle", { name: nameOf(holder) }),
      description: t(isLast ? "cardReader.unbindLastText" : "cardReader.unbindText", { name }),
      confirmLabel: t("cardReader.unbind"),
      tone: "danger",
      action: async () => {
        await unbind.mutateAsync({ id, holder: { kind: holder.kind, id: holder.id } });
        toast.success(t("cardReader.unboundDone", { name, holder: nameOf(holder) }));
      },
    });
  }

  return { askToRemove, askToUnbind, check: check.mutate };
}
