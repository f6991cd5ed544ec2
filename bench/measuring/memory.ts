import { readdir, readFile } from "node:fs/promises";

export interface ProcessMemory {
  pid: number;
  parent: number;
  command: string;
  /** resident memory in MB */
  rssMb: number;
  /** the same, with shared memory divided among those that share it */
  pssMb: number;
}

/** Reads the memory of these processes and all their descendants. */
export async function readProcesses(roots: readonly number[]): Promise<ProcessMemory[]> {
  const parents = await readParents();
  const isInside = (pid: number | undefined): boolean =>
    pid !== undefined && (roots.includes(pid) || isInside(parents.get(pid)));
  return Promise.all([...parents].filter(([pid]) => isInside(pid)).map(readProcess));
}

/** Returns the memory of these processes and all their descendants in MB (PSS). */
export const readPssMb = async (roots: readonly number[]): Promise<number> => sumOf(await readProcesses(roots));

export const sumOf = (processes: readonly ProcessMemory[]): number =>
  processes.reduce((sum, { pssMb }) => sum + pssMb, 0);

async function readProcess([pid, parent]: [number, number]): Promise<ProcessMemory> {
  const [memory, command] = await Promise.all(
    ["smaps_rollup", "cmdline"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
  );
  const megabytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(memory ?? "")?.[1] ?? 0) / 1024;
  const text = (command ?? "").replaceAll("\0", " ").trim();
  return { pid, parent, command: text, rssMb: megabytes("Rss"), pssMb: megabytes("Pss") };
}

export async function readParent(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

async function readParents(): Promise<Map<number, number>> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
  const entries = await Promise.all(
    pids.map(async (pid) => [pid, await readParent(pid).catch(noParent)] as [number, number]),
  );
  return new Map(entries);
}

/** A process may end while the list is read. */
const noParent = (): number => 0;
