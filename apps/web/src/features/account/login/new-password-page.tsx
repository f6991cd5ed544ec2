import { useTranslation } from "@/lib/i18n.ts";
import { PublicHeading } from "@/ui/public-heading.tsx";
import { ChangePasswordForm } from "./change-password-form.tsx";
import { SignOutInstead } from "./sign-out-instead.tsx";
import { useGoOn } from "./use-go-on.ts";

/**
 * Shown to staff members whose password was set by a colleague; they must choose a new one before they can do anything
 * else.
 */
export function NewPasswordPage({ next }: { next: string }) {
  const { t } = useTranslation();
  const goOn = useGoOn(next);
  return (
    <>
      <PublicHeading title={t("newPassword.title")} text={t("newPassword.text")} />
      <ChangePasswordForm onChanged={goOn} />
      <div className="mt-6 grid">
        <SignOutInstead />
      </div>
    </>
  );
}
