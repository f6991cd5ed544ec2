import { roomDisplayTextInput } from "@innkey/shared/schemas/access/locks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { formatList } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";

const MAX_TEXT_LENGTH = 200;

type LockDisplayTextDialogProps = { roomId: number; onClose: () => void };

/** Changes the text on the display of a room's lock. It begins with the text that is there. */
export function LockDisplayTextDialog({ roomId, onClose }: LockDisplayTextDialogProps) {
  const room = useQuery(trpc.rooms.detail.queryOptions({ roomId }, { staleTime: 0, gcTime: 0 }));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      {room.data ? (
        <DisplayTextForm roomId={roomId} shown={room.data.bulletin} onClose={onClose} />
      ) : (
        <DialogPanel title={t("locks.notice.title")} width="sm">
          {room.error ? (
            <ErrorState error={room.error} onRetry={() => void room.refetch()} />
          ) : (
            <Skeleton className="h-32" />
          )}
        </DialogPanel>
      )}
    </Dialog>
  );
}

/** An empty text clears the display. */
function DisplayTextForm({ roomId, shown, onClose }: LockDisplayTextDialogProps & { shown: string }) {
  const form = useZodForm(roomDisplayTextInput, { defaultValues: { roomIds: [roomId], text: shown } });
  const clears = shown !== "" && form.watch("text").trim() === "";
  const send = useMutation(trpc.locks.notice.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialogContent
      form={form}
      width="sm"
      title={t("locks.notice.title")}
      description={t("locks.notice.text")}
      submitLabel={clears ? t("locks.notice.clear") : t("locks.notice.send")}
      startAt="text"
      onClose={onClose}
      onSubmit={async (values) => {
        const { sent, withoutLock } = await send.mutateAsync(values);
        if (sent > 0) toast.success(t("locks.notice.sent"));
        if (withoutLock.length > 0) toast.info(t("locks.notice.withoutLock", { rooms: formatList(withoutLock) }));
        onClose();
      }}
    >
      <Field form={form} name="text" label={t("locks.notice.label")} hint={t("locks.notice.hint")} quiet>
        {(control) => <Textarea {...control} maxLength={MAX_TEXT_LENGTH} rows={3} />}
      </Field>
    </FormDialogContent>
  );
}
