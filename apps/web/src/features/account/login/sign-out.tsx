import { useRouter } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { api } from "@/lib/api.ts";
import { t } from "@/lib/i18n.ts";
import { forgetKeptPaper } from "@/lib/offline/forget-kept-paper.ts";
import { forgetKeptBoard } from "@/lib/offline/kept-board.ts";
import { forgetSession } from "@/lib/session.ts";
import { Button } from "@/ui/primitives/button.tsx";

/**
 * Returns a function that ends the session and opens the login page, which leads back here. It works even if the server
 * can't be reached. Navigates with a full reload, because components need the session until they unmount. If the back
 * button restores the page from cache, it reloads.
 */
export function useSignOut(): () => Promise<void> {
  const router = useRouter();
  return async () => {
    const redirect = router.state.location.href;
    await api.auth.logout.mutate().catch(() => undefined);
    await forgetKeptBoard();
    forgetKeptPaper();
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
    await router.navigate({ to: "/login", search: { redirect }, ignoreBlocker: true, reloadDocument: true });
  };
}

/** Lets someone who has to complete a required step sign out instead. */
export function SignOutInstead() {
  const signOut = useSignOut();
  return (
    <Button variant="ghost" className="justify-self-center" onClick={() => void signOut()}>
      <LogOut aria-hidden className="flip-rtl" />
      {t("shell.signOut")}
    </Button>
  );
}

/** Returns a function that opens the page that was originally requested, once the required step is done. */
export function useContinueTo(next: string): () => Promise<void> {
  const router = useRouter();
  return async () => {
    forgetSession();
    await router.navigate({ href: next, replace: true });
  };
}
