import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";

import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent } from "@/ui/form/form-dialog.tsx";
import { useGuardedClose } from "@/ui/form/use-leave-guard.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { EnrolFields, enrolForm } from "./enrol-fields.tsx";

/** Enrols a guest's face and grants it access to the stay's door in one step. */
export function StayFaceDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <StayDialog stayId={stayId} title={t("face.checkIn")} onClose={onClose}>
      {(stay) => <StayFace stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function StayFace({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const first = stay.guests.find(({ primary }) => primary) ?? stay.guests[0];
  const form = useZodForm(enrolForm, {
    defaultValues: { fileId: "", note: first?.name ?? "", guestId: first?.guestId ?? null, consent: false },
  });
  const close = useGuardedClose(form, onClose);
  const meta = { shownInForm: true };
  const enrol = useMutation(trpc.faces.enrol.mutationOptions({ meta }));
  const grant = useMutation(trpc.faces.grant.mutationOptions({ meta }));
  /** Face enrolled before the grant failed; a second attempt reuses it. */
  const enrolled = useRef<{ fileId: string; faceId: number }>(null);

  return (
    <FormDialogContent
      form={form}
      title={t("face.checkIn")}
      description={t("face.checkInText", { room: stay.room.name })}
      submitLabel={t("face.saveAndGrant")}
      onClose={close}
      onSubmit={async (values) => {
        const { fileId, note } = values;
        if (enrolled.current?.fileId !== fileId) {
          const { faceId } = await enrol.mutateAsync(values);
          enrolled.current = { fileId, faceId };
        }
        await grant.mutateAsync({ faceId: enrolled.current.faceId, stayId: stay.id });
        toast.success(t("face.granted", { note }));
        onClose();
      }}
    >
      <StayFacts stay={stay} />
      <EnrolFields form={form}>
        {stay.guests.length > 1 && (
          <Field form={form} name="guestId" label={t("face.guest")} required>
            {({ onChange, ...control }) => (
              <Combobox
                {...control}
                options={stay.guests.map(({ guestId, name }) => ({ value: guestId, label: name }))}
                onChange={(guestId) => {
                  onChange(guestId);
                  const guest = stay.guests.find((one) => one.guestId === guestId);
                  if (guest) form.setValue("note", guest.name, { shouldDirty: true });
                }}
              />
            )}
          </Field>
        )}
      </EnrolFields>
    </FormDialogContent>
  );
}
