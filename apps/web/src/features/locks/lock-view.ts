import { LOW_POWER_PERCENT } from "@innkey/shared/locks/power";
import { lockStatusOf } from "@innkey/shared/locks/standing";
import type { LockRow } from "@innkey/shared/schemas/locks";
import type { LockFilter } from "./lock-search.ts";

const MATCHES: Record<LockFilter, (lock: LockRow) => boolean> = {
  offline: (lock) => lockStatusOf(lock) === "unreachable",
  low: ({ power }) => power !== null && power < LOW_POWER_PERCENT,
  new: (lock) => lockStatusOf(lock) === "not_set_up",
  stopped: ({ breakerOpenedAt }) => breakerOpenedAt !== null,
};

export function countOf(locks: readonly LockRow[], filter: LockFilter): number {
  return locks.filter(MATCHES[filter]).length;
}

/** The locks that a search finds: by room, MAC, Bluetooth name or address, in any case. */
export function filterLocks(locks: readonly LockRow[], query: string, filter: LockFilter | undefined): LockRow[] {
  const needle = query.trim().toLocaleLowerCase();
  return locks.filter(
    (lock) =>
      (filter === undefined || MATCHES[filter](lock)) &&
      [lock.roomName ?? "", lock.mac, lock.mac.replaceAll(":", ""), lock.bluetoothName, lock.address].some((text) =>
        text.toLocaleLowerCase().includes(needle),
      ),
  );
}
