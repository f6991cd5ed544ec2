import { fileURLToPath } from "node:url";

/**
 * Which modules share a file of the built console. A page needs few files, because a browser without HTTP/2 requests
 * six at once, and nothing heavy that only other pages show. So a module's file follows from how many pages need it
 * and from what it needs itself; only libraries are named. A module is never in a more special file than what imports
 * it, so the files don't need each other in circles.
 */
interface ModuleInfo {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}
export type GetModuleInfo = (id: string) => ModuleInfo | null;

/**
 * Libraries that every page behind the login shows, by the beginnings of their names. Their index names all of their
 * parts, so who needs which part can't be read from imports.
 */
export const FRAME_PACKAGES = [
  "lucide-react",
  "@floating-ui/",
  "react-remove-scroll",
  "react-style-singleton",
  "use-callback-ref",
  "use-sidecar",
  "aria-hidden",
  ...[
    ...["menu", "dropdown-menu", "tooltip", "popper", "dialog", "dismissable-layer", "focus-guards", "focus-scope"],
    ...[
      "select",
      "popover",
      "checkbox",
      "switch",
      "toggle",
      "avatar",
      "collection",
      "roving-focus",
      "presence",
      "arrow",
    ],
  ].map((part) => `@radix-ui/react-${part}`),
];
export const FORM_PACKAGES = ["react-hook-form", "@hookform/", "zod"];
export const TABLE_PACKAGES = ["@tanstack/react-table", "@tanstack/table-core"];
/** What the tables of many pages share. */
export const TABLE_SOURCES = ["./src/ui/table/", "../../packages/shared/src/lists.ts"];

/** Packages whose index imports all of their parts */
const INDEXES = /[\\/](?:radix-ui[\\/]dist[\\/]index|lucide-react)\.mjs$/;
/** What so many pages need is one file, if it needs nothing heavy. The board, which people wait for first, loads without it. */
const PAGES_OF_COMMON = 3;

export const pathOf = (source: string): string => fileURLToPath(new URL(source, import.meta.url));
const SOURCE = pathOf("./src/");
const TABLES = TABLE_SOURCES.map(pathOf);

/** Returns the name of the file for a module; null if that is left to the bundler. */
export function chunkOf(id: string, getModuleInfo: GetModuleInfo): string | null {
  graph ??= readGraph(getModuleInfo);
  const { frame, board, guest, users, needing } = graph;
  if (isOfPackage(id, FORM_PACKAGES)) return "forms";
  if (isOfPackage(id, TABLE_PACKAGES) || TABLES.some((start) => id.startsWith(start))) return "table";
  if (frame.has(id) || isOfPackage(id, FRAME_PACKAGES)) return "frame";
  const pages = users.get(id) ?? 0;
  if (board.has(id)) return pages === 1 ? "board" : "frame";
  if (pages >= PAGES_OF_COMMON && !isOfFeature(id)) {
    if (needing.tables.has(id)) return "table";
    if (needing.forms.has(id)) return "forms";
    if (!needing.readers.has(id)) return "common";
  }
  return guest.has(id) ? "guest" : null;
}

/**
 * Checks whether a module needs neither forms nor tables. What few pages share is otherwise joined with modules that do,
 * and a page would load both for a function of ten lines.
 */
export function isLight(id: string, getModuleInfo: GetModuleInfo): boolean {
  graph ??= readGraph(getModuleInfo);
  const { forms, tables, readers } = graph.needing;
  return id.startsWith(SOURCE) && ![forms, tables, readers].some((heavy) => heavy.has(id));
}

const isOfFeature = (id: string): boolean => ["features/", "pages/"].some((folder) => id.startsWith(SOURCE + folder));

interface Graph {
  /** what every page behind the login needs */
  frame: ReadonlySet<string>;
  board: ReadonlySet<string>;
  /** what a guest's page needs, which has most of what dialogs and other pages about a stay show */
  guest: ReadonlySet<string>;
  /** how many pages need a module */
  users: ReadonlyMap<string, number>;
  /** modules that need these libraries themselves */
  needing: Record<"forms" | "tables" | "readers", ReadonlySet<string>>;
}

let graph: Graph | undefined;

function readGraph(getModuleInfo: GetModuleInfo): Graph {
  const importsOf = (id: string): readonly string[] => (INDEXES.test(id) ? [] : (getModuleInfo(id)?.importedIds ?? []));
  const closure = (start: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(start)) return seen;
    seen.add(start);
    for (const id of importsOf(start)) closure(id, seen);
    return seen;
  };
  const modules = closure(`${SOURCE}main.tsx`);
  const entries = new Map<string, Set<string>>();
  for (const id of modules) {
    for (const entry of getModuleInfo(id)?.dynamicallyImportedIds ?? []) {
      if (entries.has(entry)) continue;
      entries.set(entry, closure(entry));
      // A set that grows is walked to its new end.
      for (const needed of entries.get(entry) ?? []) modules.add(needed);
    }
  }
  const users = new Map<string, number>();
  for (const [entry, needed] of entries) {
    if (!entry.includes("/routes/_app/")) continue;
    for (const id of needed) users.set(id, (users.get(id) ?? 0) + 1);
  }
  const entryOf = (route: string): ReadonlySet<string> => {
    const needed = [...entries].find(([entry]) => entry.startsWith(`${SOURCE}routes/${route}?tsr-split=component`));
    if (!needed) throw new Error(`The route ${route} has no part of its own`);
    return needed[1];
  };
  const needing = (isNeeded: (id: string) => boolean): Set<string> =>
    new Set([...modules].filter((id) => [...closure(id)].some(isNeeded)));
  return {
    frame: entryOf("_app.tsx"),
    board: entryOf("_app/room/index.tsx"),
    guest: entryOf("_app/room/thetouristsDetails.tsx"),
    users,
    needing: {
      forms: needing((id) => isOfPackage(id, ["react-hook-form", "zod/v4/classic"])),
      tables: needing((id) => isOfPackage(id, TABLE_PACKAGES)),
      readers: needing((id) => id.startsWith(`${SOURCE}readers/`)),
    },
  };
}

const isOfPackage = (id: string, names: readonly string[]): boolean => {
  const [, name] = /^.*[\\/]node_modules[\\/](?!\.pnpm)(.*)$/.exec(id) ?? [];
  return name !== undefined && names.some((start) => name.replaceAll("\\", "/").startsWith(start));
};

const INITIAL: "$initial"[] = ["$initial"];

/**
 * Files in the order in which they take their modules: a file also takes what its modules need, as far as no file
 * before it has that.
 */
const FILES = ["frame", "common", "table", "forms", "board", "guest"];

/** The groups for the bundler. `base` and `start` are what every page loads first; the last two what few pages use. */
export const chunkGroups = [
  { name: "base", tags: INITIAL, test: /node_modules|rolldown/, priority: 9 },
  { name: "start", tags: INITIAL, priority: 8 },
  ...FILES.map((file, n) => ({
    debugName: file,
    name: (id: string, context: { getModuleInfo: GetModuleInfo }): string | null =>
      chunkOf(id, (of) => context.getModuleInfo(of)) === file ? file : null,
    priority: 7 - n,
  })),
  {
    debugName: "shared-light",
    name: (id: string, context: { getModuleInfo: GetModuleInfo }): string | null =>
      isLight(id, (of) => context.getModuleInfo(of)) ? "shared-light" : null,
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 40_000,
    priority: 1,
  },
  { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000, priority: 0 },
];
