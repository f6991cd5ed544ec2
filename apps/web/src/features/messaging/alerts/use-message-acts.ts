import type { MessageRow } from "@innkey/shared/schemas/messages";
import { useMutation } from "@tanstack/react-query";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { useRefreshMessages } from "./use-message-news.ts";

export function useMessageActs() {
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
