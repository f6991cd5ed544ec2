import { useRouter } from "@tanstack/react-router";
import { api } from "@/lib/api.ts";

/**
 * Returns a function that ends the session and opens the login page, which leads back here. It works even if the server
 * can't be reached. What the page shows stays in memory until the browser has left it, because its components need the
 * session to the end; if the browser keeps the page for its back button, it is read again.
 */
export function useSignOut(): () => Promise<void> {
  const router = useRouter();
  return async () => {
    const redirect = router.state.location.href;
    await api.auth.logout.mutate().catch(() => undefined);
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
    await router.navigate({ to: "/login", search: { redirect }, ignoreBlocker: true, reloadDocument: true });
  };
}
