import { useMutation } from "@tanstack/react-query";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";

type Customer = { id: number; name: string; frozen: boolean };

/** Actions on a customer; each asks for confirmation first. */
export function useCustomerActs() {
  const { t } = useTranslation();
  const freeze = useMutation(trpc.customers.freeze.mutationOptions());
  const remove = useMutation(trpc.customers.remove.mutationOptions());

  function askToFreeze({ id, name, frozen }: Customer): void {
    void confirm({
      title: frozen ? t("customer.unfreezeTitle", { name }) : t("customer.freezeTitle", { name }),
      description: frozen ? t("customer.unfreezeText") : t("customer.freezeText"),
      confirmLabel: frozen ? t("customer.unfreeze") : t("customer.freeze"),
      tone: frozen ? "primary" : "danger",
      action: async () => {
        await freeze.mutateAsync({ id, frozen: !frozen });
        toast.success(frozen ? t("customer.unfrozenDone", { name }) : t("customer.frozenDone", { name }));
      },
    });
  }

  function askToRemove({ id, name }: Customer, onRemoved?: () => void): void {
    void confirm({
      title: t("customer.removeTitle", { name }),
      description: t("customer.removeText"),
      confirmLabel: t("customer.remove"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ id });
        onRemoved?.();
        toast.success(t("customer.removedDone", { name }));
      },
    });
  }

  return { askToFreeze, askToRemove };
}
