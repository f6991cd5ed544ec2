import type { AckMessage, LockEvent, StatusMessage } from "@innkey/shared/locks/protocol";

/** A lock as the outside names it: by address on our own topics, or by what another system calls it. */
export type LockName =
  | { hotelId: number; mac: string }
  | { hotelId: number; driver: "zigbee2mqtt" | "ttlock"; address: string };

/** What drivers tell the console. A lock that nobody registered is ignored and logged once. */
export interface LockReports {
  /** The answer to a command; one that comes twice, or after the command ended, changes nothing. */
  acknowledge(lock: LockName, ack: AckMessage): Promise<void>;
  /** `retained`: a broker kept it from before; it tells how the lock stood then, and nothing of now. */
  status(lock: LockName, status: StatusMessage, retained?: boolean): Promise<void>;
  /** Commands reach the lock from now on. Only a broker of our own says so. */
  listening(lock: LockName): Promise<void>;
  /**
   * Resolves once they are kept, with the number up to which the lock may forget. Keeps each event once. `log`: the memory
   * they are from, where the lock named it.
   */
  events(lock: LockName, events: readonly LockEvent[], log?: string | null): Promise<number>;
}

/** Who a user of the broker is. */
export type DeviceUser =
  | { kind: "lock"; hotelId: number; mac: string }
  /** `base`: the topic below which it may do anything */
  | { kind: "link"; hotelId: number; link: "zigbee2mqtt" | "home_assistant"; base: string };

/** A user that a broker has to be told of, because it does not ask. */
export interface DeviceAccount {
  user: string;
  password: string;
  who: DeviceUser;
}

export interface DeviceAccounts {
  /** everyone who may connect now, except those whose password was given before it was kept sealed */
  accounts(): Promise<DeviceAccount[]>;
}

/** The broker asks at every connection. */
export interface DeviceAccess {
  /** null for an unknown user or a wrong password */
  authenticate(user: string, password: string): Promise<DeviceUser | null>;
}
