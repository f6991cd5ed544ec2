import type { WeekHours } from "@innkey/shared/locks/week-hours";
import { z } from "zod";
import { t } from "@/lib/i18n.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { editedHours, HoursInput } from "./hours-input.tsx";

const hoursForm = z.object({ hours: editedHours });

type HoursDialogProps = {
  hours: WeekHours;
  onSave: (hours: WeekHours) => Promise<unknown>;
  onClose: () => void;
};

/** Changes the days and hours of a staff card or code. */
export function HoursDialog({ hours, onSave, onClose }: HoursDialogProps) {
  const form = useZodForm(hoursForm, { defaultValues: { hours } });
  const close = useGuardedClose(form, onClose);
  return (
    <FormDialog
      form={form}
      title={t("card.hours.change")}
      description={t("card.hours.text")}
      submitLabel={t("common.save")}
      onClose={close}
      onSubmit={async (values) => {
        await onSave(values.hours);
        onClose();
      }}
    >
      <Field form={form} name="hours" label={t("card.hours.title")} hint={t("card.hours.hint")} layout="group">
        {(control) => <HoursInput {...control} />}
      </Field>
    </FormDialog>
  );
}
