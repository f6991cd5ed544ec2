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
  /** takes no further credential */
  full: boolean;
  /** its mechanics are stuck: it answers "busy" */
  jam: boolean;
  lowBattery: boolean;
  /** its clock is ahead by this; set_clock mends it */
  driftSeconds: number;
}

export const NO_LOCK_FAULTS: LockFaults = {
  offline: false,
  dead: false,
  slow: 0,
  loseCommands: 0,
  loseAcks: 0,
  doubleAcks: 0,
  full: false,
  jam: false,
  lowBattery: false,
  driftSeconds: 0,
};

const BOUNDS = {
  slow: [0, 120_000],
  loseCommands: [0, 1],
  loseAcks: [0, 1],
  doubleAcks: [0, 1],
  driftSeconds: [-31_536_000, 31_536_000],
} as const;

/** Takes what it knows out of a request; the rest stays as it was. */
export function lockFaultsOf(given: unknown, before: LockFaults): LockFaults {
  const said = Object(given) as Record<string, unknown>;
  const flag = (name: "offline" | "dead" | "full" | "jam" | "lowBattery"): boolean =>
    typeof said[name] === "boolean" ? said[name] : before[name];
  const amount = (name: keyof typeof BOUNDS): number => {
    const value = said[name];
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
    full: flag("full"),
    jam: flag("jam"),
    lowBattery: flag("lowBattery"),
    driftSeconds: amount("driftSeconds"),
  };
}
