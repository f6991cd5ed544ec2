/** Compares two versions of firmware by their numbers: negative if the first is older. Anything else doesn't count. */
export function compareFirmware(a: string, b: string): number {
  const [one, other] = [a, b].map((version) => (version.match(/\d+/g) ?? []).map(Number)) as [number[], number[]];
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface Device {
  id: number;
  driver: string;
  /** empty: not reported */
  firmware: string;
}

/**
 * Returns the locks for which another lock that is reached in the same way has newer firmware, by id, each with the newest
 * version. Locks that report none are left out.
 */
export function newerFirmware(locks: readonly Device[]): Map<number, string> {
  const newest = new Map<string, string>();
  for (const { driver, firmware } of locks)
    if (compareFirmware(firmware, newest.get(driver) ?? "") > 0) newest.set(driver, firmware);
  return new Map(
    locks.flatMap(({ id, driver, firmware }) => {
      const version = newest.get(driver) ?? "";
      return firmware !== "" && compareFirmware(firmware, version) < 0 ? [[id, version] as const] : [];
    }),
  );
}
