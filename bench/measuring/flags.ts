import { type ParseArgsConfig, parseArgs } from "node:util";

/** How much a bench does: counts, seconds and lists of sizes. */
export type Sizes = Record<string, number | readonly number[]>;

/** What the command line of a bench says. */
export interface Flags<S extends Sizes> {
  isTiny: boolean;
  sizes: S;
  /** true without any flag that changes the run, so that the result can be compared with earlier ones */
  isFull: boolean;
  /** the file for the result, if it is named */
  json: string | undefined;
  /** flags of this bench that are no sizes */
  texts: Record<string, string | undefined>;
  switches: Record<string, boolean>;
  /** arguments without dashes */
  names: string[];
}

export interface FlagPlan<S extends Sizes> {
  full: S;
  /** the smallest sizes at which the bench still does everything */
  tiny: S;
  texts?: readonly string[];
  switches?: readonly string[];
  allowNames?: boolean;
}

/**
 * Reads a command line: `--tiny`, `--json=<file>`, and each size as a flag, such as `--warm-seconds=1` for
 * `warmSeconds` and `--rooms=10,100` for a list.
 * @throws Error for unknown flags and for sizes that are no numbers
 */
export function readFlags<S extends Sizes>(argv: readonly string[], plan: FlagPlan<S>): Flags<S> {
  const { full, tiny, texts = [], switches = [], allowNames = false } = plan;
  const sizeFlags = new Map(Object.keys(full).map((name) => [kebabCase(name), name]));
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const name of [...sizeFlags.keys(), ...texts, "json"]) options[name] = { type: "string" };
  for (const name of [...switches, "tiny"]) options[name] = { type: "boolean" };
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: allowNames });
  const sizes: Sizes = { ...(values.tiny ? tiny : full) };
  for (const [flag, name] of sizeFlags) {
    const value = values[flag];
    if (typeof value === "string") sizes[name] = readSize(flag, value, Array.isArray(full[name]));
  }
  return {
    isTiny: values.tiny === true,
    isFull: positionals.length === 0 && Object.keys(values).every((name) => name === "json"),
    sizes: sizes as S,
    json: values.json as string | undefined,
    texts: Object.fromEntries(texts.map((name) => [name, values[name] as string | undefined])),
    switches: Object.fromEntries(switches.map((name) => [name, values[name] === true])),
    names: positionals,
  };
}

function readSize(flag: string, text: string, isList: boolean): number | number[] {
  const numbers = text === "" ? [] : text.split(",").map(Number);
  if (numbers.some((number) => !Number.isFinite(number))) throw new Error(`--${flag}=${text} is no number`);
  if (isList) return numbers;
  const [number, ...more] = numbers;
  if (number === undefined || more.length > 0) throw new Error(`--${flag} takes one number`);
  return number;
}

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
