import type { FaceRow } from "@innkey/shared/schemas/faces";
import { useMutation } from "@tanstack/react-query";
import { DoorChoice } from "@/entities/credential/door-choice.tsx";
import { aDay, KeyPeriodFields } from "@/entities/credential/key-period-fields.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useGuardedClose } from "@/ui/form/use-guarded-close.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { grantForm } from "./face-form.ts";

type GrantDialogProps = { face: Pick<FaceRow, "id" | "note">; onClose: () => void };

/** Chooses the doors that a face opens, and the period. */
export function GrantDialog({ face, onClose }: GrantDialogProps) {
  const { t } = useTranslation();
  const form = useZodForm(grantForm, { defaultValues: { faceId: face.id, roomIds: [], ...aDay() } });
  const close = useGuardedClose(form, onClose);
  const grant = useMutation(trpc.faces.grant.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("face.grantTitle", { note: face.note })}
      description={t("face.grantText")}
      submitLabel={t("face.grant")}
      onClose={close}
      onSubmit={async (values) => {
        await grant.mutateAsync(values);
        refreshEverything();
        toast.success(t("face.granted", { note: face.note }));
        onClose();
      }}
    >
      <Field form={form} name="roomIds" label={t("passcode.rooms")} required>
        {(control) => <DoorChoice {...control} />}
      </Field>
      <KeyPeriodFields form={form} />
    </FormDialog>
  );
}
