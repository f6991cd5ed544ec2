import { addNoteInput } from "@innkey/shared/schemas/stays/hand-over";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { t } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useZodForm } from "@/ui/form/form.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";

const EMPTY = { text: "", roomId: null, dueAt: null };

/** Writes a note for the next shift. */
export function NoteForm() {
  const { data: board } = useQuery(boardQuery);
  const rooms = useMemo(() => (board?.rooms ?? []).map(({ id, name }) => ({ value: id, label: name })), [board]);
  const form = useZodForm(addNoteInput, { defaultValues: EMPTY });
  const add = useMutation(trpc.handOver.add.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        await add.mutateAsync(values);
        form.reset(EMPTY);
        form.setFocus("text");
      }}
    >
      <Field form={form} name="text" label={t("handOver.note")} required>
        {(control) => <Textarea {...control} placeholder={t("handOver.placeholder")} maxLength={1000} autoFocus />}
      </Field>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field form={form} name="roomId" label={t("board.room")}>
          {(control) => <Combobox {...control} options={rooms} clearable />}
        </Field>
        <Field form={form} name="dueAt" label={t("handOver.due")}>
          {(control) => <HotelDateTimeInput {...control} />}
        </Field>
      </div>
      <div className="flex justify-end">
        <ActionButton type="submit" pending={form.formState.isSubmitting}>
          {t("handOver.add")}
        </ActionButton>
      </div>
    </Form>
  );
}
