import { refundInput } from "@innkey/shared/schemas/orders";
import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useMutation } from "@tanstack/react-query";
import { ChannelChoice } from "@/entities/stay/channel-choice.tsx";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { AmountInput } from "@/ui/form/amount-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";

type RefundDialogProps = {
  order: Pick<StayDetail["orders"][number], "id" | "type" | "refundableMinor" | "channel">;
  onClose: () => void;
};

/**
 * Refunds part of an order. Staff members without the refund permission can refund only a deposit, and only by its
 * original channel. A charge that was never paid can be cancelled without moving money.
 */
export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const can = useCan();
  const moneyMoved = order.type === "deposit" || order.type === "payment" || order.type === "recharge";
  const form = useZodForm(refundInput, {
    defaultValues: {
      orderId: order.id,
      amountMinor: order.refundableMinor,
      channel: order.channel ?? (moneyMoved ? "cash" : null),
      note: "",
    },
  });
  const refund = useMutation(trpc.orders.refund.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("order.refundTitle", { what: t(`order.typeOf.${order.type}`) })}
      width="sm"
      submitLabel={t("order.refund")}
      tone="danger"
      onClose={onClose}
      onSubmit={async (values) => {
        await refund.mutateAsync(values);
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
        hint={t("order.refundable", { amount: formatMoney(order.refundableMinor, currency) })}
      >
        {(control) => <AmountInput {...control} currency={currency} />}
      </Field>
      {can("orders.refund") && (
        <Field form={form} name="channel" label={t("order.refundBy")} required layout="group">
          {(control) => <ChannelChoice {...control} laterLabel={moneyMoved ? undefined : t("order.strikeOff")} />}
        </Field>
      )}
      <Field form={form} name="note" label={t("order.note")}>
        {(control) => <Input {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}
