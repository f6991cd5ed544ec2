import { type FaceRow, faceNoteInput } from "@innkey/shared/schemas/faces";
import { useMutation } from "@tanstack/react-query";
import { Field } from "@/components/form/field.tsx";
import { FormDialog } from "@/components/form/form-dialog.tsx";
import { useZodForm } from "@/components/form/use-zod-form.ts";
import { Input } from "@/components/ui/input.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { refreshEverything } from "../stays/refresh.ts";

export function RenameDialog({ face, onClose }: { face: FaceRow; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useZodForm(faceNoteInput, { defaultValues: { faceId: face.id, note: face.note } });
  const rename = useMutation(trpc.faces.rename.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      width="sm"
      title={t("face.rename")}
      submitLabel={t("common.save")}
      startAt="note"
      onClose={onClose}
      onSubmit={async (values) => {
        await rename.mutateAsync(values);
        refreshEverything();
        toast.success(t("face.saved", { note: values.note }));
        onClose();
      }}
    >
      <Field form={form} name="note" label={t("face.note")} hint={t("face.noteHint")} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={100} dir="auto" />}
      </Field>
    </FormDialog>
  );
}
