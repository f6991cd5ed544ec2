import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "primitives");
const COMPONENTS = readdirSync(FOLDER).filter((file) => !file.includes(".test."));
const parts = (name: string, suffixes: string): string[] => ["", ...suffixes.split(" ")].map((suffix) => name + suffix);

/** What each file of shadcn/ui's registry exports. A component of the registry imports these names. */
const REGISTRY: Record<string, string[]> = {
  alert: parts("Alert", "Title Description"),
  "alert-dialog": parts(
    "AlertDialog",
    "Action Cancel Content Description Footer Header Media Overlay Portal Title Trigger",
  ),
  avatar: parts("Avatar", "Image Fallback Badge Group GroupCount"),
  badge: ["Badge", "badgeVariants"],
  button: ["Button", "buttonVariants"],
  card: parts("Card", "Header Footer Title Action Description Content"),
  checkbox: ["Checkbox"],
  command: parts("Command", "Dialog Input List Empty Group Item Shortcut Separator"),
  dialog: parts("Dialog", "Close Content Description Footer Header Overlay Portal Title Trigger"),
  "dropdown-menu": parts(
    "DropdownMenu",
    "Portal Trigger Content Group Label Item CheckboxItem RadioGroup RadioItem Separator Shortcut Sub SubTrigger SubContent",
  ),
  input: ["Input"],
  kbd: parts("Kbd", "Group"),
  label: ["Label"],
  pagination: parts("Pagination", "Content Link Item Previous Next Ellipsis"),
  popover: parts("Popover", "Trigger Content Anchor Header Title Description"),
  progress: ["Progress"],
  "radio-group": parts("RadioGroup", "Item"),
  select: parts("Select", "Content Group Item Label ScrollDownButton ScrollUpButton Separator Trigger Value"),
  sheet: parts("Sheet", "Trigger Close Content Header Footer Title Description"),
  skeleton: ["Skeleton"],
  sonner: ["Toaster"],
  switch: ["Switch"],
  table: parts("Table", "Header Body Footer Head Row Cell Caption"),
  tabs: [...parts("Tabs", "List Trigger Content"), "tabsListVariants"],
  textarea: ["Textarea"],
  tooltip: parts("Tooltip", "Trigger Content Provider"),
};

it("the primitives export what shadcn/ui's registry exports, and nothing else", () => {
  const exported = Object.fromEntries(
    COMPONENTS.map((file) => {
      const text = readFileSync(join(FOLDER, file), "utf8");
      const names = [...text.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => name);
      return [file.replace(".tsx", ""), names.sort()];
    }),
  );
  const expected = Object.fromEntries(Object.entries(REGISTRY).map(([file, names]) => [file, names.toSorted()]));
  expect(exported).toEqual(expected);
});

/** The variables that components of the registry use for colours and corners. */
const COLORS = [
  ...["background", "foreground", "border", "input", "ring", "destructive"],
  ...["card", "popover", "primary", "secondary", "muted", "accent"].flatMap((name) => [name, `${name}-foreground`]),
  ...[1, 2, 3, 4, 5].map((number) => `chart-${number}`),
  ...parts("sidebar", "-foreground -primary -primary-foreground -accent -accent-foreground -border -ring"),
];

it("the tokens have the registry's names, as variables and as classes", () => {
  const tokens = readFileSync(join(import.meta.dirname, "../styles/tokens.css"), "utf8");
  const expected = [...COLORS.flatMap((name) => [`--${name}`, `--color-${name}`]), "--radius"];
  expect(expected.filter((name) => !tokens.includes(`  ${name}: `))).toEqual([]);
});
