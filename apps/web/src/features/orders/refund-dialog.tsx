import { refundInput } from "@innkey/shared/schemas/orders";
import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { Field } from "@/components/form/field.tsx";
import { Form } from "@/components/form/form.tsx";
import { MoneyInput } from "@/components/form/money-input.tsx";
import { useZodForm } from "@/components/form/use-zod-form.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Input } from "@/components/ui/input.tsx";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ChannelChoice } from "../stays/channel-choice.tsx";
import { refreshEverything } from "../stays/refresh.ts";

type RefundDialogProps = {
  order: Pick<StayDetail["orders"][number], "id" | "type" | "refundableMinor" | "channel">;
  onClose: () => void;
};

/** Gives part of an order back; a charge that was never paid can be struck off without money moving. */
export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const formId = useId();
  const moneyMoved = order.type === "deposit" || order.type === "payment";
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
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t("order.refundTitle", { what: t(`order.typeOf.${order.type}`) })}
        width="sm"
        footer={
          <>
            <Button onClick={onClose}>{t("common.cancel")}</Button>
            <Button type="submit" form={formId} variant="danger" pending={form.formState.isSubmitting}>
              {t("order.refund")}
            </Button>
          </>
        }
      >
        <Form
          form={form}
          id={formId}
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
            {({ onChange, ...control }) => (
              <MoneyInput {...control} currency={currency} onChange={(minor) => onChange(minor ?? Number.NaN)} />
            )}
          </Field>
          <Field form={form} name="channel" label={t("order.refundBy")} required layout="group">
            {(control) => <ChannelChoice {...control} laterLabel={moneyMoved ? undefined : t("order.strikeOff")} />}
          </Field>
          <Field form={form} name="note" label={t("order.note")}>
            {(control) => <Input {...control} value={control.value ?? ""} />}
          </Field>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
