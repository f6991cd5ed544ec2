import { airCardInput } from "@innkey/shared/schemas/access/cards";
import * as f from "@innkey/shared/schemas/fields";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import { Nfc } from "lucide-react";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { z } from "zod";
import { readCard, useDesk, useDeskReader } from "@/entities/reader/desk-reader.ts";
import { ReaderFailure } from "@/entities/reader/reader-failure.tsx";
import { StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { uidOf } from "@/readers/protocol/uid.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";

type CardNumberInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange"> & {
  value: string;
  onChange: (number: string) => void;
};

/**
 * Input for a card's number, which is read by the desk's card reader, by a reader that acts as a keyboard, or typed by
 * hand.
 */
function CardNumberInput({ value, onChange, ...props }: CardNumberInputProps) {
  const { t } = useTranslation();
  const { source } = useDeskReader();
  const { busy, card, failure, warning } = useDesk();
  const [isAsked, setIsAsked] = useState(false);
  const take = useRef(onChange);
  take.current = onChange;
  const openedAt = useRef(Date.now());

  useEffect(() => {
    if (card && card.at >= openedAt.current) take.current(card.uid);
  }, [card]);

  return (
    <div className="grid gap-2">
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          <Input
            {...props}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            dir="ltr"
            className="font-mono rtl:text-end"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </div>
        {source !== "keyboard" && (
          <ActionButton
            variant="outline"
            pending={busy}
            needsServer={false}
            onClick={() => {
              setIsAsked(true);
              void readCard();
            }}
            className="h-10 lg:h-9"
          >
            <Nfc aria-hidden />
            {t("reader.read")}
          </ActionButton>
        )}
      </div>
      {source === "keyboard" && <p className="text-sm text-muted-foreground">{t("reader.keyboardReady")}</p>}
      {isAsked && failure && <ReaderFailure failure={failure} />}
      {isAsked && warning === "impatient" && (
        <p className="text-sm text-muted-foreground">{t("reader.warning.impatient")}</p>
      )}
    </div>
  );
}

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
