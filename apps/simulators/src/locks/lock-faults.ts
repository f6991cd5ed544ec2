/** What can be made to go wrong with one lock. Ratios are 0 to 1. */
export interface LockFaults {
  /** cut off from the network, without a goodbye */
  offline: boolean;
  /** connected, but does and answers nothing */
  dead: boolean;
  /** milliseconds before it does what it is told */
  slow: number;
  loseCommands: number;
  loseAcks: number;
  doubleAcks: number;
  /** commands that the network delivers twice, and that it delivers after the next one, or 20 s late where none comes */
  doubleCommands: number;
  lateCommands: number;
  /** commands in the middle of which it starts anew: before or after the deed, but before it has noted that it is done */
  reboots: number;
  /** takes no further credential */
  full: boolean;
  /** has no room for the number of another card that it is to refuse */
  fullBlocks: boolean;
  /** its mechanics are stuck: it answers "busy", and the motor opens for nobody */
  jam: boolean;
  lowBattery: boolean;
  /** dead until it gets new batteries: it neither answers nor opens, but for the mechanical key and from inside */
  flatBattery: boolean;
  /** its clock is ahead by this; set_clock mends it */
  driftSeconds: number;
  /** and gains so much with every hour, which set_clock does not mend */
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

/** Takes what it knows out of a request; the rest stays as it was. */
export function lockFaultsOf(input: unknown, before: LockFaults): LockFaults {
  const fields = Object(input) as Record<string, unknown>;
  const flag = (name: (typeof FLAGS)[number]): boolean =>
    typeof fields[name] === "boolean" ? fields[name] : before[name];
  const amount = (name: keyof typeof BOUNDS): number => {
    const value = fields[name];
    const [least, most] = BOUNDS[name];
    return typeof value === "number" && Number.isFinite(value) ? Math.min(Math.max(least, value), most) : before[name];
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
