import { checkOutInput, type StayDetail } from "@innkey/shared/schemas/stays";
import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { Field } from "@/components/form/field.tsx";
import { FormDialogContent } from "@/components/form/form-dialog.tsx";
import { MoneyInput } from "@/components/form/money-input.tsx";
import { useZodForm } from "@/components/form/use-zod-form.ts";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { askAndRepeat } from "./ask-and-repeat.ts";
import { ChannelChoice } from "./channel-choice.tsx";
import { MoneyRow } from "./money-row.tsx";
import { refreshEverything } from "./refresh.ts";
import { settlement } from "./settlement.ts";
import { StayDialog } from "./stay-dialog.tsx";
import { guestNameOf, StayFacts } from "./stay-facts.tsx";
import { askUnpaid } from "./stay-questions.ts";

export function CheckOutDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <StayDialog stayId={stayId} title={t("stay.checkOut")} onClose={onClose}>
      {(stay) => <CheckOutContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function CheckOutContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const { money } = stay;
  const can = useCan();
  const seesOrders = can("orders.view");
  const form = useZodForm(checkOutInput, {
    defaultValues: { stayId: stay.id, refundDeposit: true, refundUnusedMinor: 0, channel: null, refundChannel: "cash" },
  });
  const [refundDeposit, refundUnused, channel] = form.watch(["refundDeposit", "refundUnusedMinor", "channel"]);
  const { dueMinor, backMinor } = settlement(money, refundUnused ?? 0, refundDeposit ?? true);
  const checkOut = useMutation(trpc.stays.checkOut.mutationOptions({ meta: { shownInForm: true } }));

  async function submit(values: z.output<typeof checkOutInput>): Promise<void> {
    const done = await askAndRepeat(values, (input) => checkOut.mutateAsync(input), {
      unpaid: (failure) => askUnpaid(failure, currency),
    });
    if (!done) return;
    refreshEverything();
    toast.success(t("stay.checkedOutDone", { guest: guestNameOf(stay), room: stay.room.name }));
    onClose();
  }

  return (
    <FormDialogContent
      form={form}
      title={t("stay.checkOutRoom", { room: stay.room.name })}
      description={t("stay.checkOutText", { count: stay.guests.length, room: stay.room.name })}
      submitLabel={t("stay.checkOut")}
      onClose={onClose}
      onSubmit={submit}
    >
      <StayFacts stay={stay} />
      <dl className="grid gap-2">
        {seesOrders && <MoneyRow label={t("stay.charged")} minor={money.chargedMinor} />}
        {seesOrders && <MoneyRow label={t("stay.paid")} minor={money.paidMinor} />}
        {money.depositHeldMinor > 0 && <MoneyRow label={t("stay.depositHeld")} minor={money.depositHeldMinor} />}
      </dl>
      {money.depositHeldMinor > 0 && (
        <Field
          form={form}
          name="refundDeposit"
          label={t("stay.refundDeposit", { amount: formatMoney(money.depositHeldMinor, currency) })}
          layout="inline"
        >
          {(control) => <Checkbox {...control} value={control.value ?? true} />}
        </Field>
      )}
      {money.unusedMinor > 0 && can("orders.refund") && (
        <Field
          form={form}
          name="refundUnusedMinor"
          label={t("stay.refundUnused")}
          hint={t("stay.refundUnusedHint", { amount: formatMoney(money.unusedMinor, currency) })}
          quiet
          aside={
            <Button
              variant="link"
              className="text-sm"
              onClick={() => form.setValue("refundUnusedMinor", money.unusedMinor, { shouldDirty: true })}
            >
              {t("stay.refundAllUnused")}
            </Button>
          }
        >
          {({ onChange, ...control }) => (
            <MoneyInput {...control} currency={currency} onChange={(minor) => onChange(minor ?? 0)} />
          )}
        </Field>
      )}
      {dueMinor > 0 && (
        <Field
          form={form}
          name="channel"
          label={t("stay.payOwed", { amount: formatMoney(dueMinor, currency) })}
          quiet
          layout="group"
        >
          {(control) => <ChannelChoice {...control} laterLabel={t("stay.leaveOwed")} />}
        </Field>
      )}
      {backMinor > 0 && (
        <Field
          form={form}
          name="refundChannel"
          label={t("stay.refundBy", { amount: formatMoney(backMinor, currency) })}
          quiet
          layout="group"
        >
          {(control) => <ChannelChoice {...control} />}
        </Field>
      )}
      <dl className="grid gap-2" aria-live="polite">
        <MoneyRow label={dueMinor > 0 && !channel ? t("stay.owed") : t("stay.guestPays")} minor={dueMinor} strong />
        {backMinor > 0 && <MoneyRow label={t("stay.guestGets")} minor={backMinor} strong className="border-t-0 pt-0" />}
      </dl>
    </FormDialogContent>
  );
}
