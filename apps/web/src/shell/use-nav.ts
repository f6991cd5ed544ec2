import { useCan, useMe } from "@/lib/session.ts";
import { NAV, type NavGroup } from "./nav.ts";

/** Returns the menu as this operator may see it. */
export function useNav(): NavGroup[] {
  const can = useCan();
  const { apiKeyAuth } = useMe();
  return NAV.map((group) => ({
    ...group,
    entries: group.entries.filter(
      ({ capability = [], apiKeyAuth: third }) =>
        (capability.length === 0 || [capability].flat().some(can)) && (!third || apiKeyAuth),
    ),
  })).filter((group) => group.entries.length > 0);
}
