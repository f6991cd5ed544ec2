import { useRouter } from "@tanstack/react-router";
import { forgetSession } from "@/lib/session.ts";

/** To where somebody wanted to go, once what was due is done. */
export function useGoOn(next: string): () => Promise<void> {
  const router = useRouter();
  return async () => {
    forgetSession();
    await router.navigate({ href: next, replace: true });
  };
}
