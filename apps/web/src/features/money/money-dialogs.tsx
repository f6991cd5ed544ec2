import type { PaymentChannel } from "@innkey/shared/enums";
import {
  type Balance,
  payInput,
  payOutCreditInput,
  rechargeInput,
  refundInput,
  withdrawInput,
} from "@innkey/shared/schemas/folio";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import type { FieldPath, FieldValues } from "react-hook-form";
import type { z } from "zod";
import { ChannelChoice } from "@/entities/stay/stay-money.tsx";
import { formatMoney } from "@/lib/format.ts";
import { type TextKey, t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { AmountInput } from "@/ui/form/money-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";

export type Account = NonNullable<Balance["account"]>;

/** Returns e.g. "Ada Lovelace, Bank of Elbe, •••• 3000". Without a bank, it names the type of account. */
export function destinationOf({ type, name, bank, numberEnd }: Account): string {
  return [name, bank || t(`balance.typeOf.${type}`), `•••• ${numberEnd}`].join(", ");
}

/** Fields that all money dialogs send; each adds the id of what it pays. */
type MoneyInput = { amountMinor: number; channel?: PaymentChannel | null; note?: string | undefined };
type MoneySchema = z.ZodType<MoneyInput, FieldValues & MoneyInput>;

type MoneyDialogProps<Schema extends MoneySchema> = {
  form: ZodForm<Schema>;
  /** Label of the action, a verb: "Pay". */
  actLabel: string;
  title?: string;
  description?: string;
  /** Hint below the amount: what is owed, or the maximum. */
  amountHint?: string;
  /** The channel field; omitted if no channel can be chosen. */
  channel?: { label: string; laterLabel?: string | undefined };
  tone?: "primary" | "danger";
  send: (values: z.output<Schema>) => Promise<unknown>;
  /** Success toast; receives `amount`. */
  doneText: TextKey;
  onClose: () => void;
};

/** Dialog in which money changes hands: amount, channel and note. */
function MoneyDialog<Schema extends MoneySchema>({
  form,
  actLabel,
  title = actLabel,
  description,
  amountHint,
  channel,
  tone,
  send,
  doneText,
  onClose,
}: MoneyDialogProps<Schema>) {
  const nameOf = (name: keyof MoneyInput) => name as FieldPath<z.input<Schema>>;
  const { currency } = useHotel();
  return (
    <FormDialog
      form={form}
      title={title}
      description={description}
      width="sm"
      submitLabel={actLabel}
      tone={tone}
      onClose={onClose}
      onSubmit={async (values) => {
        await send(values);
        toast.success(t(doneText, { amount: formatMoney(values.amountMinor, currency) }));
        onClose();
      }}
    >
      <Field form={form} name={nameOf("amountMinor")} label={t("folio.amount")} required hint={amountHint}>
        {(control) => <AmountInput {...control} currency={currency} />}
      </Field>
      {channel && (
        <Field form={form} name={nameOf("channel")} label={channel.label} required layout="group">
          {(control) => <ChannelChoice {...control} laterLabel={channel.laterLabel} />}
        </Field>
      )}
      <Field form={form} name={nameOf("note")} label={t("folio.note")}>
        {(control) => <Input {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}

const SHOWN_IN_FORM = { meta: { shownInForm: true } };

/** Takes a payment for what a stay owes. */
export function PayDialog({ stayId, owedMinor, onClose }: { stayId: number; owedMinor: number; onClose: () => void }) {
  const { currency } = useHotel();
  const form = useZodForm(payInput, { defaultValues: { stayId, amountMinor: owedMinor, channel: "cash", note: "" } });
  const pay = useMutation(trpc.folio.pay.mutationOptions(SHOWN_IN_FORM));
  return (
    <MoneyDialog
      form={form}
      actLabel={t("folio.pay")}
      amountHint={t("folio.owed", { amount: formatMoney(owedMinor, currency) })}
      channel={{ label: t("folio.channel") }}
      send={pay.mutateAsync}
      doneText="folio.paid"
      onClose={onClose}
    />
  );
}

type PayOutDialogProps = { stayId: number; creditMinor: number; onClose: () => void };

/** Pays the guest's credit back to them. */
export function PayOutDialog({ stayId, creditMinor, onClose }: PayOutDialogProps) {
  const { currency } = useHotel();
  const form = useZodForm(payOutCreditInput, {
    defaultValues: { stayId, amountMinor: creditMinor, channel: "cash", note: "" },
  });
  const payOut = useMutation(trpc.folio.payOutCredit.mutationOptions(SHOWN_IN_FORM));
  return (
    <MoneyDialog
      form={form}
      actLabel={t("folio.payOutCredit")}
      amountHint={t("folio.refundable", { amount: formatMoney(creditMinor, currency) })}
      channel={{ label: t("folio.refundBy") }}
      tone="danger"
      send={payOut.mutateAsync}
      doneText="folio.refunded"
      onClose={onClose}
    />
  );
}

type RefundDialogProps = {
  entry: Pick<StayDetail["entries"][number], "id" | "type" | "refundableMinor" | "channel">;
  onClose: () => void;
};

/**
 * Refunds part of an entry. Staff members without the refund permission can refund only a deposit, and only by its
 * original channel. A charge that was never paid can be cancelled without moving money.
 */
export function RefundDialog({ entry, onClose }: RefundDialogProps) {
  const { currency } = useHotel();
  const can = useCan();
  const movesMoney = entry.type === "deposit" || entry.type === "payment" || entry.type === "recharge";
  const form = useZodForm(refundInput, {
    defaultValues: {
      entryId: entry.id,
      amountMinor: entry.refundableMinor,
      channel: entry.channel ?? (movesMoney ? "cash" : null),
      note: "",
    },
  });
  const refund = useMutation(trpc.folio.refund.mutationOptions(SHOWN_IN_FORM));
  const channel = { label: t("folio.refundBy"), laterLabel: movesMoney ? undefined : t("folio.strikeOff") };
  return (
    <MoneyDialog
      form={form}
      actLabel={t("folio.refund")}
      title={t("folio.refundTitle", { what: t(`folio.typeOf.${entry.type}`) })}
      amountHint={t("folio.refundable", { amount: formatMoney(entry.refundableMinor, currency) })}
      {...(can("folio.refund") && { channel })}
      tone="danger"
      send={refund.mutateAsync}
      doneText="folio.refunded"
      onClose={onClose}
    />
  );
}

/** Deposits the hotel's own money. */
export function RechargeDialog({ onClose }: { onClose: () => void }) {
  const form = useZodForm(rechargeInput, { defaultValues: { channel: "transfer", note: "" } });
  const recharge = useMutation(trpc.folio.recharge.mutationOptions(SHOWN_IN_FORM));
  return (
    <MoneyDialog
      form={form}
      actLabel={t("balance.recharge")}
      channel={{ label: t("folio.channel") }}
      send={recharge.mutateAsync}
      doneText="balance.recharged"
      onClose={onClose}
    />
  );
}

type WithdrawDialogProps = { balance: Balance; account: Account; onClose: () => void };

/** Withdraws the hotel's money to its account, and shows which account. The server checks the limit. */
export function WithdrawDialog({ balance, account, onClose }: WithdrawDialogProps) {
  const { currency } = useHotel();
  const form = useZodForm(withdrawInput, { defaultValues: { note: "" } });
  const withdraw = useMutation(trpc.folio.withdraw.mutationOptions(SHOWN_IN_FORM));
  return (
    <MoneyDialog
      form={form}
      actLabel={t("balance.withdraw")}
      description={t("balance.goesTo", { destination: destinationOf(account) })}
      amountHint={t("folio.refundable", { amount: formatMoney(Math.max(0, balance.availableMinor), currency) })}
      send={withdraw.mutateAsync}
      doneText="balance.withdrawn"
      onClose={onClose}
    />
  );
}
