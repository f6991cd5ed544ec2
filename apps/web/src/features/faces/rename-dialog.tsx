import { type FaceRow, faceNoteInput } from "@innkey/shared/schemas/faces";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";

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
