import { type StayDetail, stayRef } from "@innkey/shared/schemas/stays/stays";
import { guestNameOf, StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { MoneyRow } from "@/entities/stay/stay-money.tsx";
import { undoCheckIn } from "@/entities/stay/undo-check-in.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";

/** Takes back the check-in of a stay, for example of the wrong party. */
export function UndoCheckInDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  return (
    <StayDialog stayId={stayId} title={t("stay.undoCheckIn")} onClose={onClose}>
      {(stay) => <UndoCheckInContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function UndoCheckInContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const form = useZodForm(stayRef, { defaultValues: { stayId: stay.id } });
  const { givenBackMinor = 0 } = stay.checkInUndo ?? {};
  return (
    <FormDialogContent
      form={form}
      title={t("stay.undoCheckIn")}
      description={t("stay.undoCheckInText", { room: stay.room.name })}
      submitLabel={t("stay.undoCheckIn")}
      onClose={onClose}
      onSubmit={async () => {
        toast.success(await undoCheckIn(stay.id, { guest: guestNameOf(stay), room: stay.room.name }));
        onClose();
      }}
    >
      <StayFacts stay={stay} />
      {givenBackMinor > 0 && (
        <dl className="grid gap-2">
          <MoneyRow label={t("stay.guestGets")} minor={givenBackMinor} strong />
        </dl>
      )}
    </FormDialogContent>
  );
}
