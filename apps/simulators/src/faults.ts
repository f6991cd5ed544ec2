/** What can be made to go wrong. `down` names services that don't listen at all. */
export const SERVICES = ["http", "hid", "socket", "fingerprint"] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface Faults {
  /** the reader (and the sensor) is unplugged */
  noDevice: boolean;
  /** every key is refused */
  wrongKey: boolean;
  /** the card is taken away right after its sector was opened */
  cardGone: boolean;
  /** answers that make no sense */
  garbage: boolean;
  /** milliseconds before every answer */
  slow: number;
  /** the card closes itself to writing */
  writeFails: boolean;
  down: ServiceName[];
}

export const NO_FAULTS: Faults = {
  noDevice: false,
  wrongKey: false,
  cardGone: false,
  garbage: false,
  slow: 0,
  writeFails: false,
  down: [],
};

const LONGEST_DELAY = 120_000;

/** Takes what it knows out of a request to the control service. */
export function faultsOf(given: unknown, before: Faults): Faults {
  const said = Object(given) as Record<string, unknown>;
  const flag = (name: "noDevice" | "wrongKey" | "cardGone" | "garbage" | "writeFails"): boolean =>
    typeof said[name] === "boolean" ? said[name] : before[name];
  const down = Array.isArray(said.down)
    ? SERVICES.filter((name) => (said.down as unknown[]).includes(name))
    : before.down;
  const slow = typeof said.slow === "number" ? Math.min(Math.max(0, said.slow), LONGEST_DELAY) : before.slow;
  return {
    noDevice: flag("noDevice"),
    wrongKey: flag("wrongKey"),
    cardGone: flag("cardGone"),
    garbage: flag("garbage"),
    writeFails: flag("writeFails"),
    slow,
    down,
  };
}
