import type { PaymentChannel } from "@innkey/shared/enums";
import { v } from "@innkey/shared/schemas/fields";
import {
  type Balance,
  cancelChargeInput,
  confirmedWithdrawInput,
  payInput,
  payOutCreditInput,
  rechargeInput,
  refundInput,
  undoWithdrawalInput,
} from "@innkey/shared/schemas/folio";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import type { FieldPath, FieldValues } from "react-hook-form";
import { z } from "zod";
import { ChannelChoice } from "@/entities/stay/stay-money.tsx";
import { formatMoney, joinItems } from "@/lib/format.ts";
import { type TextKey, t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { AmountInput } from "@/ui/form/money-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { entryTitle } from "./entries/entry-style.ts";

export type Account = NonNullable<Balance["account"]>;

/** Returns e.g. "Ada Lovelace, Bank of Elbe, •••• 3000". Without a bank, it names the type of account. */
export function destinationOf({ type, name, bank, numberEnd }: Account): string {
  return joinItems([name, bank || t(`balance.typeOf.${type}`), `•••• ${numberEnd}`]);
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
  /** Field below the amount in which it is typed again. */
  repeat?: ReactNode;
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
  repeat,
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
      {repeat}
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

type Reason = { entryId: number; reason: string };
type ReasonSchema = z.ZodType<Reason, FieldValues & Reason>;

type ReasonDialogProps<Schema extends ReasonSchema> = {
  form: ZodForm<Schema>;
  title: string;
  description: string;
  /** Label of the action, a verb. */
  actLabel: string;
  send: (values: z.output<Schema>) => Promise<unknown>;
  /** Success toast. */
  doneText: string;
  onClose: () => void;
};

/** Asks why an entry is taken back, before its counter-entry is written. */
function ReasonDialog<Schema extends ReasonSchema>({
  form,
  title,
  description,
  actLabel,
  send,
  doneText,
  onClose,
}: ReasonDialogProps<Schema>) {
  return (
    <FormDialog
      form={form}
      title={title}
      description={description}
      width="sm"
      submitLabel={actLabel}
      cancelLabel={t("common.close")}
      tone="danger"
      onClose={onClose}
      onSubmit={async (values) => {
        await send(values);
        toast.success(doneText);
        onClose();
      }}
    >
      <Field form={form} name={"reason" as FieldPath<z.input<Schema>>} label={t("folio.reason")} required>
        {(control) => <Input {...control} value={control.value ?? ""} maxLength={200} />}
      </Field>
    </FormDialog>
  );
}

type CancelChargeDialogProps = {
  entry: Pick<StayDetail["entries"][number], "id" | "type" | "note" | "refundableMinor">;
  onClose: () => void;
};

/** Takes an extra off the bill. */
export function CancelChargeDialog({ entry, onClose }: CancelChargeDialogProps) {
  const { currency } = useHotel();
  const form = useZodForm(cancelChargeInput, { defaultValues: { entryId: entry.id, reason: "" } });
  const cancel = useMutation(trpc.folio.cancelCharge.mutationOptions(SHOWN_IN_FORM));
  const amount = formatMoney(entry.refundableMinor, currency);
  return (
    <ReasonDialog
      form={form}
      title={t("folio.cancelChargeTitle", { what: entryTitle(entry) })}
      description={t("folio.cancelChargeText", { amount })}
      actLabel={t("folio.cancelCharge")}
      send={cancel.mutateAsync}
      doneText={t("folio.chargeCancelled", { amount })}
      onClose={onClose}
    />
  );
}

type UndoWithdrawalDialogProps = {
  withdrawal: { id: number; amountMinor: number; destination: string };
  onClose: () => void;
};

/** Puts the money of a withdrawal back, for example because the bank refused it. */
export function UndoWithdrawalDialog({ withdrawal, onClose }: UndoWithdrawalDialogProps) {
  const { currency } = useHotel();
  const form = useZodForm(undoWithdrawalInput, { defaultValues: { entryId: withdrawal.id, reason: "" } });
  const undo = useMutation(trpc.folio.undoWithdrawal.mutationOptions(SHOWN_IN_FORM));
  const amount = formatMoney(withdrawal.amountMinor, currency);
  return (
    <ReasonDialog
      form={form}
      title={t("balance.undoWithdrawal")}
      description={t("balance.undoText", { amount, destination: withdrawal.destination })}
      actLabel={t("balance.undoWithdrawal")}
      send={undo.mutateAsync}
      doneText={t("balance.undone", { amount })}
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

/** The input of a withdrawal, refused above a limit that its message names. */
const withdrawalUpTo = (limitMinor: number, currency: string) =>
  confirmedWithdrawInput.safeExtend({
    amountMinor: z
      .int({ error: v.amount })
      .min(1, v.amount)
      .superRefine((minor, ctx) => {
        if (minor <= limitMinor) return;
        const params = { max: formatMoney(limitMinor, currency) };
        ctx.addIssue({ code: "custom", message: v.moreThanAvailable, params });
      }),
  });

/** Withdraws the hotel's money to its account, shows which account, and has the amount typed twice. */
export function WithdrawDialog({ balance, account, onClose }: WithdrawDialogProps) {
  const { currency } = useHotel();
  const limitMinor = Math.max(0, balance.availableMinor);
  const schema = useMemo(() => withdrawalUpTo(limitMinor, currency), [limitMinor, currency]);
  const form = useZodForm(schema, { defaultValues: { note: "" } });
  const amountMinor = form.watch("amountMinor");
  const withdraw = useMutation(trpc.folio.withdraw.mutationOptions(SHOWN_IN_FORM));
  return (
    <MoneyDialog
      form={form}
      actLabel={
        amountMinor
          ? t("balance.withdrawAmount", { amount: formatMoney(amountMinor, currency) })
          : t("balance.withdraw")
      }
      title={t("balance.withdraw")}
      description={t("balance.goesTo", { destination: destinationOf(account) })}
      amountHint={t("folio.refundable", { amount: formatMoney(limitMinor, currency) })}
      repeat={
        <Field form={form} name="repeatedMinor" label={t("balance.repeat")} required>
          {(control) => <AmountInput {...control} currency={currency} />}
        </Field>
      }
      send={withdraw.mutateAsync}
      doneText="balance.withdrawn"
      onClose={onClose}
    />
  );
}
