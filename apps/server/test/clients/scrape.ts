/** A sample of Prometheus's text format: name, ordered labels, value. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.*)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? ([Nn]a[Nn]|[+-]Inf|[-+0-9.eE]+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/;
const TYPES = new Set(["counter", "gauge", "histogram", "summary"]);
const PARTS = ["_bucket", "_sum", "_count"];

/**
 * Parses metrics strictly: every sample belongs to a family described and typed before it, no series repeats, and a
 * histogram's buckets never decrease. Source: prometheus.io, "Exposition formats". @throws Error for anything else
 */
export function parseMetrics(text: string): Sample[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const seenNames = new Set<string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, kind, family = "", rest = ""] = COMMENT.exec(line) ?? [];
    if (kind === "HELP") {
      if (helped.has(family) || rest === "") throw new Error(`${family} is described twice, or not at all`);
      helped.add(family);
    } else if (kind === "TYPE") {
      if (types.has(family) || !TYPES.has(rest)) throw new Error(`the type of ${family}: ${rest}`);
      types.set(family, rest);
    } else {
      const sample = parseSample(line);
      const key = line.slice(0, line.lastIndexOf(" "));
      if (seenNames.has(key)) throw new Error(`twice: ${key}`);
      seenNames.add(key);
      requireFamily(sample.name, types, helped);
      samples.push(sample);
    }
  }
  requireRising(samples);
  return samples;
}

function parseSample(line: string): Sample {
  const [, name, inside = "", value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let rest = inside; rest !== ""; ) {
    const [all, label, text] = LABEL.exec(rest) ?? [];
    if (all === undefined || label === undefined || label in labels) throw new Error(`labels: ${line}`);
    labels[label] = text ?? "";
    rest = rest.slice(all.length);
  }
  return { name, labels, value: Number(value?.replace("Inf", "Infinity")) };
}

function requireFamily(name: string, types: Map<string, string>, helped: Set<string>): void {
  const part = PARTS.find(
    (ending) => name.endsWith(ending) && types.get(name.slice(0, -ending.length)) === "histogram",
  );
  const family = part ? name.slice(0, -part.length) : name;
  if (!types.has(family) || !helped.has(family)) throw new Error(`${name} belongs to nothing that was described`);
}

function requireRising(samples: readonly Sample[]): void {
  const last = new Map<string, number>();
  for (const { name, labels, value } of samples) {
    if (!name.endsWith("_bucket")) continue;
    const { le: _le, ...rest } = labels;
    const key = name + JSON.stringify(rest);
    if (value < (last.get(key) ?? 0)) throw new Error(`the buckets of ${key} fall`);
    last.set(key, value);
  }
}

/** Returns the value of the series with at least these labels; 0 if there is none. */
export function measured(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  const matches = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
  );
  if (matches.length > 1) throw new Error(`${matches.length} series of ${name}`);
  return matches[0]?.value ?? 0;
}
