import { useRouter } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { forgetSession } from "@/lib/session.ts";
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

/** Returns a function that opens the page the person originally asked for, once the required step is done. */
export function useGoOn(next: string): () => Promise<void> {
  const router = useRouter();
  return async () => {
    forgetSession();
    await router.navigate({ href: next, replace: true });
  };
}
