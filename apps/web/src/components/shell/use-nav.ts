import { useCan } from "@/lib/session.ts";
import { NAV, type NavGroup } from "./nav.ts";

/** The menu as this operator may see it. */
export function useNav(): NavGroup[] {
  const can = useCan();
  return NAV.map((group) => ({
    ...group,
    entries: group.entries.filter((entry) => !entry.capability || can(entry.capability)),
  })).filter((group) => group.entries.length > 0);
}
