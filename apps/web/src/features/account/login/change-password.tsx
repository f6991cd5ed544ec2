import { changePasswordInput } from "@innkey/shared/schemas/identity/auth";
import { useMutation } from "@tanstack/react-query";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, FormActions, useZodForm } from "@/ui/form/form.tsx";
import { PasswordInput } from "@/ui/form/text-input.tsx";
import { PublicHeading } from "@/ui/page-header.tsx";
import { SignOutInstead, useContinueTo } from "./sign-out.tsx";

const EMPTY = { oldPassword: "", password: "", confirmPassword: "" };

export function ChangePasswordForm({ onChanged }: { onChanged?: () => Promise<void> }) {
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
        <ActionButton type="submit" pending={form.formState.isSubmitting}>
          {t("auth.savePassword")}
        </ActionButton>
      </FormActions>
    </Form>
  );
}

/**
 * Shown to staff members whose password was set by a colleague; they must choose a new one before they can do anything
 * else.
 */
export function NewPasswordPage({ next }: { next: string }) {
  const continueToPage = useContinueTo(next);
  return (
    <>
      <PublicHeading title={t("newPassword.title")} text={t("newPassword.text")} />
      <ChangePasswordForm onChanged={continueToPage} />
      <div className="mt-6 grid">
        <SignOutInstead />
      </div>
    </>
  );
}
