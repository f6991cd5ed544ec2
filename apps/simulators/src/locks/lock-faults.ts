/** Faults that can be simulated in one lock. Ratios are 0 to 1. */
export interface LockFaults {
  /** cut off from the network without a clean disconnect */
  offline: boolean;
  /** connected, but carries out and answers nothing */
  dead: boolean;
  /** delay in milliseconds before it carries out a command */
  slow: number;
  loseCommands: number;
  loseAcks: number;
  doubleAcks: number;
  /**
   * ratio of commands that are delivered twice, and of those delivered after the next one, or 20 s late if none follows
   */
  doubleCommands: number;
  lateCommands: number;
  /**
   * ratio of commands interrupted by a restart, before or after they are carried out but before they are recorded as
   * done
   */
  reboots: number;
  /** has no room for another credential */
  full: boolean;
  /** has no room for another blocked card number */
  fullBlocks: boolean;
  /** the mechanism is jammed: the lock answers "busy" and its motor doesn't open */
  jam: boolean;
  lowBattery: boolean;
  /** dead until the batteries are replaced: no answers, and it opens only with the mechanical key and from inside */
  flatBattery: boolean;
  /** seconds that its clock is ahead; set_clock corrects it */
  driftSeconds: number;
  /** seconds that its clock gains per hour; set_clock doesn't correct the rate */
  driftPerHour: number;
}

export const NO_LOCK_FAULTS: LockFaults = {
  offline: false,
  dead: false,
  slow: 0,
  loseCommands: 0,
  loseAcks: 0,
  doubleAcks: 0,
  doubleCommands: 0,
  lateCommands: 0,
  reboots: 0,
  full: false,
  fullBlocks: false,
  jam: false,
  lowBattery: false,
  flatBattery: false,
  driftSeconds: 0,
  driftPerHour: 0,
};

const BOUNDS = {
  slow: [0, 120_000],
  loseCommands: [0, 1],
  loseAcks: [0, 1],
  doubleAcks: [0, 1],
  doubleCommands: [0, 1],
  lateCommands: [0, 1],
  reboots: [0, 1],
  driftSeconds: [-31_536_000, 31_536_000],
  driftPerHour: [-3_600, 3_600],
} as const;
const FLAGS = ["offline", "dead", "full", "fullBlocks", "jam", "lowBattery", "flatBattery"] as const;

/** Reads the known fields of a request; the other faults keep their values from `before`. */
export function lockFaultsOf(input: unknown, before: LockFaults): LockFaults {
  const fields = Object(input) as Record<string, unknown>;
  const flag = (name: (typeof FLAGS)[number]): boolean =>
    typeof fields[name] === "boolean" ? fields[name] : before[name];
  const amount = (name: keyof typeof BOUNDS): number => {
    const value = fields[name];
    const [min, max] = BOUNDS[name];
    return typeof value === "number" && Number.isFinite(value) ? Math.min(Math.max(min, value), max) : before[name];
  };
  return {
    offline: flag("offline"),
    dead: flag("dead"),
    slow: amount("slow"),
    loseCommands: amount("loseCommands"),
    loseAcks: amount("loseAcks"),
    doubleAcks: amount("doubleAcks"),
    doubleCommands: amount("doubleCommands"),
    lateCommands: amount("lateCommands"),
    reboots: amount("reboots"),
    full: flag("full"),
    fullBlocks: flag("fullBlocks"),
    jam: flag("jam"),
    lowBattery: flag("lowBattery"),
    flatBattery: flag("flatBattery"),
    driftSeconds: amount("driftSeconds"),
    driftPerHour: amount("driftPerHour"),
  };
}
