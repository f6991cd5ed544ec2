import { type CreatePasscodeInput, handOverInput, type PasscodeCreated } from "@innkey/shared/schemas/access/passcodes";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { PasscodeTarget } from "@/entities/stay/stay-actions.tsx";
import { StayDialog } from "@/entities/stay/stay-dialog.tsx";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { FormDialogContent, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { CreatedPasscode } from "./created-passcode.tsx";
import { NewPasscodeFields, newPasscodeForm, newPasscodeValues } from "./passcode-form.tsx";

type NewPasscodeDialogProps = { target: PasscodeTarget; onClose: () => void };

/** Creates a code for a stay or for rooms. `target` sets the initial choice. */
export function NewPasscodeDialog({ target, onClose }: NewPasscodeDialogProps) {
  if ("stayId" in target) {
    return (
      <StayDialog stayId={target.stayId} title={t("passcode.newLong")} onClose={onClose}>
        {(stay) => <NewPasscode stay={stay} roomIds={[stay.room.id]} onClose={onClose} />}
      </StayDialog>
    );
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <NewPasscode stay={null} roomIds={target.roomIds} onClose={onClose} />
    </Dialog>
  );
}

/** Where the code can be sent: to the guest, or to the number that was typed in place of a name. */
function addressOf(stay: StayDetail | null, { stayId, person }: CreatePasscodeInput): string {
  const guest = stay?.guests.find(({ primary }) => primary);
  if (stayId !== null) return guest?.mobile || guest?.email || "";
  return handOverInput.shape.to.safeParse(person).data ?? "";
}

/** The guest of the stay who gets the code: the one whom the form proposed, unless another name was typed. */
function holderOf(stay: StayDetail | null, { stayId, person }: CreatePasscodeInput): number | null {
  const guest = stay?.guests.find(({ primary }) => primary);
  return stayId !== null && guest?.name === person ? guest.stayGuestId : null;
}

type CreatedState = { created: PasscodeCreated; input: CreatePasscodeInput };

function NewPasscode({ stay, roomIds, onClose }: { stay: StayDetail | null; roomIds: number[]; onClose: () => void }) {
  const { timeZone } = useHotel();
  const [result, setResult] = useState<CreatedState | null>(null);
  const defaultValues = newPasscodeValues(stay, roomIds, timeZone);
  const form = useZodForm(newPasscodeForm, { defaultValues });
  const close = useGuardedClose(form, onClose);
  const create = useMutation(trpc.passcodes.create.mutationOptions({ meta: { shownInForm: true }, gcTime: 0 }));

  if (result) {
    return (
      <CreatedPasscode
        {...result}
        address={addressOf(stay, result.input)}
        onClose={onClose}
        onAnother={() => {
          form.reset(defaultValues);
          setResult(null);
        }}
      />
    );
  }
  return (
    <FormDialogContent
      form={form}
      title={t("passcode.newLong")}
      submitLabel={t("passcode.create")}
      startAt="person"
      onClose={close}
      onSubmit={async (input) => {
        const created = await create.mutateAsync({ ...input, holderId: holderOf(stay, input) });
        setResult({ created, input });
      }}
    >
      <NewPasscodeFields form={form} stay={stay} hasRooms={roomIds.length > 0} />
    </FormDialogContent>
  );
}
