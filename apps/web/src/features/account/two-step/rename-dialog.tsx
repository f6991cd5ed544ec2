import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { passkeyNameForm } from "./passkey-dialog.tsx";
import type { Proved } from "./use-proof.tsx";

type RenameDialogProps = {
  passkey: { id: string; name: string };
  proved: Proved;
  onClose: () => void;
  onRenamed: () => void;
};

export function RenameDialog({ passkey, proved, onClose, onRenamed }: RenameDialogProps) {
  const { t } = useTranslation();
  const rename = useMutation(trpc.twoStep.renamePasskey.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(passkeyNameForm, { defaultValues: { name: passkey.name } });
  return (
    <FormDialog
      form={form}
      title={t("twoStep.rename")}
      width="sm"
      submitLabel={t("common.save")}
      startAt="name"
      onClose={onClose}
      onSubmit={async ({ name }) => {
        if (await proved(() => rename.mutateAsync({ id: passkey.id, name }))) onRenamed();
      }}
    >
      <Field form={form} name="name" label={t("twoStep.passkeyName")} required>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}
