import { airCardInput } from "@innkey/shared/schemas/cards";
import * as f from "@innkey/shared/schemas/fields";
import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { StayFacts } from "@/entities/stay/stay-facts.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { uidOf } from "@/readers/uid.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { CardNumberInput } from "./card-number-input.tsx";

/**
 * Form for a card that opens a stay's door by its number. The number may be typed in any notation that readers show.
 */
const airCardForm = z.object({ stayId: f.id, uid: z.string(), note: f.text(100) }).transform((typed, ctx) => {
  const parsed = airCardInput.safeParse({ ...typed, uid: uidOf(typed.uid) ?? typed.uid });
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues)
    ctx.issues.push({ code: "custom", path, message: typed.uid === "" ? f.v.required : message, input: typed });
  return z.NEVER;
});

/**
 * Adds a card, bracelet or phone that opens a stay's door by its number. Nothing is written to it; the number is sent
 * to the lock.
 */
export function AirCardDialog({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useZodForm(airCardForm, { defaultValues: { stayId: stay.id, uid: "", note: "" } });
  const add = useMutation(trpc.cards.addOverTheAir.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("card.air.title")}
      description={t("card.air.text")}
      submitLabel={t("card.air.submit")}
      startAt="uid"
      onClose={onClose}
      onSubmit={async (input) => {
        await add.mutateAsync(input);
        refreshEverything();
        toast.success(t("card.air.done", { room: stay.room.name }));
        onClose();
      }}
    >
      <StayFacts stay={stay} />
      <Field form={form} name="uid" label={t("card.number")} required>
        {(control) => <CardNumberInput {...control} />}
      </Field>
      <Field form={form} name="note" label={t("card.note")} hint={t("card.air.noteHint")}>
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}
