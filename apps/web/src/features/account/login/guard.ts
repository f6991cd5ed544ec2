import { type ParsedLocation, redirect } from "@tanstack/react-router";
import { deskTexts } from "@/lib/i18n.ts";
import { DUTY_PAGES } from "@/lib/login/session-end.ts";
import { authStatus } from "@/lib/session.ts";

const WITHOUT_SESSION = new Set(["/login", "/find"]);
const ROOMS: string = "/room";
const DUTIES = new Set<string>(Object.values(DUTY_PAGES));

/** Who may see which page (source: the product specification, section 2). An empty system shows its setup and nothing else. */
export async function guard({ pathname, href }: Pick<ParsedLocation, "pathname" | "href">): Promise<void> {
  const { setupNeeded, session, due } = await authStatus();
  if (setupNeeded) {
    if (pathname !== "/setup") throw redirect({ to: "/setup" });
    return;
  }
  if (due) {
    if (pathname !== DUTY_PAGES[due]) throw redirect({ to: DUTY_PAGES[due], search: { redirect: href } });
    return;
  }
  if (DUTIES.has(pathname)) throw redirect({ to: session ? ROOMS : "/login" });
  if (pathname === "/setup") throw redirect({ to: session ? "/" : "/login" });
  if (!session && !WITHOUT_SESSION.has(pathname) && pathname !== "/404")
    throw redirect({ to: "/login", search: { redirect: href } });
  if (session && pathname === "/login") throw redirect({ to: ROOMS });
  if (session) await deskTexts();
}

/** A path of this console from the `redirect` parameter; anything that could lead to another site is not one. */
export function localPath(target: string | undefined): string {
  return target && /^\/(?![/\\])/.test(target) && !/^\/(login|two-step|new-password)\b/.test(target) ? target : ROOMS;
}
