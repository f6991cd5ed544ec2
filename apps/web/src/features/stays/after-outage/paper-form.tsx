import { type PaperRow, paperRow } from "@innkey/shared/schemas/overview/outage";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useMemo } from "react";
import { z } from "zod";
import { boardQuery } from "@/entities/room/board-query.ts";
import { t } from "@/lib/i18n.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useZodForm } from "@/ui/form/form.tsx";
import { TextInput } from "@/ui/form/text-input.tsx";

const PAPER_ACTS = ["check_out", "change_room", "check_in"] as const;

export const ACT_LABELS = {
  check_in: "stay.checkIn",
  check_out: "stay.checkOut",
  change_room: "stay.changeRoom",
} as const;

/** The fields of all acts; which of them count depends on the act. */
const paperForm = z
  .object({
    act: z.enum(PAPER_ACTS),
    fromRoomId: z.int().nullable(),
    roomId: z.int().nullable(),
    guestName: z.string(),
    at: z.string().nullable(),
    endsAt: z.string().nullable(),
  })
  .superRefine((values, ctx) => {
    for (const issue of paperRow.safeParse(rowOf(values)).error?.issues ?? []) {
      const path = issue.path.map((name) => (name === "startsAt" ? "at" : name));
      const [field] = path;
      const isEmpty = values[field as keyof typeof values] === null;
      ctx.addIssue({ code: "custom", message: isEmpty ? "validation.required" : issue.message, path });
    }
  });

type PaperValues = z.input<typeof paperForm>;

function rowOf({ act, fromRoomId, roomId, guestName, at, endsAt }: PaperValues): unknown {
  if (act === "check_in") return { act, roomId, guestName, startsAt: at, endsAt };
  return act === "check_out" ? { act, roomId, at } : { act, fromRoomId, roomId, at };
}

const EMPTY = { fromRoomId: null, roomId: null, guestName: "", at: null, endsAt: null };
const AT_LABELS = {
  check_in: "stay.arrival",
  check_out: "stay.departure",
  change_room: "afterOutage.moveTime",
} as const;

type PaperFormProps = { disabled: boolean; onAdd: (row: PaperRow) => void };

/** Enters one act as it stands on paper. */
export function PaperForm({ disabled, onAdd }: PaperFormProps) {
  const form = useZodForm(paperForm, { defaultValues: { act: "check_out", ...EMPTY } });
  const act = form.watch("act");
  const { data: board } = useQuery(boardQuery);
  const rooms = useMemo(() => (board?.rooms ?? []).map((room) => ({ value: room.id, label: room.name })), [board]);
  return (
    <Form
      form={form}
      onSubmit={(values) => {
        onAdd(paperRow.parse(rowOf(values)));
        form.reset({ act: values.act, ...EMPTY });
      }}
    >
      <Field form={form} name="act" label={t("afterOutage.act")} required layout="group">
        {({ onChange, ...control }) => (
          <Segmented
            {...control}
            className="w-full"
            onChange={(next) => {
              onChange(next);
              form.clearErrors();
            }}
            options={PAPER_ACTS.map((value) => ({ value, label: t(ACT_LABELS[value]) }))}
          />
        )}
      </Field>
      {act === "change_room" && (
        <Field form={form} name="fromRoomId" label={t("afterOutage.fromRoom")} required>
          {(control) => <Combobox {...control} options={rooms} />}
        </Field>
      )}
      <Field form={form} name="roomId" label={t(act === "change_room" ? "stay.newRoom" : "stay.room")} required>
        {(control) => <Combobox {...control} options={rooms} />}
      </Field>
      {act === "check_in" && (
        <Field form={form} name="guestName" label={t("stay.guest")} required>
          {(control) => <TextInput {...control} autoComplete="off" />}
        </Field>
      )}
      <Field form={form} name="at" label={t(AT_LABELS[act])} required>
        {(control) => <HotelDateTimeInput {...control} />}
      </Field>
      {act === "check_in" && (
        <Field form={form} name="endsAt" label={t("stay.departure")} required>
          {(control) => <HotelDateTimeInput {...control} />}
        </Field>
      )}
      <div className="flex justify-end">
        <ActionButton type="submit" variant="outline" needsServer={false} disabled={disabled}>
          <Plus aria-hidden />
          {t("afterOutage.add")}
        </ActionButton>
      </div>
    </Form>
  );
}
