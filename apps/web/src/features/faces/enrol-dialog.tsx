import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useGuardedClose } from "@/ui/form/use-guarded-close.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { EnrolFields } from "./enrol-fields.tsx";
import { enrolForm } from "./face-form.ts";
import { GuestCombobox } from "./guest-combobox.tsx";

/** Somebody's face, who agrees to it; which doors it opens is told afterwards. */
export function EnrolDialog({ onClose }: { onClose: (faceId?: number) => void }) {
  const { t } = useTranslation();
  const seesGuests = useCan()("stays.view");
  const form = useZodForm(enrolForm, { defaultValues: { fileId: "", note: "", guestId: null, consent: false } });
  const close = useGuardedClose(form, onClose);
  const enrol = useMutation(trpc.faces.enrol.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("face.add")}
      submitLabel={t("face.save")}
      onClose={close}
      onSubmit={async (values) => {
        const { faceId } = await enrol.mutateAsync(values);
        refreshEverything();
        toast.success(t("face.saved", { note: values.note }));
        onClose(faceId);
      }}
    >
      <EnrolFields form={form}>
        {seesGuests && (
          <Field form={form} name="guestId" label={t("face.guest")}>
            {(control) => <GuestCombobox {...control} value={control.value ?? null} />}
          </Field>
        )}
      </EnrolFields>
    </FormDialog>
  );
}
