import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

type Branch = { [key: string]: string | Branch };

/** Texts for pages without a session: sections of locales/. */
const ENTRANCE = ["common", "shell", "nav", "auth", "setup", "errors", "validation"];

/** Texts for the board and the frame around it: sections, or single texts of sections that otherwise belong to the rest. */
const DESK = [
  ...["board", "status", "room", "doors", "alert"],
  ...["center.title", "exports.open", "locks.unlockReason", "reader.read", "reader.title"],
];

function picked(texts: Branch, keys: readonly string[]): Branch {
  const part: Branch = {};
  for (const key of keys) {
    const [section = "", name] = key.split(".");
    const branch = texts[section];
    if (typeof branch !== "object") throw new Error(`no texts under ${section}`);
    const text = name === undefined ? undefined : branch[name];
    if (name === undefined) part[section] = branch;
    else if (text !== undefined) part[section] = { ...Object(part[section]), [name]: text };
    else throw new Error(`no text ${key}`);
  }
  return part;
}

/** Returns the section without the single texts that another part contains. */
function without(part: Branch, keys: readonly string[]): Branch {
  const entries = Object.entries(part).map(([section, branch]) => {
    const isListed = (name: string): boolean => keys.includes(`${section}.${name}`);
    return [section, Object.fromEntries(Object.entries(branch).filter(([name]) => !isListed(name)))];
  });
  return Object.fromEntries(entries);
}

const PARTS = {
  entrance: (texts: Branch) => picked(texts, ENTRANCE),
  desk: (texts: Branch) => without(picked(texts, DESK), ENTRANCE),
  house: (texts: Branch) =>
    Object.fromEntries(Object.entries(texts).filter(([name]) => ![...ENTRANCE, ...DESK].includes(name))),
};
export type LocalePart = keyof typeof PARTS;

/**
 * Returns the texts of one part of a language: `entrance` before there is a session, `desk` with the board, `house`
 * with the rest.
 */
export function localePart(texts: Branch, part: LocalePart): Branch {
  return PARTS[part](texts);
}

/**
 * Loads `locales/en.json?part=desk`: a language in parts, so that neither the login nor the board waits for all of it.
 */
export function localeParts(): Plugin {
  return {
    name: "innkey:locale-parts",
    enforce: "pre",
    load(id) {
      const [, path, part] = /^(.*[\\/]locales[\\/]\w+\.json)\?part=(\w+)$/.exec(id) ?? [];
      if (!path || (part !== "entrance" && part !== "desk" && part !== "house")) return null;
      this.addWatchFile(path);
      const json = JSON.stringify(localePart(JSON.parse(readFileSync(path, "utf8")), part));
      return { code: `export default JSON.parse(${JSON.stringify(json)});`, moduleType: "js" };
    },
  };
}
