import type { PricesInput } from "@innkey/shared/schemas/rooms";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { refreshRooms } from "@/entities/room/board-query.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Form } from "@/ui/form/form.tsx";
import { FormActions } from "@/ui/form/form-actions.tsx";
import { useLeaveGuard } from "@/ui/form/use-leave-guard.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { PriceFields, pricesForm, startPrices } from "./price-fields.tsx";

type PricesFormProps = {
  roomIds: number[];
  prices: PricesInput | null;
  /** Text above the buttons that explains what saving does. */
  note?: ReactNode;
  readOnly?: boolean;
  onCancel?: () => void;
  onSaved?: () => void;
};

/** Edits all prices of one room, or of many rooms at once. */
export function PricesForm({ roomIds, prices, note, readOnly, onCancel, onSaved }: PricesFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const save = useMutation(trpc.rooms.setPrices.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(pricesForm, { defaultValues: { prices: startPrices(prices) } });
  const [typing, setTyping] = useState(false);
  const unsaved = form.formState.isDirty || typing;
  useLeaveGuard(unsaved && !readOnly);

  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        await save.mutateAsync({ roomIds, prices: values.prices });
        toast.success(t("prices.saved", { count: roomIds.length }));
        await Promise.all([
          refreshRooms(client),
          client.invalidateQueries(trpc.priceTemplates.ofRoom.pathFilter()),
          client.invalidateQueries(trpc.priceTemplates.list.pathFilter()),
        ]);
        form.reset(form.getValues());
        onSaved?.();
      }}
    >
      <PriceFields form={form} readOnly={readOnly} onTyping={setTyping} />
      {note}
      {!readOnly && (
        <FormActions>
          {onCancel && <Button onClick={onCancel}>{t("common.cancel")}</Button>}
          <Button
            type="submit"
            variant="primary"
            pending={form.formState.isSubmitting}
            disabled={roomIds.length === 1 && !unsaved}
          >
            {t("prices.save", { count: roomIds.length })}
          </Button>
        </FormActions>
      )}
    </Form>
  );
}
