import type { CreatePasscodeInput, PasscodeCreated } from "@innkey/shared/schemas/passcodes";
import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { aDay } from "@/entities/credential/key-period-fields.tsx";
import type { CodeFor } from "@/entities/stay/stay-actions.tsx";
import { StayDialog } from "@/entities/stay/stay-dialog.tsx";
import { guestNameOf } from "@/entities/stay/stay-facts.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { trpc } from "@/lib/trpc.ts";
import { FormDialogContent } from "@/ui/form/form-dialog.tsx";
import { useGuardedClose } from "@/ui/form/use-guarded-close.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { CodeAnswer } from "./code-answer.tsx";
import { NewCodeFields } from "./new-code-fields.tsx";
import { newCodeForm } from "./new-code-form.ts";

type NewCodeDialogProps = { of: CodeFor; onClose: () => void };

/** Creates a code for a stay or for rooms. `of` sets the initial choice. */
export function NewCodeDialog({ of, onClose }: NewCodeDialogProps) {
  const { t } = useTranslation();
  if ("stayId" in of) {
    return (
      <StayDialog stayId={of.stayId} title={t("passcode.newLong")} onClose={onClose}>
        {(stay) => <NewCode stay={stay} roomIds={[stay.room.id]} onClose={onClose} />}
      </StayDialog>
    );
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <NewCode stay={null} roomIds={of.roomIds} onClose={onClose} />
    </Dialog>
  );
}

type Done = { created: PasscodeCreated; asked: CreatePasscodeInput };

function NewCode({ stay, roomIds, onClose }: { stay: StayDetail | null; roomIds: number[]; onClose: () => void }) {
  const { t } = useTranslation();
  const [done, setDone] = useState<Done | null>(null);
  const defaultValues = {
    type: "air" as const,
    roomIds,
    stayId: stay?.id ?? null,
    person: stay ? guestNameOf(stay) : "",
    note: "",
    code: "",
    ...aDay(),
  };
  const form = useZodForm(newCodeForm, { defaultValues });
  const close = useGuardedClose(form, onClose);
  const create = useMutation(trpc.passcodes.create.mutationOptions({ meta: { shownInForm: true }, gcTime: 0 }));

  if (done) {
    return (
      <CodeAnswer
        {...done}
        onClose={onClose}
        onAnother={() => {
          form.reset(defaultValues);
          setDone(null);
        }}
      />
    );
  }
  return (
    <FormDialogContent
      form={form}
      title={t("passcode.newLong")}
      submitLabel={t("passcode.create")}
      startAt={stay || roomIds.length === 0 ? undefined : "person"}
      onClose={close}
      onSubmit={async (input) => {
        setDone({ created: await create.mutateAsync(input), asked: input });
        refreshEverything();
      }}
    >
      <NewCodeFields form={form} stay={stay} />
    </FormDialogContent>
  );
}
