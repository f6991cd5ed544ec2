import type { LockDriver as LockDriverName, LockErrorCode } from "@innkey/shared/enums";
import type { AckMessage, CommandMessage } from "@innkey/shared/locks/protocol";

/** A lock as a driver finds it. */
export interface DriverLock {
  id: number;
  hotelId: number;
  mac: string;
  address: string;
}

/** What became of a command when a driver handed it over. */
export type Handed =
  /** on its way; the lock answers later, through `LockPlane.acknowledge` */
  | { outcome: "sent" }
  /** done or refused at once, as the lock's own answer would say */
  | { outcome: "answered"; ack: Omit<AckMessage, "id"> }
  /** it did not get there; `again` false: it never will */
  | { outcome: "undelivered"; error: LockErrorCode; again: boolean };

/**
 * One way to reach locks. A driver holds no state of commands: the same command may be handed over twice, and what a
 * lock of another make calls a duplicate is asked about before it is called an error.
 */
export interface LockDriver {
  readonly name: LockDriverName;
  /** @throws never; what goes wrong is an outcome. `signal` ends it when the time for one try is over */
  send(lock: DriverLock, command: CommandMessage, signal: AbortSignal): Promise<Handed>;
}
