import { LOW_POWER_PERCENT } from "@innkey/shared/locks/power";
import { standingOf } from "@innkey/shared/locks/standing";
import type { LockRow } from "@innkey/shared/schemas/locks";
import type { LockFilter } from "./lock-search.ts";

const MATCHES: Record<LockFilter, (lock: LockRow) => boolean> = {
  offline: (lock) => standingOf(lock) === "unreachable",
  low: ({ power }) => power !== null && power < LOW_POWER_PERCENT,
  new: (lock) => standingOf(lock) === "not_set_up",
  stopped: ({ breakerOpenedAt }) => breakerOpenedAt !== null,
};

export function countOf(locks: readonly LockRow[], filter: LockFilter): number {
  return locks.filter(MATCHES[filter]).length;
}

/** The locks that a search finds: by room, MAC, Bluetooth name or address, in any case. */
export function found(locks: readonly LockRow[], query: string, filter: LockFilter | undefined): LockRow[] {
  const wanted = query.trim().toLocaleLowerCase();
  return locks.filter(
    (lock) =>
      (filter === undefined || MATCHES[filter](lock)) &&
      [lock.roomName ?? "", lock.mac, lock.mac.replaceAll(":", ""), lock.bluetoothName, lock.address].some((text) =>
        text.toLocaleLowerCase().includes(wanted),
      ),
  );
}
