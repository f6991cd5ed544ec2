import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

/**
 * Reads a plain Dockerfile and replays it without Docker: each stage in a directory of its own, COPY from a copy of the
 * repository as the engine would be sent it, RUN in /bin/sh. What can't be replayed honestly is refused.
 */
export interface Stage {
  name: string;
  image: string;
  steps: Step[];
}

type Step =
  | { kind: "ENV"; values: Record<string, string> }
  | { kind: "WORKDIR"; path: string }
  | { kind: "COPY"; from: string | null; sources: string[]; target: string }
  | { kind: "RUN"; command: string }
  | { kind: "USER"; user: string }
  | { kind: "CMD" | "HEALTHCHECK"; command: string[] };

const BUILD_MS = 600_000;

/** @throws Error for an instruction, or a form of one, that the replay would not do justice to */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "" && !one.startsWith("#"))) {
    const [, word = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (word === "FROM") {
      const [, image = "", name = `stage ${stages.length}`] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      stages.push({ name, image, steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    const step = stepOf(word, rest);
    if (!stage || step === undefined) throw new Error(`Dockerfile: not plain: ${line}`);
    if (step !== null) stage.steps.push(step);
  }
  return stages;
}

/** null: nothing to replay; undefined: refused */
function stepOf(word: string, rest: string): Step | null | undefined {
  const words = rest.split(" ");
  switch (word) {
    case "ENV":
      return { kind: "ENV", values: Object.fromEntries(words.map((pair) => pair.split("=", 2) as [string, string])) };
    case "WORKDIR":
      return rest.startsWith("/") ? { kind: "WORKDIR", path: rest } : undefined;
    case "COPY": {
      const flags = words.filter((one) => one.startsWith("--"));
      const paths = words.filter((one) => !one.startsWith("--"));
      const from = flags.find((flag) => flag.startsWith("--from="))?.slice("--from=".length) ?? null;
      return { kind: "COPY", from, sources: paths.slice(0, -1), target: paths.at(-1) ?? "" };
    }
    case "RUN":
      // An absolute path would leave the directory that stands for the image.
      return /(^|[\s="'])\/|\.\.\/|\\$|<</.test(rest) ? undefined : { kind: "RUN", command: rest };
    case "USER":
      return { kind: "USER", user: rest };
    case "EXPOSE":
      return null;
    case "HEALTHCHECK":
      return { kind: "HEALTHCHECK", command: JSON.parse(rest.slice(rest.indexOf("["))) };
    case "CMD":
      return { kind: "CMD", command: JSON.parse(rest) };
    default:
      return undefined;
  }
}

export interface Image {
  /** the directory that stands for the image's root */
  root: string;
  workdir: string;
  environment: Record<string, string>;
  command: string[];
  healthcheck: string[];
  user: string;
}

const run = promisify(execFile);

/** The last stage, made below `directory`. @throws Error with what a step said when it failed */
export async function replay(stages: Stage[], context: string, directory: string): Promise<Image> {
  const made = new Map<string, string>();
  let image: Image | undefined;
  for (const stage of stages) {
    const root = join(directory, stage.name.replaceAll(" ", "-"));
    image = { root, workdir: "/", environment: {}, command: [], healthcheck: [], user: "root" };
    mkdirSync(root, { recursive: true });
    for (const step of stage.steps) await apply(step, image, { context, made });
    made.set(stage.name, root);
  }
  if (!image) throw new Error("Dockerfile: no stage");
  return image;
}

async function apply(step: Step, image: Image, { context, made }: { context: string; made: Map<string, string> }) {
  const inside = (path: string): string => join(image.root, path.startsWith("/") ? path : join(image.workdir, path));
  switch (step.kind) {
    case "ENV":
      Object.assign(image.environment, step.values);
      return;
    case "WORKDIR":
      image.workdir = step.path;
      mkdirSync(inside(step.path), { recursive: true });
      return;
    case "USER":
      image.user = step.user;
      return;
    case "CMD":
      image.command = step.command;
      return;
    case "HEALTHCHECK":
      image.healthcheck = step.command;
      return;
    case "COPY": {
      const source = step.from === null ? context : made.get(step.from);
      if (source === undefined) throw new Error(`Dockerfile: no stage ${step.from}`);
      for (const path of step.sources) copy(join(source, path), inside(step.target), step.target.endsWith("/"));
      return;
    }
    case "RUN": {
      const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...image.environment };
      const options = { cwd: inside("."), env, timeout: BUILD_MS, maxBuffer: 1e8 };
      await run("/bin/sh", ["-c", step.command], options).catch(
        (error: Error & { stdout?: string; stderr?: string }) => {
          throw new Error(`RUN ${step.command}\n${error.stdout}\n${error.stderr}`);
        },
      );
    }
  }
}

/** As COPY does: of a directory its contents, of a file itself. Links stay links. */
function copy(source: string, target: string, intoTarget: boolean): void {
  if (!existsSync(source)) throw new Error(`COPY: ${source} is not there`);
  const to = intoTarget && !statSync(source).isDirectory() ? join(target, basename(source)) : target;
  cpSync(source, to, { recursive: true, verbatimSymlinks: true, force: true });
}

/** What an engine would be sent of the repository: all that .dockerignore does not name. */
export function copyContext(repository: string, target: string): void {
  const ignored = readFileSync(join(repository, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map(patternOf);
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(repository, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (ignored.some((pattern) => pattern.test(path))) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) cpSync(join(repository, path), join(target, path));
    }
  };
  walk("");
}

/** Source: Docker's reference, ".dockerignore file": globs of whole paths, where two stars are any number of folders. */
function patternOf(line: string): RegExp {
  const glob = line
    .replace(/[.+^$()|[\]{}]/g, "\\$&")
    .replace(/\*\*\//g, "\0")
    .replaceAll("*", "[^/]*")
    .replaceAll("\0", "(?:.*/)?");
  return new RegExp(`^${glob}(?:/|$)`);
}
