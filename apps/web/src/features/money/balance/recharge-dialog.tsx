import { rechargeInput } from "@innkey/shared/schemas/balance";
import { useMutation } from "@tanstack/react-query";
import { ChannelChoice } from "@/entities/stay/channel-choice.tsx";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { AmountInput } from "@/ui/form/amount-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";

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
