import { readdir, readFile } from "node:fs/promises";

/**
 * Returns the memory of these processes and all their descendants in MB, with shared memory divided among those that
 * share it (PSS).
 */
export async function readPssMb(roots: readonly number[]): Promise<number> {
  const parents = await readParents();
  const isInside = (pid: number | undefined): boolean =>
    pid !== undefined && (roots.includes(pid) || isInside(parents.get(pid)));
  const pids = [...parents.keys()].filter(isInside);
  const kilobytes = await Promise.all(pids.map(readPssKb));
  return kilobytes.reduce((sum, kb) => sum + kb, 0) / 1024;
}

export async function readParent(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

async function readParents(): Promise<Map<number, number>> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
  const entries = await Promise.all(
    pids.map(async (pid) => [pid, await readParent(pid).catch(isGone)] as [number, number]),
  );
  return new Map(entries);
}

const readPssKb = async (pid: number): Promise<number> =>
  Number(/^Pss:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => ""))?.[1] ?? 0);

/** A process may end while the list is read. */
const isGone = (): number => 0;
