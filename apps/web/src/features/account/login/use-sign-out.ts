import { useRouter } from "@tanstack/react-router";
import { rememberSession } from "@/lib/session.ts";
import { api } from "@/lib/trpc.ts";

/** Ends the session here and goes to the login, which leads back to this page. A server that can't be reached keeps nobody in. */
export function useSignOut(): () => Promise<void> {
  const router = useRouter();
  return async () => {
    const redirect = router.state.location.href;
    await api.auth.logout.mutate().catch(() => undefined);
    await router.navigate({ to: "/login", search: { redirect }, ignoreBlocker: true, reloadDocument: true });
    rememberSession(null);
  };
}
