import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { z } from "zod";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Input } from "@/ui/primitives/input.tsx";

type EraseDialogProps = { guestId: number; name: string; onClose: () => void };

/** Erasing asks for the name, typed: nobody is erased by a slip of the hand. */
export function EraseDialog({ guestId, name, onClose }: EraseDialogProps) {
  const { t } = useTranslation();
  const typed = useMemo(
    () => z.object({ name: z.string().refine((text) => same(text, name), "validation.otherName") }),
    [name],
  );
  const form = useZodForm(typed, { defaultValues: { name: "" } });
  const erase = useMutation(trpc.privacy.erase.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("privacy.eraseTitle", { name })}
      tone="danger"
      submitLabel={t("privacy.erase")}
      startAt="name"
      onClose={onClose}
      onSubmit={async () => {
        await erase.mutateAsync({ guestId });
        refreshEverything();
        toast.success(t("privacy.erased"));
        onClose();
      }}
    >
      <Alert tone="warning" title={t("privacy.eraseText")} />
      <Field form={form} name="name" label={t("privacy.typeName", { name })} required>
        {(control) => <Input {...control} autoComplete="off" spellCheck={false} />}
      </Field>
    </FormDialog>
  );
}

const plain = (text: string): string => text.normalize("NFC").trim().replace(/\s+/gu, " ").toLocaleLowerCase();
const same = (a: string, b: string): boolean => plain(a) === plain(b);
