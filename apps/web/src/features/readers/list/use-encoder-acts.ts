import type { EncoderRow } from "@innkey/shared/schemas/encoders";
import { useMutation } from "@tanstack/react-query";
import { confirm } from "@/lib/confirm.ts";
import { formatRelative } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { toast } from "@/lib/toast.ts";
import { api, trpc } from "@/lib/trpc.ts";

/** Actions on a registered reader. */
export function useEncoderActs() {
  const { t } = useTranslation();
  const remove = useMutation(trpc.encoders.remove.mutationOptions());
  const unbind = useMutation(trpc.encoders.unbind.mutationOptions());
  const check = useMutation({
    mutationFn: ({ deviceNo }: EncoderRow) => api.encoders.checkStatus.query({ deviceNo }),
    onSuccess: ({ online, lastSeenAt }, { name }) => {
      refreshEverything();
      if (online) toast.success(t("encoder.isOnline", { name }));
      else if (lastSeenAt) toast.info(t("encoder.wasSeen", { name, when: formatRelative(lastSeenAt) }));
      else toast.info(t("encoder.neverSeen", { name }));
    },
  });

  function askToRemove({ id, name }: EncoderRow): void {
    void confirm({
      title: t("encoder.removeTitle", { name }),
      description: t("encoder.removeText"),
      confirmLabel: t("encoder.remove"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ id });
        refreshEverything();
        toast.success(t("encoder.removedDone", { name }));
      },
    });
  }

  function askToUnbind({ id, name, holder }: EncoderRow): void {
    void confirm({
      title: t("encoder.unbindTitle", { name }),
      description: t("encoder.unbindText", { holder: holder?.name ?? "" }),
      confirmLabel: t("encoder.unbind"),
      tone: "danger",
      action: async () => {
        await unbind.mutateAsync({ id });
        refreshEverything();
        toast.success(t("encoder.unboundDone", { name }));
      },
    });
  }

  return { askToRemove, askToUnbind, check: check.mutate };
}
