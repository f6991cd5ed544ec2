import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** Sections of locales/ that pages without a session read; the rest is loaded with the desk. */
const ENTRANCE = new Set(["common", "shell", "nav", "auth", "setup", "errors", "validation"]);

/** `locales/en.json?part=entrance` and `?part=desk`: a language in two parts, so that the login doesn't wait for all of it. */
export function localeParts(): Plugin {
  return {
    name: "innkey:locale-parts",
    enforce: "pre",
    load(id) {
      const [, path, part] = /^(.*[\\/]locales[\\/]\w+\.json)\?part=(entrance|desk)$/.exec(id) ?? [];
      if (!path) return null;
      this.addWatchFile(path);
      const sections = Object.entries(JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>);
      const wanted = sections.filter(([name]) => ENTRANCE.has(name) === (part === "entrance"));
      const json = JSON.stringify(Object.fromEntries(wanted));
      return { code: `export default JSON.parse(${JSON.stringify(json)});`, moduleType: "js" };
    },
  };
}
