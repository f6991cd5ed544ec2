import { useRouter } from "@tanstack/react-router";
import { forgetSession } from "@/lib/session.ts";

/** Returns a function that opens the page the person originally asked for, once the required step is done. */
export function useGoOn(next: string): () => Promise<void> {
  const router = useRouter();
  return async () => {
    forgetSession();
    await router.navigate({ href: next, replace: true });
  };
}
