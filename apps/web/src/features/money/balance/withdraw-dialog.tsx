import { type Balance, withdrawInput } from "@innkey/shared/schemas/balance";
import { useMutation } from "@tanstack/react-query";
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
import { type Account, destinationOf } from "./destination.ts";

type WithdrawDialogProps = { balance: Balance; account: Account; onClose: () => void };

/** Asks for the amount of a withdrawal, and shows its destination and the balance. The server checks the limit. */
export function WithdrawDialog({ balance, account, onClose }: WithdrawDialogProps) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const form = useZodForm(withdrawInput, { defaultValues: { note: "" } });
  const withdraw = useMutation(trpc.orders.withdraw.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("balance.withdraw")}
      description={t("balance.goesTo", { destination: destinationOf(t, account) })}
      width="sm"
      submitLabel={t("balance.withdraw")}
      onClose={onClose}
      onSubmit={async (values) => {
        await withdraw.mutateAsync(values);
        refreshEverything();
        toast.success(t("balance.withdrawn", { amount: formatMoney(values.amountMinor, currency) }));
        onClose();
      }}
    >
      <Field
        form={form}
        name="amountMinor"
        label={t("order.amount")}
        required
        hint={t("order.refundable", { amount: formatMoney(Math.max(0, balance.availableMinor), currency) })}
      >
        {(control) => <AmountInput {...control} currency={currency} />}
      </Field>
      <Field form={form} name="note" label={t("order.note")}>
        {(control) => <Input {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}
