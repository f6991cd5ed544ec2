import { LogOut } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useSignOut } from "./use-sign-out.ts";

/** For who is asked to do something first, and rather leaves. */
export function SignOutInstead() {
  const { t } = useTranslation();
  const signOut = useSignOut();
  return (
    <Button variant="ghost" className="justify-self-center" onClick={() => void signOut()}>
      <LogOut aria-hidden className="flip-rtl" />
      {t("shell.signOut")}
    </Button>
  );
}
