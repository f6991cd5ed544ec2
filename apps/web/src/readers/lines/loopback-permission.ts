/**
 * Returns whether this page may call services on this computer (source: device notes, section A3). `exempt`: the page
 * itself comes from this computer. `insecure`: the page uses http, so its calls fail without a prompt. `unknown`: the
 * browser doesn't know the permission and may still ask.
 */
export type LoopbackPermission = "exempt" | "granted" | "prompt" | "denied" | "insecure" | "unknown";

/** Names of the permission, newest first: Chrome 145 split it in two; Chrome 142 and Firefox use the old name. */
const PERMISSION_NAMES = ["loopback-network", "local-network-access"];
const PROMPT_TIMEOUT_MS = 30_000;

export interface BrowserEnvironment {
  hostname: string;
  isSecure: boolean;
  query: (name: string) => Promise<{ state: string }>;
}

export function browserEnvironment(): BrowserEnvironment {
  return {
    hostname: location.hostname,
    isSecure: isSecureContext,
    query: (name) => navigator.permissions.query({ name: name as PermissionName }),
  };
}

export function isThisComputer(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

export async function loopbackPermission({
  hostname,
  isSecure,
  query,
}: BrowserEnvironment): Promise<LoopbackPermission> {
  if (isThisComputer(hostname)) return "exempt";
  if (!isSecure) return "insecure";
  for (const name of PERMISSION_NAMES) {
    // Browsers that don't know the name throw.
    const permission = await query(name).catch(() => undefined);
    if (permission?.state === "granted" || permission?.state === "prompt" || permission?.state === "denied")
      return permission.state;
  }
  return "unknown";
}

/** Time for a first call in milliseconds, because the operator may be reading the browser's prompt. */
export function firstCallLimit(permission: LoopbackPermission, usualMs: number): number {
  return permission === "prompt" || permission === "unknown" ? PROMPT_TIMEOUT_MS : usualMs;
}
