import { fileURLToPath } from "node:url";

/**
 * Which modules share a file of the built console. Without these lists the board loads 371 to 450 kB of scripts instead
 * of 260: the bundler then puts code of other pages into the files that the board needs (measured with rolldown 1.2).
 * Libraries are named by package and our code by folder or file below src; a test checks that each of them exists.
 */
interface Chunk {
  name: string;
  priority: number;
  /** packages, or the beginnings of their names */
  packages?: readonly string[];
  /** folders (with a slash at the end) and files below src, or of the shared package */
  sources?: readonly string[];
  /** folders and files that `sources` would include */
  except?: readonly string[];
}

export const CHUNKS: readonly Chunk[] = [
  {
    name: "overlays",
    priority: 7,
    packages: [
      "@floating-ui/",
      "react-remove-scroll",
      "aria-hidden",
      "cmdk",
      ...[
        "menu",
        "dropdown-menu",
        "tooltip",
        "popper",
        "dialog",
        "dismissable-layer",
        "focus-guards",
        "focus-scope",
        "select",
        "popover",
        "checkbox",
        "toggle",
      ].map((part) => `@radix-ui/react-${part}`),
    ],
    sources: [
      "ui/form/combobox.tsx",
      "ui/form/select-input.tsx",
      "ui/primitives/command.tsx",
      "ui/primitives/popover.tsx",
      "ui/primitives/select.tsx",
    ],
  },
  {
    // what the pages behind the login share: the frame around them and common components
    name: "frame",
    priority: 5,
    packages: ["@trpc/"],
    sources: [
      "lib/",
      "routes/_app.tsx",
      "shell/app-layout.tsx",
      "shell/navbar.tsx",
      "shell/sidebar.tsx",
      "shell/nav.ts",
      "ui/page-header.tsx",
      "ui/search-input.tsx",
      "ui/can.tsx",
      "ui/action/",
      "ui/status-chip.tsx",
      "ui/person-avatar.tsx",
      "ui/dialog/panel.tsx",
      "ui/form/choice-input.tsx",
      ...["dropdown-menu", "dialog", "tooltip", "sheet", "avatar", "badge", "kbd", "checkbox"].map(
        (part) => `ui/primitives/${part}.tsx`,
      ),
      "entities/stay/stay-actions.tsx",
    ],
    except: ["lib/time/quick-range.ts", "lib/browser/download.ts", "lib/capability-areas.ts"],
  },
  {
    // the board without its dialogs and its table, which load when they are needed
    name: "board",
    priority: 4,
    sources: [
      "pages/board-screen.tsx",
      "pages/room-dialogs.tsx",
      "features/board/",
      "entities/room/",
      "entities/lock/lock-mark.tsx",
    ],
    except: ["features/board/board-table.tsx", "entities/room/use-set-room-status.ts"],
  },
  {
    name: "forms",
    priority: 2,
    packages: ["react-hook-form", "@hookform/", "zod", "temporal-"],
    sources: [
      "@innkey/shared/schemas/",
      "@innkey/shared/enums.ts",
      "@innkey/shared/hotel-time.ts",
      "ui/form/hotel-date-time-input.tsx",
      "ui/form/form.tsx",
      "ui/form/field.tsx",
      "ui/form/field-frame.tsx",
    ],
  },
  // lists, and what at least three pages or dialogs show of rooms, stays, keys and locks
  { name: "kit", priority: 1, packages: ["@tanstack/react-table", "@tanstack/table-core"], sources: ["ui/table/"] },
];

const SOURCE = fileURLToPath(new URL("./src/", import.meta.url));
const SHARED = fileURLToPath(new URL("../../packages/shared/src/", import.meta.url));

/** Returns where a source of the lists is on disk. */
export const pathOf = (source: string): string =>
  source.startsWith("@innkey/shared/") ? SHARED + source.slice("@innkey/shared/".length) : SOURCE + source;

const isIn = (id: string, sources: readonly string[] = []): boolean =>
  sources.some((source) => (source.endsWith("/") ? id.startsWith(pathOf(source)) : id === pathOf(source)));

const isOfPackage = (id: string, names: readonly string[] = []): boolean => {
  const [, name] = /^.*[\\/]node_modules[\\/](?!\.pnpm)(.*)$/.exec(id) ?? [];
  return name !== undefined && names.some((start) => name.replaceAll("\\", "/").startsWith(start));
};

const INITIAL: "$initial"[] = ["$initial"];

/** The groups for the bundler. `base` and `start` are what every page loads first; `shared` is what several pages use. */
export const chunkGroups = [
  { name: "base", tags: INITIAL, test: /node_modules|rolldown/, priority: 9 },
  { name: "start", tags: INITIAL, priority: 8 },
  ...CHUNKS.map(({ name, priority, packages, sources, except }) => ({
    name,
    priority,
    test: (moduleId: string): boolean => {
      const [id = ""] = moduleId.split("?");
      return isOfPackage(id, packages) || (isIn(id, sources) && !isIn(id, except));
    },
  })),
  // Apart from the kit, because the board shows some of the icons and nothing else of it.
  { name: "icons", minShareCount: 3, priority: 0.6, test: /lucide-react/ },
  {
    name: "kit",
    minShareCount: 3,
    priority: 0.5,
    test: (moduleId: string): boolean => isIn(moduleId, ["ui/", "entities/", "lib/"]),
  },
  { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 8000, priority: 0 },
];
