import { openingReasonInput } from "@innkey/shared/schemas/access/locks";
import { OPENING_REASONS } from "@innkey/shared/words";
import { t } from "@/lib/i18n.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import type { OpeningQuestion } from "./ask-opening-reason.ts";

/** Asks why the door of an occupied room is opened. The answer is kept with the door record. */
export default function OpeningReasonDialog({ roomName, answer }: OpeningQuestion) {
  const form = useZodForm(openingReasonInput, { defaultValues: { reason: "lockout", note: "" } });
  return (
    <FormDialog
      form={form}
      width="sm"
      title={t("locks.door.whyTitle", { room: roomName })}
      description={t("locks.door.whyText")}
      submitLabel={t("locks.door.act")}
      onClose={() => answer(null)}
      onSubmit={({ reason, note = "" }) => answer({ reason, note })}
    >
      <Field form={form} name="reason" label={t("status.note")}>
        {(control) => (
          <RadioInput
            {...control}
            options={OPENING_REASONS.map((value) => ({ value, label: t(`doors.openingReason.${value}`) }))}
          />
        )}
      </Field>
      <Field form={form} name="note" label={t("locks.door.whyNote")}>
        {(control) => <Input {...control} value={control.value ?? ""} maxLength={200} />}
      </Field>
    </FormDialog>
  );
}
