import { proveInput } from "@innkey/shared/schemas/two-step";
import { useMutation } from "@tanstack/react-query";
import { Field } from "@/components/form/field.tsx";
import { FormDialog } from "@/components/form/form-dialog.tsx";
import { useZodForm } from "@/components/form/use-zod-form.ts";
import { PasswordInput } from "@/components/ui/password-input.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";

/** The password again, before something that guards the account is changed. */
export function ProofDialog({ onAnswer }: { onAnswer: (proved: boolean) => void }) {
  const { t } = useTranslation();
  const prove = useMutation(trpc.twoStep.prove.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(proveInput, { defaultValues: { password: "" } });
  return (
    <FormDialog
      form={form}
      title={t("twoStep.proofTitle")}
      description={t("twoStep.proofText")}
      width="sm"
      submitLabel={t("twoStep.confirm")}
      startAt="password"
      onClose={() => onAnswer(false)}
      onSubmit={async (values) => {
        await prove.mutateAsync(values);
        onAnswer(true);
      }}
    >
      <Field form={form} name="password" label={t("auth.password")} required>
        {(control) => <PasswordInput {...control} autoComplete="current-password" />}
      </Field>
    </FormDialog>
  );
}
