import { payOutCreditInput } from "@innkey/shared/schemas/orders";
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

/** Pays the guest's credit back to them. */
export function PayOutDialog({
  stayId,
  creditMinor,
  onClose,
}: {
  stayId: number;
  creditMinor: number;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const form = useZodForm(payOutCreditInput, {
    defaultValues: { stayId, amountMinor: creditMinor, channel: "cash", note: "" },
  });
  const payOut = useMutation(trpc.orders.payOutCredit.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("order.payOutCredit")}
      width="sm"
      submitLabel={t("order.payOutCredit")}
      tone="danger"
      onClose={onClose}
      onSubmit={async (values) => {
        await payOut.mutateAsync(values);
        refreshEverything();
        toast.success(t("order.refunded", { amount: formatMoney(values.amountMinor, currency) }));
        onClose();
      }}
    >
      <Field
        form={form}
        name="amountMinor"
        label={t("order.amount")}
        required
        hint={t("order.refundable", { amount: formatMoney(creditMinor, currency) })}
      >
        {(control) => <AmountInput {...control} currency={currency} />}
      </Field>
      <Field form={form} name="channel" label={t("order.refundBy")} required layout="group">
        {(control) => <ChannelChoice {...control} />}
      </Field>
      <Field form={form} name="note" label={t("order.note")}>
        {(control) => <Input {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}
