import type { LockDriver as LockDriverName, LockErrorCode } from "@innkey/shared/enums";
import type { AckMessage, CommandMessage } from "@innkey/shared/locks/protocol";

/** A lock as drivers see it. */
export interface DriverLock {
  id: number;
  hotelId: number;
  mac: string;
  address: string;
}

/** Result of handing a command to a driver. */
export type Handed =
  /** sent; the lock answers later, through `LockPlane.acknowledge` */
  | { outcome: "sent" }
  /** done or refused at once; `ack` is what the lock would answer */
  | { outcome: "answered"; ack: Omit<AckMessage, "id"> }
  /** not delivered; with `again` false it never will be */
  | { outcome: "undelivered"; error: LockErrorCode; again: boolean };

/**
 * One way to reach locks. A driver stores no state of commands, so it may get the same command twice. If a lock of
 * another make reports a duplicate, the driver checks the lock before it reports an error.
 */
export interface LockDriver {
  readonly name: LockDriverName;
  /** Sends a command. `signal` aborts when the time for one try is over. @throws never; failures are outcomes */
  send(lock: DriverLock, command: CommandMessage, signal: AbortSignal): Promise<Handed>;
}
