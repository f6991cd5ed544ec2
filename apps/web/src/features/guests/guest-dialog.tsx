import { addGuestInput, type StayDetail, updateGuestInput } from "@innkey/shared/schemas/stays";
import { useMutation } from "@tanstack/react-query";
import { GuestFields, isMasked, NO_GUEST } from "@/entities/guest/guest-fields.tsx";
import type { MatchingGuest } from "@/entities/guest/guest-name-input.tsx";
import { askAndRepeat } from "@/entities/stay/ask-and-repeat.ts";
import { askAlreadyIn } from "@/entities/stay/stay-questions.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useGuardedClose } from "@/ui/form/use-guarded-close.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";

export type StayGuest = StayDetail["guests"][number];

/** Adds a guest to the stay. */
export function AddGuestDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useZodForm(addGuestInput, { defaultValues: { stayId, guest: NO_GUEST } });
  const close = useGuardedClose(form, onClose);
  const add = useMutation(trpc.guests.add.mutationOptions({ meta: { shownInForm: true } }));

  function fill({
    name,
    gender,
    nationality,
    birthDate,
    documentType,
    documentNumber,
    mobile,
    email,
  }: MatchingGuest): void {
    const number = isMasked(documentNumber) ? "" : documentNumber;
    form.setValue(
      "guest",
      { name, gender, nationality, birthDate, documentType, documentNumber: number, mobile, email },
      { shouldDirty: true },
    );
  }

  return (
    <FormDialog
      form={form}
      title={t("guest.add")}
      width="lg"
      submitLabel={t("guest.add")}
      onClose={close}
      onSubmit={async (values) => {
        const added = await askAndRepeat(values, (input) => add.mutateAsync(input), {
          guest_already_in: askAlreadyIn,
        });
        if (!added) return;
        refreshEverything();
        toast.success(t("guest.added", { name: values.guest.name }));
        onClose();
      }}
    >
      <GuestFields form={form} at={(name) => `guest.${name}`} onKnown={fill} />
    </FormDialog>
  );
}

/** Edits a guest. A hidden document number stays unchanged unless a new one is typed. */
export function EditGuestDialog({ guest, onClose }: { guest: StayGuest; onClose: () => void }) {
  const { t } = useTranslation();
  const { stayGuestId, name, gender, nationality, birthDate, documentType, documentNumber, mobile, email } = guest;
  const hidden = isMasked(documentNumber);
  const form = useZodForm(updateGuestInput, {
    defaultValues: {
      stayGuestId,
      guest: {
        name,
        gender,
        nationality,
        birthDate,
        documentType,
        documentNumber: hidden ? null : documentNumber,
        mobile,
        email,
      },
    },
  });
  const close = useGuardedClose(form, onClose);
  const update = useMutation(trpc.guests.update.mutationOptions({ meta: { shownInForm: true } }));

  return (
    <FormDialog
      form={form}
      title={t("guest.edit")}
      width="lg"
      submitLabel={t("common.save")}
      onClose={close}
      onSubmit={async (values) => {
        const keepNumber = hidden && !values.guest.documentNumber;
        await update.mutateAsync(keepNumber ? { ...values, guest: { ...values.guest, documentNumber: null } } : values);
        refreshEverything();
        toast.success(t("guest.saved", { name: values.guest.name }));
        onClose();
      }}
    >
      <GuestFields
        form={form}
        at={(field) => `guest.${field}`}
        documentHint={hidden ? t("guest.keepNumber", { number: documentNumber }) : undefined}
      />
    </FormDialog>
  );
}
