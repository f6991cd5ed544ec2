import { useRouter } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { PublicHeading } from "@/components/shell/public-heading.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { forgetSession } from "@/lib/session.ts";
import { ChangePasswordForm } from "./change-password-form.tsx";
import { useSignOut } from "./use-sign-out.ts";

/** For who may do nothing else yet: a colleague gave them their password, and so knows it. */
export function NewPasswordPage({ next }: { next: string }) {
  const { t } = useTranslation();
  const router = useRouter();
  const signOut = useSignOut();

  async function goOn(): Promise<void> {
    forgetSession();
    await router.navigate({ href: next, replace: true });
  }

  return (
    <>
      <PublicHeading title={t("newPassword.title")} text={t("newPassword.text")} />
      <ChangePasswordForm onChanged={goOn} />
      <div className="mt-6 grid">
        <Button variant="ghost" className="justify-self-center" onClick={() => void signOut()}>
          <LogOut aria-hidden className="flip-rtl" />
          {t("shell.signOut")}
        </Button>
      </div>
    </>
  );
}
