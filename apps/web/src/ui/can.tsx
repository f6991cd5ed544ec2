import type { Capability } from "@innkey/shared/capabilities";
import type { ReactNode } from "react";
import { useCan } from "@/lib/session.ts";

/** Shows its children to operators with the capability. What is refused is refused by the server; this only spares the click. */
export function Can({
  capability,
  fallback = null,
  children,
}: {
  capability: Capability;
  fallback?: ReactNode;
  children: ReactNode;
}) {
  return useCan()(capability) ? children : fallback;
}
