import { type PricesInput, setPricesInput } from "@innkey/shared/schemas/rooms";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Field } from "@/components/form/field.tsx";
import { Form } from "@/components/form/form.tsx";
import { FormActions } from "@/components/form/form-actions.tsx";
import { MoneyInput } from "@/components/form/money-input.tsx";
import { useZodForm } from "@/components/form/use-zod-form.ts";
import { Button } from "@/components/ui/button.tsx";
import { refreshRooms } from "@/features/board/board-query.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { DatePricesField } from "./date-prices-field.tsx";

type PricesFormProps = {
  roomIds: number[];
  prices: PricesInput | null;
  /** Above the buttons: what saving does. */
  note?: ReactNode;
  readOnly?: boolean;
  onCancel?: () => void;
  onSaved?: () => void;
};

const OPTIONAL = ["renewal", "hour", "month", "year"] as const;

/** All prices of a room, or of many at once. */
export function PricesForm({ roomIds, prices, note, readOnly, onCancel, onSaved }: PricesFormProps) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const client = useQueryClient();
  const save = useMutation(trpc.rooms.setPrices.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(setPricesInput, {
    defaultValues: {
      roomIds,
      prices: prices ?? {
        depositMinor: 0,
        renewalMinor: null,
        hourMinor: null,
        monthMinor: null,
        yearMinor: null,
        dates: [],
      },
    },
  });
  const dates = form.watch("prices.dates") ?? [];
  const [usualMinor, weekendMinor] = form.watch(["prices.usualMinor", "prices.weekendMinor"]);

  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        toast.success(t("prices.saved", { count: roomIds.length }));
        await refreshRooms(client);
        form.reset(form.getValues());
        onSaved?.();
      }}
    >
      <fieldset disabled={readOnly} className="grid items-start gap-8 xl:grid-cols-2">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="prices.usualMinor" label={t("prices.usual")} required>
            {(control) => <MoneyInput {...control} currency={currency} />}
          </Field>
          <Field form={form} name="prices.weekendMinor" label={t("prices.weekend")} required>
            {(control) => <MoneyInput {...control} currency={currency} />}
          </Field>
          <Field
            form={form}
            name="prices.depositMinor"
            label={t("prices.deposit")}
            hint={t("prices.depositHint")}
            required
          >
            {(control) => <MoneyInput {...control} currency={currency} />}
          </Field>
          {OPTIONAL.map((kind) => (
            <Field
              key={kind}
              form={form}
              name={`prices.${kind}Minor`}
              label={t(`prices.${kind}`)}
              hint={t(`prices.${kind}Hint`)}
            >
              {(control) => <MoneyInput {...control} currency={currency} />}
            </Field>
          ))}
        </div>
        <div>
          <h2 className="mb-3 text-sm font-medium">{t("prices.special")}</h2>
          <DatePricesField
            value={dates}
            onChange={(next) => form.setValue("prices.dates", next, { shouldDirty: true })}
            usualMinor={usualMinor}
            weekendMinor={weekendMinor}
          />
        </div>
      </fieldset>
      {note}
      {!readOnly && (
        <FormActions>
          {onCancel && <Button onClick={onCancel}>{t("common.cancel")}</Button>}
          <Button
            type="submit"
            variant="primary"
            pending={form.formState.isSubmitting}
            disabled={roomIds.length === 1 && !form.formState.isDirty}
          >
            {t("prices.save", { count: roomIds.length })}
          </Button>
        </FormActions>
      )}
    </Form>
  );
}
