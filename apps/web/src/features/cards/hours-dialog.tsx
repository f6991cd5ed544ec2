import type { MasterCardRow } from "@innkey/shared/schemas/access/cards";
import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { editedHours, HoursInput } from "@/entities/credential/hours-input.tsx";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";

const hoursForm = z.object({ hours: editedHours });

/** Changes the days and hours of a staff card. */
export function HoursDialog({ card, onClose }: { card: MasterCardRow; onClose: () => void }) {
  const form = useZodForm(hoursForm, { defaultValues: { hours: card.hours } });
  const close = useGuardedClose(form, onClose);
  const save = useMutation(trpc.cards.setHours.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("card.hours.change")}
      description={t("card.hours.text")}
      submitLabel={t("common.save")}
      onClose={close}
      onSubmit={async ({ hours }) => {
        await save.mutateAsync({ cardId: card.id, hours });
        toast.success(t("card.hours.done", { card: card.note }));
        onClose();
      }}
    >
      <Field form={form} name="hours" label={t("card.hours.title")} hint={t("card.hours.hint")} layout="group">
        {(control) => <HoursInput {...control} />}
      </Field>
    </FormDialog>
  );
}
