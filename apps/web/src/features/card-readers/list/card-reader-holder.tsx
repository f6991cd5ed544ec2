import type { CardReaderRow } from "@innkey/shared/schemas/access/card-readers";
import { useMutation } from "@tanstack/react-query";
import { Building2, UserRound } from "lucide-react";
import { api } from "@/lib/api.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";

/** Name of the staff member or customer who uses a reader. */
export function HolderName({ holder }: { holder: CardReaderRow["holder"] }) {
  if (!holder) return <span className="text-muted-foreground">{t("cardReader.nobody")}</span>;
  const Icon = holder.kind === "operator" ? UserRound : Building2;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon aria-label={t(`cardReader.holder.${holder.kind}`)} className="size-4 shrink-0 text-muted-foreground" />
      <span dir="auto" className="name-run truncate">
        {holder.name}
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

  function askToUnbind({ id, name, holder }: CardReaderRow): void {
    void confirm({
      title: t("cardReader.unbindTitle", { name }),
      description: t("cardReader.unbindText", { holder: holder?.name ?? "" }),
      confirmLabel: t("cardReader.unbind"),
      tone: "danger",
      action: async () => {
        await unbind.mutateAsync({ id });
        toast.success(t("cardReader.unboundDone", { name }));
      },
    });
  }

  return { askToRemove, askToUnbind, check: check.mutate };
}
