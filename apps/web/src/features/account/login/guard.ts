import { type ParsedLocation, redirect } from "@tanstack/react-router";
import { DUTY_PAGES } from "@/lib/login/failed-call.ts";
import { authStatus } from "@/lib/session.ts";

const WITHOUT_SESSION = new Set(["/login", "/find"]);
const ROOMS: string = "/room";
const REQUIRED_STEP_PATHS = new Set<string>(Object.values(DUTY_PAGES));

/**
 * Redirects visitors who may not see a page (source: product specification, section 2). A system without data shows
 * only its setup page.
 */
export async function redirectIfNotAllowed({
  pathname,
  href,
}: Pick<ParsedLocation, "pathname" | "href">): Promise<void> {
  const { setupNeeded, session, due } = await authStatus();
  if (setupNeeded) {
    if (pathname !== "/setup") throw redirect({ to: "/setup" });
    return;
  }
  if (due) {
    if (pathname !== DUTY_PAGES[due]) throw redirect({ to: DUTY_PAGES[due], search: { redirect: href } });
    return;
  }
  if (REQUIRED_STEP_PATHS.has(pathname)) throw redirect({ to: session ? ROOMS : "/login" });
  if (pathname === "/setup") throw redirect({ to: session ? "/" : "/login" });
  if (!session && !WITHOUT_SESSION.has(pathname) && pathname !== "/404")
    throw redirect({ to: "/login", search: { redirect: href } });
  if (session && pathname === "/login") throw redirect({ to: ROOMS });
}

/**
 * Returns the `redirect` parameter if it is a path of this console and not a login, two-step or new-password page;
 * otherwise the rooms page. Prevents redirects to other sites and loops.
 */
export function localPath(target: string | undefined): string {
  return target && /^\/(?![/\\])/.test(target) && !/^\/(login|two-step|new-password)\b/.test(target) ? target : ROOMS;
}
