import { chargeExtraInput } from "@innkey/shared/schemas/folio";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { formatLocalDate, formatMoney, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";
import { AmountInput } from "@/ui/form/money-input.tsx";
import { NumberInput } from "@/ui/form/text-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { StayDialog, StayFacts } from "./stay-dialog.tsx";
import { actLabel, ChannelChoice, MoneyRow } from "./stay-money.tsx";

/** Charges something that isn't the room, such as the minibar, to a stay. */
export function ExtraChargeDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  return (
    <StayDialog stayId={stayId} title={t("board.addExtra")} onClose={onClose}>
      {(stay) => <ExtraChargeContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function ExtraChargeContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { currency } = useHotel();
  const form = useZodForm(chargeExtraInput, {
    defaultValues: { stayId: stay.id, text: "", quantity: 1, channel: null },
  });
  const [quantity, unitMinor, channel] = form.watch(["quantity", "unitMinor", "channel"]);
  const product = (quantity ?? Number.NaN) * (unitMinor ?? Number.NaN);
  const totalMinor = Number.isNaN(product) ? 0 : product;
  const charge = useMutation(trpc.folio.chargeExtra.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialogContent
      form={form}
      title={t("board.addExtra")}
      width="sm"
      submitLabel={actLabel(t("folio.charge"), { receivedMinor: channel ? totalMinor : 0 }, currency)}
      onClose={onClose}
      onSubmit={async (values) => {
        await charge.mutateAsync(values);
        const amount = formatMoney(values.quantity * values.unitMinor, currency);
        toast.success(t("folio.extraCharged", { what: values.text, amount }));
        onClose();
      }}
    >
      <StayFacts stay={stay} />
      <Field form={form} name="text" label={t("folio.extraText")} hint={t("folio.extraTextHint")} required>
        {(control) => <Input {...control} maxLength={120} autoComplete="off" />}
      </Field>
      <div className="grid grid-cols-[6.5rem_1fr] items-start gap-3">
        <Field form={form} name="quantity" label={t("folio.quantity")} required>
          {(control) => <NumberInput {...control} inputMode="numeric" />}
        </Field>
        <Field form={form} name="unitMinor" label={t("folio.each")} required>
          {(control) => <AmountInput {...control} currency={currency} />}
        </Field>
      </div>
      <Field form={form} name="channel" label={t("stay.payNow")} quiet layout="group">
        {(control) => <ChannelChoice {...control} laterLabel={t("stay.payLater")} />}
      </Field>
      <dl aria-live="polite">
        <MoneyRow label={t("stay.total")} minor={totalMinor} strong />
      </dl>
    </FormDialogContent>
  );
}

/** Opens the dialog for an extra charge above another dialog of the stay. */
export function ExtraChargeButton({ stayId }: { stayId: number }) {
  const can = useCan();
  const [isOpen, setIsOpen] = useState(false);
  if (!can("stays.manage")) return null;
  return (
    <>
      <Button variant="link" className="justify-self-start text-sm" onClick={() => setIsOpen(true)}>
        <Plus aria-hidden />
        {t("board.addExtra")}
      </Button>
      {isOpen && <ExtraChargeDialog stayId={stayId} onClose={() => setIsOpen(false)} />}
    </>
  );
}

type Entry = StayDetail["entries"][number];

/** Returns what an entry consists of, such as "2 × €4.50 · Thu 19 Nov"; empty for entries that are only an amount. */
export function entryParts(
  { quantity, unitMinor, serviceDate }: Pick<Entry, "quantity" | "unitMinor" | "serviceDate">,
  currency: string,
): string {
  const parts = [
    quantity !== null && quantity > 1 && `${formatNumber(quantity)} × ${formatMoney(unitMinor ?? 0, currency)}`,
    serviceDate && formatLocalDate(serviceDate, { weekday: "short", day: "numeric", month: "short" }),
  ];
  return parts.filter(Boolean).join(" · ");
}
