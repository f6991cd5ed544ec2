import { PaymentChannel } from "@innkey/shared/enums";
import { Banknote, Clock3, CreditCard, Landmark, type LucideIcon, Wallet } from "lucide-react";
import { ToggleGroup } from "radix-ui";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";

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
  const { t } = useTranslation();
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
      {options.map(({ value: own, label, icon: Icon }) => (
        <ToggleGroup.Item
          key={own}
          value={own}
          className="inline-flex h-9 items-center gap-1.5 rounded-md border border-border bg-card px-2.5 text-sm font-medium text-muted-foreground hover:border-input hover:text-foreground data-[state=on]:border-brass data-[state=on]:bg-brass-soft data-[state=on]:text-brass-ink lg:h-8"
        >
          <Icon aria-hidden className="size-4" />
          {label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}

/** Shown in place of the refund channel to operators who may not pay out. */
export function CreditStays({ minor }: { minor: number }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  return <p className="text-muted-foreground">{t("stay.creditStays", { amount: formatMoney(minor, currency) })}</p>;
}
