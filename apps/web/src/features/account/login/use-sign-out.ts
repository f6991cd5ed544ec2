import { useRouter } from "@tanstack/react-router";
import { rememberSession } from "@/lib/session.ts";
import { api } from "@/lib/trpc.ts";

/**
 * Returns a function that ends the session and opens the login page, which leads back here. It works even if the server
 * can't be reached.
 */
export function useSignOut(): () => Promise<void> {
  const router = useRouter();
  return async () => {
    const redirect = router.state.location.href;
    await api.auth.logout.mutate().catch(() => undefined);
    await router.navigate({ to: "/login", search: { redirect }, ignoreBlocker: true, reloadDocument: true });
    rememberSession(null);
  };
}
