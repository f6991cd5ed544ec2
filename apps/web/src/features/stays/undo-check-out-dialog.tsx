import { type StayDetail, stayRef } from "@innkey/shared/schemas/stays/stays";
import { useEndWithKeys } from "@/entities/stay/end-with-keys.ts";
import { StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { MoneyRow } from "@/entities/stay/stay-money.tsx";
import { undoCheckOut } from "@/entities/stay/undo-check-out.ts";
import { t } from "@/lib/i18n.ts";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";

/** Takes back the check-out of a stay, for example of the wrong room. */
export function UndoCheckOutDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  return (
    <StayDialog stayId={stayId} title={t("stay.undoCheckOut")} onClose={onClose}>
      {(stay) => <UndoCheckOutContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function UndoCheckOutContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const form = useZodForm(stayRef, { defaultValues: { stayId: stay.id } });
  const endWithKeys = useEndWithKeys();
  const { takenBackMinor = 0, givenBackMinor = 0 } = stay.checkOutUndo ?? {};
  return (
    <FormDialogContent
      form={form}
      title={t("stay.undoCheckOut")}
      description={t("stay.undoCheckOutText", { room: stay.room.name })}
      submitLabel={t("stay.undoCheckOut")}
      onClose={onClose}
      onSubmit={async () => {
        const done = await undoCheckOut(stay);
        // Written cards are to be written again, as after a longer stay.
        await endWithKeys(stay.id, "extension", done, onClose);
      }}
    >
      <StayFacts stay={stay} />
      {(takenBackMinor > 0 || givenBackMinor > 0) && (
        <dl className="grid gap-2">
          {takenBackMinor > 0 && <MoneyRow label={t("stay.guestPays")} minor={takenBackMinor} strong />}
          {givenBackMinor > 0 && <MoneyRow label={t("stay.guestGets")} minor={givenBackMinor} strong />}
        </dl>
      )}
    </FormDialogContent>
  );
}
