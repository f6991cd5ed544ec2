import { roomDisplayTextInput } from "@innkey/shared/schemas/access/locks";
import { useMutation } from "@tanstack/react-query";
import { formatList } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";

const MAX_TEXT_LENGTH = 200;

/** Sends a text to the displays of these rooms' locks; an empty text clears them. */
export function LockDisplayTextDialog({ roomIds, onClose }: { roomIds: number[]; onClose: () => void }) {
  const form = useZodForm(roomDisplayTextInput, { defaultValues: { roomIds, text: "" } });
  const text = form.watch("text");
  const send = useMutation(trpc.locks.notice.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      width="sm"
      title={t("locks.notice.title")}
      description={t("locks.notice.text")}
      submitLabel={text.trim() === "" ? t("locks.notice.clear") : t("locks.notice.send")}
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
    </FormDialog>
  );
}
