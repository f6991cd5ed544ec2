import { type CardReaderRow, cardReaderInput } from "@innkey/shared/schemas/access/card-readers";
import { useMutation } from "@tanstack/react-query";
import { reportDeskReader } from "@/entities/reader/desk-presence.ts";
import { TYPE_PORTS } from "@/entities/reader/reader-words.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { useGuardedClose } from "@/ui/form/use-leave-guard.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";

const TYPES = ["1", "2", "3"] as const;

/** Reader in the list, or a new one with the number it reported, if any. */
export type EditedCardReader = CardReaderRow | { deviceNo: string; type: 1 | 2 | 3 };

type CardReaderDialogProps = { cardReader: EditedCardReader; onClose: () => void };

/** Registers a card reader, or edits the given one. */
export function CardReaderDialog({ cardReader, onClose }: CardReaderDialogProps) {
  const { t } = useTranslation();
  const { deviceNo, type } = cardReader;
  const existing = "id" in cardReader ? cardReader : null;
  const form = useZodForm(cardReaderInput, {
    defaultValues: { id: existing?.id, deviceNo, type, name: existing?.name ?? "", note: existing?.note ?? "" },
  });
  const close = useGuardedClose(form, onClose);
  const save = useMutation(trpc.cardReaders.save.mutationOptions({ meta: { shownInForm: true } }));

  return (
    <FormDialog
      form={form}
      title={existing ? t("cardReader.edit") : t("cardReader.add")}
      submitLabel={existing ? t("common.save") : t("cardReader.add")}
      startAt={deviceNo ? "name" : "deviceNo"}
      onClose={close}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        await reportDeskReader();
        toast.success(t("cardReader.saved", { name: values.name }));
        onClose();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          form={form}
          name="deviceNo"
          label={t("cardReader.deviceNo")}
          hint={t("cardReader.deviceNoHint")}
          required
        >
          {(control) => (
            <Input {...control} dir="ltr" autoComplete="off" spellCheck={false} className="font-mono rtl:text-end" />
          )}
        </Field>
        <Field form={form} name="name" label={t("cardReader.name")} hint={t("cardReader.nameHint")} required>
          {(control) => <Input {...control} autoComplete="off" />}
        </Field>
      </div>
      <Field form={form} name="type" label={t("cardReader.type")} layout="group" required>
        {({ value, onChange, ...control }) => (
          <RadioInput
            {...control}
            value={TYPES.find((number) => Number(number) === value)}
            onChange={(number) => onChange(Number(number))}
            className="grid gap-2"
            options={TYPES.map((number) => ({
              value: number,
              label: t("reader.type", { number }),
              hint: t(number === "2" ? "reader.typeTextUntested" : "reader.typeText", { port: TYPE_PORTS[number] }),
            }))}
          />
        )}
      </Field>
      <Field form={form} name="note" label={t("cardReader.note")}>
        {(control) => <Textarea {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}
