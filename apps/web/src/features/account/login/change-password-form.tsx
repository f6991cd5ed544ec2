import { changePasswordInput } from "@innkey/shared/schemas/auth";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { Form } from "@/ui/form/form.tsx";
import { FormActions } from "@/ui/form/form-actions.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { PasswordInput } from "@/ui/primitives/password-input.tsx";

const EMPTY = { oldPassword: "", password: "", confirmPassword: "" };

export function ChangePasswordForm({ onChanged }: { onChanged?: () => Promise<void> }) {
  const { t } = useTranslation();
  const change = useMutation(trpc.auth.changePassword.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(changePasswordInput, { defaultValues: EMPTY });

  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        await change.mutateAsync(values);
        form.reset(EMPTY);
        toast.success(t("auth.changed"));
        await onChanged?.();
      }}
    >
      <Field form={form} name="oldPassword" label={t("auth.oldPassword")} required>
        {(control) => <PasswordInput {...control} autoComplete="current-password" />}
      </Field>
      <Field form={form} name="password" label={t("auth.newPassword")} hint={t("auth.passwordHint")} required>
        {(control) => <PasswordInput {...control} autoComplete="new-password" />}
      </Field>
      <Field form={form} name="confirmPassword" label={t("auth.confirmPassword")} required>
        {(control) => <PasswordInput {...control} autoComplete="new-password" />}
      </Field>
      <FormActions>
        <Button type="submit" variant="primary" pending={form.formState.isSubmitting}>
          {t("auth.savePassword")}
        </Button>
      </FormActions>
    </Form>
  );
}
