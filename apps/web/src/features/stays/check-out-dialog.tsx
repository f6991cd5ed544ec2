import { settleAtCheckOut } from "@innkey/shared/folio";
import { checkOutInput, type StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { useEndWithKeys } from "@/entities/stay/end-with-keys.ts";
import { ExtraChargeButton } from "@/entities/stay/extra-charge.tsx";
import { askAndRepeat, askUnpaid, guestNameOf, StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { actLabel, ChannelChoice, MoneyRow, RemainingCreditNote } from "@/entities/stay/stay-money.tsx";
import { undoCheckOut } from "@/entities/stay/undo-check-out.ts";
import { formatMoney, joinItems } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";
import { MoneyInput } from "@/ui/form/money-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";

export function CheckOutDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  return (
    <StayDialog stayId={stayId} title={t("stay.checkOut")} onClose={onClose}>
      {(stay) => <CheckOutContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function CheckOutContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { currency } = useHotel();
  const { money } = stay;
  const can = useCan();
  const seesFolio = can("folio.view");
  const paysOut = can("folio.refund");
  const form = useZodForm(checkOutInput, {
    defaultValues: {
      stayId: stay.id,
      useDeposit: true,
      keepDeposit: null,
      refundDeposit: true,
      refundUnusedMinor: 0,
      channel: null,
      refundChannel: paysOut ? "cash" : null,
    },
  });
  const [useDeposit, keptDeposit, refundDeposit, refundUnused, channel, refundChannel] = form.watch([
    "useDeposit",
    "keepDeposit",
    "refundDeposit",
    "refundUnusedMinor",
    "channel",
    "refundChannel",
  ]);
  const { dueMinor, depositUsedMinor, depositLeftMinor, depositRefundMinor, creditMinor } = settleAtCheckOut(money, {
    refundUnusedMinor: amountOrZero(refundUnused),
    channel: channel ?? null,
    useDeposit: useDeposit ?? true,
    keepDepositMinor: amountOrZero(keptDeposit?.amountMinor),
    refundDeposit: refundDeposit ?? true,
  });
  const endWithKeys = useEndWithKeys();
  const checkOut = useMutation(trpc.stays.checkOut.mutationOptions({ meta: { shownInForm: true } }));
  const channelLabels = money.depositChannels.map((way) => t(`stay.channel.${way}`));
  const depositBackLabel = [t("stay.depositBack"), joinItems(channelLabels)].filter(Boolean).join(" · ");

  async function submit(values: z.output<typeof checkOutInput>): Promise<void> {
    const result = await askAndRepeat(values, (input) => checkOut.mutateAsync(input), {
      unpaid: (failure) => askUnpaid(failure, currency),
    });
    if (!result) return;
    const done = t("stay.checkedOutDone", { guest: guestNameOf(stay), room: stay.room.name });
    await endWithKeys(stay.id, "departure", done, onClose, () => undoCheckOut(stay));
  }

  const paidBackMinor = depositRefundMinor + (refundChannel ? creditMinor : 0);
  const movement = { receivedMinor: channel ? dueMinor : 0, paidBackMinor };
  return (
    <FormDialogContent
      form={form}
      title={t("stay.checkOutRoom", { room: stay.room.name })}
      description={t("stay.checkOutText", { count: stay.guests.length, room: stay.room.name })}
      submitLabel={actLabel(t("stay.checkOut"), movement, currency)}
      startAt="submit"
      onClose={onClose}
      onSubmit={submit}
    >
      <StayFacts stay={stay} />
      <dl className="grid gap-2">
        {seesFolio && <MoneyRow label={t("stay.charged")} minor={money.chargedMinor} />}
        {seesFolio && <MoneyRow label={t("stay.paid")} minor={money.paidMinor} />}
        {money.owedMinor > 0 && <MoneyRow label={t("stay.owed")} minor={money.owedMinor} />}
        {money.depositHeldMinor > 0 && <MoneyRow label={t("stay.depositHeld")} minor={money.depositHeldMinor} />}
      </dl>
      <ExtraChargeButton stayId={stay.id} />
      {money.unusedMinor > 0 && paysOut && (
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
      {money.depositHeldMinor > 0 && (
        <div className="grid gap-2.5">
          {dueMinor + depositUsedMinor > 0 && (
            <Field
              form={form}
              name="useDeposit"
              label={t("stay.useDeposit", {
                amount: formatMoney(Math.min(dueMinor + depositUsedMinor, money.depositHeldMinor), currency),
              })}
              layout="inline"
            >
              {({ onChange, ...control }) => (
                <CheckboxInput
                  {...control}
                  value={control.value ?? true}
                  onChange={(next) => {
                    onChange(next);
                    // If the deposit isn't used, the debt must be paid now: the deposit is not refunded while anything
                    // is owed.
                    form.setValue("channel", next ? null : (channel ?? "cash"), { shouldDirty: true });
                    // A different part of the deposit is left, so the amount to keep is reset.
                    form.setValue("keepDeposit", null);
                  }}
                />
              )}
            </Field>
          )}
          {depositLeftMinor > 0 && (
            <>
              <Field form={form} name="keepDeposit" label={t("stay.keepDeposit")} layout="inline">
                {({ value, onChange, ...control }) => (
                  <CheckboxInput
                    {...control}
                    value={Boolean(value)}
                    onChange={(next) => onChange(next ? { amountMinor: depositLeftMinor, reason: "" } : null)}
                  />
                )}
              </Field>
              {keptDeposit && (
                <div className="grid grid-cols-[8.5rem_1fr] items-start gap-2 ps-7">
                  <Field form={form} name="keepDeposit.amountMinor" label={t("folio.amount")} required>
                    {({ onChange, ...control }) => (
                      <MoneyInput {...control} currency={currency} onChange={(minor) => onChange(minor ?? 0)} />
                    )}
                  </Field>
                  <Field form={form} name="keepDeposit.reason" label={t("stay.keepDepositReason")} required>
                    {(control) => <Input {...control} value={control.value ?? ""} maxLength={200} />}
                  </Field>
                </div>
              )}
              {(depositRefundMinor > 0 || !refundDeposit) && (
                <Field
                  form={form}
                  name="refundDeposit"
                  label={t("stay.refundDeposit", {
                    amount: formatMoney(depositLeftMinor - (keptDeposit?.amountMinor ?? 0), currency),
                  })}
                  layout="inline"
                >
                  {(control) => <CheckboxInput {...control} value={control.value ?? true} />}
                </Field>
              )}
            </>
          )}
        </div>
      )}
      {dueMinor > 0 && (
        <Field
          form={form}
          name="channel"
          label={t("stay.payOwed", { amount: formatMoney(dueMinor, currency) })}
          quiet
          layout="group"
        >
          {(control) => <ChannelChoice {...control} laterLabel={useDeposit ? t("stay.leaveOwed") : undefined} />}
        </Field>
      )}
      {creditMinor > 0 && paysOut && (
        <Field
          form={form}
          name="refundChannel"
          label={t("stay.refundBy", { amount: formatMoney(creditMinor, currency) })}
          quiet
          layout="group"
        >
          {(control) => <ChannelChoice {...control} laterLabel={t("stay.keepAsCredit")} />}
        </Field>
      )}
      {creditMinor > 0 && !paysOut && <RemainingCreditNote minor={creditMinor} />}
      <dl className="grid gap-2" aria-live="polite">
        {depositUsedMinor > 0 && <MoneyRow label={t("stay.fromDeposit")} minor={depositUsedMinor} />}
        {Boolean(keptDeposit?.amountMinor) && (
          <MoneyRow label={t("stay.depositKept")} minor={keptDeposit?.amountMinor} />
        )}
        <MoneyRow label={dueMinor > 0 && !channel ? t("stay.owed") : t("stay.guestPays")} minor={dueMinor} strong />
        {depositRefundMinor > 0 && (
          <MoneyRow label={depositBackLabel} minor={depositRefundMinor} strong className="border-t-0 pt-0" />
        )}
        {creditMinor > 0 && refundChannel && (
          <MoneyRow label={t("stay.guestGets")} minor={creditMinor} strong className="border-t-0 pt-0" />
        )}
      </dl>
    </FormDialogContent>
  );
}

/** Counts a field that is empty or not yet an amount as zero. */
const amountOrZero = (minor: number | undefined): number => (Number.isNaN(minor) ? 0 : (minor ?? 0));
