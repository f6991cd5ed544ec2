import Bowser from "bowser";

/**
 * Browser and system of a session, e.g. "Chrome, Windows". Falls back to the start of the raw user agent; "" if there
 * is none.
 */
export function deviceLabel(userAgent: string): string {
  if (userAgent === "") return "";
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(", ") || userAgent.slice(0, 40);
}
