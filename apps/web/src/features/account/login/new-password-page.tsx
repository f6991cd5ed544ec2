import { useTranslation } from "@/lib/i18n.ts";
import { PublicHeading } from "@/ui/public-heading.tsx";
import { ChangePasswordForm } from "./change-password-form.tsx";
import { SignOutInstead } from "./sign-out-instead.tsx";
import { useGoOn } from "./use-go-on.ts";

/** For who may do nothing else yet: a colleague gave them their password, and so knows it. */
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
