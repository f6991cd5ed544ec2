import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

type Branch = { [key: string]: string | Branch };

/**
 * Sections of locales/ that load before the first page: what the login, the board and the frame around every page
 * show. The rest of a language is 33 to 42 kB compressed and loads after the board (a test says which text a first
 * page lacks).
 */
const FIRST = [
  ...["common", "shell", "nav", "auth", "setup", "errors", "validation"],
  ...["board", "status", "room", "doors", "alert", "blockOut"],
];

/** Section of the guests' page, which is built apart and loads nothing else. */
const GUEST = "guestPage";

export type LocalePart = "first" | "rest" | "all" | "guest";

/** Returns the texts of one part of a language. */
export function localePart(texts: Branch, part: LocalePart): Branch {
  const partOf = (section: string): LocalePart =>
    section === GUEST ? "guest" : FIRST.includes(section) ? "first" : "rest";
  return Object.fromEntries(
    Object.entries(texts).filter(([section]) => (part === "all" ? section !== GUEST : partOf(section) === part)),
  );
}

/**
 * Loads `locales/en.json?part=first`: a language in two parts, so that the first page waits for few texts. Who begins
 * at a page that needs both loads `?part=all`, which is one request.
 */
export function localeParts(): Plugin {
  return {
    name: "innkey:locale-parts",
    enforce: "pre",
    load(id) {
      const [, path, part] = /^(.*[\\/]locales[\\/]\w+\.json)\?part=(first|rest|all|guest)$/.exec(id) ?? [];
      if (!path) return null;
      this.addWatchFile(path);
      const json = JSON.stringify(localePart(JSON.parse(readFileSync(path, "utf8")), part as LocalePart));
      return { code: `export default JSON.parse(${JSON.stringify(json)});`, moduleType: "js" };
    },
  };
}
