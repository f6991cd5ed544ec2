import Bowser from "bowser";

/** "Chrome, Windows": what a session was begun with; the bare text where nobody knows it, "" where nothing was said. */
export function deviceWords(userAgent: string): string {
  if (userAgent === "") return "";
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(", ") || userAgent.slice(0, 40);
}
