import { rechargeInput } from "@innkey/shared/schemas/balance";
import { useMutation } from "@tanstack/react-query";
import { AmountInput } from "@/components/form/amount-input.tsx";
import { Field } from "@/components/form/field.tsx";
import { FormDialog } from "@/components/form/form-dialog.tsx";
import { useZodForm } from "@/components/form/use-zod-form.ts";
import { Input } from "@/components/ui/input.tsx";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ChannelChoice } from "../stays/channel-choice.tsx";
import { refreshEverything } from "../stays/refresh.ts";

export function RechargeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const form = useZodForm(rechargeInput, { defaultValues: { channel: "transfer", note: "" } });
  const recharge = useMutation(trpc.orders.recharge.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("balance.recharge")}
      width="sm"
      submitLabel={t("balance.recharge")}
      onClose={onClose}
      onSubmit={async (values) => {
        await recharge.mutateAsync(values);
        refreshEverything();
        toast.success(t("balance.recharged", { amount: formatMoney(values.amountMinor, currency) }));
        onClose();
      }}
    >
      <Field form={form} name="amountMinor" label={t("order.amount")} required>
        {(control) => <AmountInput {...control} currency={currency} />}
      </Field>
      <Field form={form} name="channel" label={t("order.channel")} required layout="group">
        {(control) => <ChannelChoice {...control} />}
      </Field>
      <Field form={form} name="note" label={t("order.note")}>
        {(control) => <Input {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}
