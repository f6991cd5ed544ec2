import type { PricesInput } from "@innkey/shared/schemas/property/rooms";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Form, FormActions } from "@/ui/form/form.tsx";
import { useLeaveGuard } from "@/ui/form/use-leave-guard.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
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
  const save = useMutation(trpc.rooms.setPrices.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(pricesForm, {
    defaultValues: { prices: startPrices(prices) },
    // Follows prices that change elsewhere, for example by a template, and keeps what was typed.
    ...(prices && { values: { prices } }),
    resetOptions: { keepDirtyValues: true },
  });
  const [typing, setTyping] = useState(false);
  const unsaved = form.formState.isDirty || typing;
  useLeaveGuard(unsaved && !readOnly);

  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        await save.mutateAsync({ roomIds, prices: values.prices });
        toast.success(t("prices.saved", { count: roomIds.length }));
        form.reset(form.getValues());
        onSaved?.();
      }}
    >
      <PriceFields form={form} readOnly={readOnly} onTyping={setTyping} />
      {note}
      {!readOnly && (
        <FormActions>
          {onCancel && (
            <Button variant="outline" onClick={onCancel}>
              {t("common.cancel")}
            </Button>
          )}
          <ActionButton type="submit" pending={form.formState.isSubmitting} disabled={roomIds.length === 1 && !unsaved}>
            {t("prices.save", { count: roomIds.length })}
          </ActionButton>
        </FormActions>
      )}
    </Form>
  );
}

/** Sets the same prices for many rooms. It replaces all their old prices, including those of single dates. */
export default function BulkPricesDialog({
  roomIds,
  onClose,
  onDone,
}: {
  roomIds: number[];
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel width="lg" className="sm:max-w-5xl" title={t("prices.bulkTitle", { count: roomIds.length })}>
        <PricesForm
          roomIds={roomIds}
          prices={null}
          onCancel={onClose}
          onSaved={onDone}
          note={<Callout tone="warning" title={t("prices.bulkNote", { count: roomIds.length })} />}
        />
      </DialogPanel>
    </Dialog>
  );
}
