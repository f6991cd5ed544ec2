/**
 * Returns whether this page may call services on this computer (source: device notes, section A3). `exempt`: the page
 * itself comes from this computer. `insecure`: a plain http page gets no prompt, its calls fail. `unknown`: the browser
 * doesn't say; it may still ask.
 */
export type LoopbackPermission = "exempt" | "granted" | "prompt" | "denied" | "insecure" | "unknown";

/** The permission's names, newest first: Chrome 145 split it; Chrome 142 and Firefox use the old one. */
const PERMISSION_NAMES = ["loopback-network", "local-network-access"];
const PROMPT_TIMEOUT_MS = 30_000;

export interface BrowserEnvironment {
  hostname: string;
  secure: boolean;
  query: (name: string) => Promise<{ state: string }>;
}

export function browserEnvironment(): BrowserEnvironment {
  return {
    hostname: location.hostname,
    secure: isSecureContext,
    query: (name) => navigator.permissions.query({ name: name as PermissionName }),
  };
}

export function isThisComputer(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

export async function loopbackPermission({ hostname, secure, query }: BrowserEnvironment): Promise<LoopbackPermission> {
  if (isThisComputer(hostname)) return "exempt";
  if (!secure) return "insecure";
  for (const name of PERMISSION_NAMES) {
    // Browsers that don't know the name throw.
    const permission = await query(name).catch(() => undefined);
    if (permission?.state === "granted" || permission?.state === "prompt" || permission?.state === "denied")
      return permission.state;
  }
  return "unknown";
}

/** Time for a first call in milliseconds, because the operator may be reading the browser's prompt. */
export function firstCallLimit(permission: LoopbackPermission, usual: number): number {
  return permission === "prompt" || permission === "unknown" ? PROMPT_TIMEOUT_MS : usual;
}
