import { PaymentChannel } from "@innkey/shared/enums";
import { groupLines, type LineGroup, type QuoteLine } from "@innkey/shared/price-rules";
import { Banknote, Clock3, CreditCard, Landmark, type LucideIcon, Wallet } from "lucide-react";
import { ToggleGroup } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import type { FieldPath, UseFormReturn } from "react-hook-form";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate, formatMoney, formatNumber } from "@/lib/format.ts";
import { language, t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { asChoice, Field } from "@/ui/form/field.tsx";
import { MoneyInput } from "@/ui/form/money-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Label } from "@/ui/primitives/label.tsx";

/** Money that changes hands at once, in minor units, regardless of what the action charges. */
interface MoneyMovement {
  receivedMinor?: number;
  paidBackMinor?: number;
}

/** Returns the label of a button: the action, and the money that changes hands when it is pressed. */
export function actLabel(
  act: string,
  { receivedMinor = 0, paidBackMinor = 0 }: MoneyMovement,
  currency: string,
): string {
  const [incoming, outgoing] = [formatMoney(receivedMinor, currency), formatMoney(paidBackMinor, currency)];
  if (receivedMinor > 0 && paidBackMinor > 0)
    return t("stay.actTakesAndGives", { act, taken: incoming, given: outgoing });
  if (receivedMinor > 0) return t("stay.actTakes", { act, amount: incoming });
  if (paidBackMinor > 0) return t("stay.actGives", { act, amount: outgoing });
  return act;
}

/** Returns the money of a change that is settled at once: positive is received, negative is paid back. */
export function moneyMovement(minor: number): MoneyMovement {
  return minor > 0 ? { receivedMinor: minor } : { paidBackMinor: -minor };
}

type MoneyRowProps = { label: ReactNode; minor: number | undefined; strong?: boolean; className?: string };

/** A labelled amount; `strong` for the total of a column. */
export function MoneyRow({ label, minor, strong, className }: MoneyRowProps) {
  const { currency } = useHotel();
  return (
    <div
      className={cn("flex items-baseline justify-between gap-4", strong && "border-t pt-2.5 font-semibold", className)}
    >
      <dt className={cn(!strong && "text-muted-foreground")}>{label}</dt>
      <dd className={cn("shrink-0", strong && "text-lg")}>{formatMoney(minor, currency)}</dd>
    </div>
  );
}

const dateRange = new Intl.DateTimeFormat(language.tag, { timeZone: "UTC", day: "numeric", month: "short" });

/** Formats one date as "Sun 22 Nov" and several as "20 – 21 Nov", in the chosen language. */
function formatDates({ from, to }: LineGroup): string {
  if (from === to) return formatLocalDate(from, { weekday: "short", day: "numeric", month: "short" });
  return dateRange.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
}

/** Lists the lines of a charge as the folio entry will show them. */
export function QuoteLines({ lines, label }: { lines: readonly QuoteLine[]; label: string }) {
  const { currency } = useHotel();
  return (
    <ul aria-label={label} className="grid gap-2">
      {groupLines(lines).map((group) => (
        <li key={`${group.kind}${group.from}${group.unitMinor}`} className="flex items-baseline justify-between gap-4">
          <span className="min-w-0">
            <span className="block">{t(`stay.line.${group.kind}`, { count: group.count })}</span>
            <span className="block text-sm text-muted-foreground">
              {formatDates(group)}
              {group.count > 1 && ` · ${formatNumber(group.count)} × ${formatMoney(group.unitMinor, currency)}`}
            </span>
          </span>
          <span className="shrink-0">{formatMoney(group.amountMinor, currency)}</span>
        </li>
      ))}
    </ul>
  );
}

export const CHANNEL_ICONS: Record<PaymentChannel, LucideIcon> = {
  cash: Banknote,
  card: CreditCard,
  transfer: Landmark,
  other: Wallet,
};

const LATER = "later";

type ChannelChoiceProps = {
  value: PaymentChannel | null | undefined;
  onChange: (channel: PaymentChannel | null) => void;
  /** Label for taking no money now; without it a channel must be chosen. */
  laterLabel?: string;
  id?: string;
  name?: string;
  onBlur?: () => void;
  disabled?: boolean;
  required?: boolean;
  "aria-invalid"?: boolean;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  "aria-describedby"?: string;
};

/** Chooses a payment channel. The chips wrap, because "Überweisung" is a long word. */
export function ChannelChoice({
  value,
  onChange,
  laterLabel,
  name: _name,
  required: _required,
  "aria-invalid": _invalid,
  ...props
}: ChannelChoiceProps) {
  const channels = PaymentChannel.options.map((channel) => ({
    value: channel as string,
    label: t(`stay.channel.${channel}`),
    icon: CHANNEL_ICONS[channel],
  }));
  const options = laterLabel ? [{ value: LATER, label: laterLabel, icon: Clock3 }, ...channels] : channels;
  return (
    <ToggleGroup.Root
      {...props}
      type="single"
      value={value ?? LATER}
      onValueChange={(next) => next && onChange(next === LATER ? null : PaymentChannel.parse(next))}
      className="flex flex-wrap gap-1.5"
    >
      {options.map(({ value: channel, label, icon: Icon }) => (
        <ToggleGroup.Item
          key={channel}
          value={channel}
          className="inline-flex h-9 items-center gap-1.5 rounded-md border border-border bg-card px-2.5 text-sm font-medium text-muted-foreground hover:border-input hover:text-foreground data-[state=on]:border-brass data-[state=on]:bg-brass-soft data-[state=on]:text-brass-ink lg:h-8"
        >
          <Icon aria-hidden className="size-4" />
          {label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}

interface DepositInput {
  depositMinor?: number | null | undefined;
  depositChannel?: PaymentChannel | undefined;
}

type DepositFieldsProps<Form extends DepositInput, Output> = {
  form: UseFormReturn<Form, unknown, Output>;
  /** The deposit of the room, which is taken unless another one is entered. */
  usualMinor: number | undefined;
};

/** A form part doesn't know its field's type. */
const amountOf = (value: unknown, usualMinor: number | undefined): number | undefined =>
  typeof value === "number" ? value : usualMinor;

/** Amount and channel of the deposit that a party pays when it arrives. */
export function DepositFields<Form extends DepositInput, Output>({
  form,
  usualMinor,
}: DepositFieldsProps<Form, Output>) {
  const { currency } = useHotel();
  const amount = "depositMinor" as FieldPath<Form>;
  const depositMinor = amountOf(form.watch(amount), usualMinor);
  return (
    <div className="grid grid-cols-[1fr_7.5rem] items-start gap-2">
      <Field form={form} name={amount} label={t("stay.deposit")} quiet>
        {({ value, onChange, ...control }) => (
          <MoneyInput
            {...control}
            currency={currency}
            value={amountOf(value, usualMinor)}
            onChange={(minor) => onChange(minor ?? 0)}
          />
        )}
      </Field>
      <Field form={form} name={"depositChannel" as FieldPath<Form>} label={t("stay.depositBy")} quiet>
        {(control) => (
          <SelectInput
            {...asChoice<PaymentChannel>(control)}
            disabled={(depositMinor ?? 0) === 0}
            options={PaymentChannel.options.map((value) => ({ value, label: t(`stay.channel.${value}`) }))}
          />
        )}
      </Field>
    </div>
  );
}

type AgreedTotalProps = {
  value: number | null | undefined;
  onChange: (minor: number | null) => void;
  /** Initial value of the field: the quoted total. */
  quotedMinor: number | undefined;
  message?: string;
};

/** Sets a total agreed with the guest, which replaces the quoted one. It needs a permission. */
export function AgreedTotal({ value, onChange, quotedMinor, message }: AgreedTotalProps) {
  const { currency } = useHotel();
  const can = useCan();
  const id = useId();
  const [isOpen, setIsOpen] = useState(value !== null && value !== undefined);
  if (!can("prices.agree")) return null;
  if (!isOpen) {
    return (
      <Button
        variant="link"
        className="justify-self-start"
        onClick={() => {
          setIsOpen(true);
          onChange(quotedMinor ?? null);
        }}
      >
        {t("stay.agreeTotal")}
      </Button>
    );
  }
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <Label htmlFor={id}>{t("stay.agreedTotal")}</Label>
        <Button
          variant="link"
          className="text-sm"
          onClick={() => {
            setIsOpen(false);
            onChange(null);
          }}
        >
          {t("stay.useQuoted")}
        </Button>
      </div>
      <MoneyInput
        id={id}
        currency={currency}
        value={value}
        onChange={onChange}
        aria-invalid={message ? true : undefined}
        aria-describedby={message ? `${id}-error` : undefined}
      />
      {message && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-danger">
          {message}
        </p>
      )}
    </div>
  );
}

/** Shown in place of the refund channel to operators who may not pay out. */
export function RemainingCreditNote({ minor }: { minor: number }) {
  const { currency } = useHotel();
  return <p className="text-muted-foreground">{t("stay.creditStays", { amount: formatMoney(minor, currency) })}</p>;
}
