import { closeDayInput } from "@innkey/shared/schemas/night-audit";
import { useMutation } from "@tanstack/react-query";
import { formatLocalDate } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Textarea } from "@/ui/primitives/textarea.tsx";

export function CloseDayDialog({ date, onClose }: { date: string; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useZodForm(closeDayInput, { defaultValues: { date, note: "" } });
  const close = useMutation(trpc.nightAudit.close.mutationOptions({ meta: { shownInForm: true } }));
  const day = formatLocalDate(date, { dateStyle: "full" });
  return (
    <FormDialog
      form={form}
      title={`${t("nightAudit.close")}: ${day}`}
      description={t("nightAudit.closeText")}
      width="sm"
      submitLabel={t("nightAudit.close")}
      onClose={onClose}
      onSubmit={async (values) => {
        await close.mutateAsync(values);
        refreshEverything();
        toast.success(t("nightAudit.closedDone", { date: day }));
        onClose();
      }}
    >
      <Field form={form} name="note" label={t("nightAudit.note")}>
        {(control) => <Textarea {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}
