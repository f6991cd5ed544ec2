import { type ClassValue, clsx } from "clsx";
import { createTailwindMerge } from "tailwind-merge";

type Config = ReturnType<Parameters<typeof createTailwindMerge>[0]>;

const any = ["", () => true];
const digits = [(value: string) => /^\d/.test(value)];
const own = (name: string) => [{ [name]: any }];
const rest = (name: string) => [{ [name]: [() => true] }];
const DISPLAYS = [
  "block",
  "inline-block",
  "inline",
  "flex",
  "inline-flex",
  "grid",
  "inline-grid",
  "table",
  "contents",
  "hidden",
];
const SIZES = ["xs", "sm", "base", "lg", "xl", "2xl", "3xl", (value: string) => /^\[\d/.test(value)];
const WEIGHTS = ["normal", "medium", "semibold", "bold"];
const SIDES = ["x", "y", "s", "e", "t", "r", "b", "l"];
const WIDTHS = ["", "0", "2", "4", "8", (value: string) => /^\[\d/.test(value)];
const sided = (name: string) => [name, ...SIDES.map((side) => name + side)];

/** Groups of classes that set one property each: of two classes in a group, the later wins. */
const PLAIN = [
  ...[...sided("p"), ...sided("m"), "gap", "gap-x", "gap-y", "size", "w", "h", "min-w", "min-h", "max-w", "max-h"],
  ...["inset", "inset-x", "inset-y", "start", "end", "top", "right", "bottom", "left", "z", "order", "col", "row"],
  ...[
    "grid-cols",
    "grid-rows",
    "items",
    "justify",
    "justify-items",
    "justify-self",
    "self",
    "place-items",
    "place-content",
  ],
  ...["shrink", "grow", "basis", "overflow", "overflow-x", "overflow-y", "opacity", "leading", "tracking"],
  ...[
    "whitespace",
    "cursor",
    "pointer-events",
    "select",
    "bg",
    "shadow",
    "fill",
    "rounded",
    "rounded-t",
    "rounded-b",
    "rounded-s",
    "rounded-e",
  ],
  ...[
    "divide-y",
    "divide-x",
    "animate",
    "transition",
    "duration",
    "border-spacing",
    "underline-offset",
    "translate-x",
    "translate-y",
    "rotate",
    "stroke",
    "object",
    "break",
    "break-after",
    "break-inside",
    "align",
    "grid-flow",
    "auto-cols",
    "hyphens",
    "float",
    "backdrop-blur",
    "brightness",
    "field-sizing",
  ],
] as const;

/** Groups whose classes are overridden by a later shorthand. */
const sideConflicts = (name: string) => ({
  [name]: SIDES.map((side) => name + side),
  [`${name}x`]: [`${name}s`, `${name}e`, `${name}r`, `${name}l`],
  [`${name}y`]: [`${name}t`, `${name}b`],
});

/**
 * The Tailwind classes that this console uses. The list of tailwind-merge covers all classes and is half as large as
 * the router; cn.test.ts compares both over every class in the sources.
 */
const classGroups: Config = {
  cacheSize: 500,
  theme: {},
  classGroups: {
    ...Object.fromEntries(PLAIN.map((name) => [name, own(name)])),
    display: DISPLAYS,
    position: ["static", "fixed", "absolute", "relative", "sticky"],
    flex: [{ flex: ["1", "auto", "initial", "none"] }],
    "flex-direction": [{ flex: ["row", "row-reverse", "col", "col-reverse"] }],
    "flex-wrap": [{ flex: ["wrap", "nowrap"] }],
    "font-size": [{ text: SIZES }],
    "text-align": [{ text: ["start", "center", "end", "left", "right"] }],
    "text-wrap": [{ text: ["wrap", "nowrap", "balance", "pretty"] }],
    "text-color": rest("text"),
    "font-weight": [{ font: WEIGHTS }],
    "font-family": rest("font"),
    decoration: ["underline", "no-underline", "line-through"],
    "border-style": [{ border: ["solid", "dashed", "none"] }],
    "border-w": [{ border: WIDTHS }],
    ...Object.fromEntries(SIDES.map((side) => [`border-w-${side}`, [{ [`border-${side}`]: WIDTHS }]])),
    "border-collapse": [{ border: ["collapse", "separate"] }],
    "border-color": rest("border"),
    "outline-style": [{ outline: ["none"] }],
    "outline-w": ["outline", { outline: ["0", "1", "2"] }],
    "outline-offset": own("outline-offset"),
    "outline-color": rest("outline"),
    "sr-only": ["sr-only", "not-sr-only"],
    visibility: ["visible", "invisible"],
    "text-overflow": ["truncate"],
    touch: [{ touch: ["none", "pan-y", "manipulation"] }],
    "line-clamp": [{ "line-clamp": [(value: string) => /^\d/.test(value)] }],
    "table-layout": [{ table: ["auto", "fixed"] }],
    "font-variant-numeric": ["tabular-nums"],
    "align-content": [{ content: ["start", "center", "end"] }],
    content: [{ content: [(value: string) => value.startsWith("[")] }],
    "decoration-thickness": [{ decoration: digits }],
    "decoration-color": rest("decoration"),
    "ring-w": [{ ring: digits }],
    "ring-color": rest("ring"),
  },
  conflictingClassGroups: {
    ...sideConflicts("p"),
    ...sideConflicts("m"),
    gap: ["gap-x", "gap-y"],
    "line-clamp": ["display", "overflow"],
    size: ["w", "h"],
    overflow: ["overflow-x", "overflow-y"],
    inset: ["inset-x", "inset-y", "start", "end", "top", "right", "bottom", "left"],
    "inset-x": ["start", "end", "right", "left"],
    "inset-y": ["top", "bottom"],
    rounded: ["rounded-t", "rounded-b", "rounded-s", "rounded-e"],
    flex: ["basis", "grow", "shrink"],
    "font-size": ["leading"],
    "border-w": SIDES.map((side) => `border-w-${side}`),
    "border-w-x": ["border-w-s", "border-w-e", "border-w-r", "border-w-l"],
    "border-w-y": ["border-w-t", "border-w-b"],
  },
  conflictingClassGroupModifiers: { "font-size": ["leading"] },
  postfixLookupClassGroups: [],
  orderSensitiveModifiers: ["*", "**", "after", "before", "placeholder", "file", "marker", "selection"],
};

const merge = createTailwindMerge(() => classGroups);

/** Joins class names. Of two that set the same property, the later wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
