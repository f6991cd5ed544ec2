import type { Capability } from "@innkey/shared/capabilities";
import type { ReactNode } from "react";
import { useCan } from "@/lib/session.ts";

/**
 * Shows its children to operators with the capability. The server enforces permissions; this only saves a useless
 * click.
 */
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
