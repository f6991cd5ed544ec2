import type { LockDriver as LockDriverName, LockErrorCode } from "@innkey/shared/enums";
import type { AckMessage, CommandMessage, StatusMessage } from "@innkey/shared/locks/protocol";
import type { ReceivedEvent } from "../unlocks/reported-event.ts";

/** A lock as drivers see it. */
export interface DriverLock {
  id: number;
  hotelId: number;
  mac: string;
  address: string;
}

/** Result of sending a command through a driver. */
export type SendResult =
  /** sent; the lock answers later, through `LockPlane.acknowledge` */
  | { outcome: "sent" }
  /** executed or refused at once; `ack` is the lock's answer */
  | { outcome: "answered"; ack: Omit<AckMessage, "id"> }
  /** not delivered; with `again` false it never will be */
  | { outcome: "undelivered"; error: LockErrorCode; again: boolean };

/**
 * One way to reach locks. A driver stores no state of commands, so it may get the same command twice. If a lock of
 * another make reports that it has the credential already, the driver checks the lock before it reports an error.
 */
export interface LockDriver {
  readonly name: LockDriverName;
  /** Sends a command. `signal` aborts when the time for one try is over. @throws never; failures are outcomes */
  send(lock: DriverLock, command: CommandMessage, signal: AbortSignal): Promise<SendResult>;
}

/** External name of a lock: its MAC address on our own topics, or its address in another system. */
export type LockName =
  | { hotelId: number; mac: string }
  | { hotelId: number; driver: "zigbee2mqtt" | "ttlock"; address: string };

/** Reports from drivers to the console. Unregistered locks are ignored and logged once. */
export interface LockReports {
  /** Processes the answer to a command. A repeated answer changes nothing. */
  acknowledge(lock: LockName, ack: AckMessage): Promise<void>;
  /** Processes a status report. `retained`: the broker stored it earlier, so it may not describe the present. */
  status(lock: LockName, status: StatusMessage, retained?: boolean): Promise<void>;
  /** Reports that the lock has subscribed, so commands reach it from now on. Only our own broker reports this. */
  listening(lock: LockName): Promise<void>;
  /**
   * Stores each event once. Resolves after commit, with the number up to which the lock may delete its events. `log`:
   * the lock's memory that the events come from, if the lock named it.
   */
  events(lock: LockName, events: readonly ReceivedEvent[], log?: string | null): Promise<number>;
}

/** The identity of a broker user. */
export type DeviceUser =
  /** `login`: fingerprint of the password that the connection logged in with */
  | { kind: "lock"; hotelId: number; mac: string; login?: string }
  /** `base`: the topic below which the link has full access */
  | { kind: "link"; hotelId: number; link: "zigbee2mqtt" | "home_assistant"; base: string };

/** A user account for a broker that does not ask the console. */
export interface DeviceAccount {
  user: string;
  password: string;
  identity: DeviceUser;
}

export interface DeviceAccounts {
  /** all users that may connect now, except those whose password was issued before passwords were stored sealed */
  accounts(): Promise<DeviceAccount[]>;
}

/** Our own broker calls this at every connection. */
export interface DeviceAccess {
  /** Returns null for an unknown user or a wrong password. */
  authenticate(user: string, password: string): Promise<DeviceUser | null>;
}
