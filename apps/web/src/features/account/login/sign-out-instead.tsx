import { LogOut } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { useSignOut } from "./use-sign-out.ts";

/** Lets someone who has to complete a required step sign out instead. */
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
