import { setStatusInput } from "@innkey/shared/schemas/property/rooms";
import { useSetRoomStatus } from "@/entities/room/use-set-room-status.ts";
import { t } from "@/lib/i18n.ts";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";
import { Input } from "@/ui/primitives/input.tsx";

/** Takes rooms out of service with a reason, until a date or until further notice. */
export default function MaintenanceDialog({
  roomIds,
  onClose,
  onDone,
}: {
  roomIds: number[];
  onClose: () => void;
  onDone: () => void;
}) {
  const setStatus = useSetRoomStatus({ shownInForm: true });
  const form = useZodForm(setStatusInput, { defaultValues: { roomIds, status: "maintenance", until: null, note: "" } });
  return (
    <FormDialog
      form={form}
      width="sm"
      title={t("status.maintenanceTitle", { count: roomIds.length })}
      description={t("status.maintenanceText")}
      submitLabel={t("status.takeOut")}
      onClose={onClose}
      onSubmit={async (values) => {
        const { updated } = await setStatus.mutateAsync(values);
        if (updated.length > 0) onDone();
      }}
    >
      <Field form={form} name="until" label={t("status.until")} hint={t("status.untilHint")}>
        {(control) => <HotelDateTimeInput {...control} />}
      </Field>
      <Field form={form} name="note" label={t("status.note")}>
        {(control) => <Input {...control} placeholder={t("status.notePlaceholder")} maxLength={200} />}
      </Field>
    </FormDialog>
  );
}
