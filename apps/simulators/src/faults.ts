/** Faults that can be simulated. `down` names services that don't listen at all. */
export const SERVICES = ["http", "hid", "socket", "fingerprint"] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface Faults {
  /** the reader (and the sensor) is unplugged */
  noDevice: boolean;
  /** every key is rejected */
  wrongKey: boolean;
  /** the card is removed right after its sector was authenticated */
  cardGone: boolean;
  /** malformed answers */
  garbage: boolean;
  /** delay in milliseconds before every answer */
  slow: number;
  /** writing to the card fails */
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

const MAX_DELAY = 120_000;

/** Reads the known fields of a request to the control service; the other faults keep their values from `before`. */
export function faultsOf(input: unknown, before: Faults): Faults {
  const fields = Object(input) as Record<string, unknown>;
  const flag = (name: "noDevice" | "wrongKey" | "cardGone" | "garbage" | "writeFails"): boolean =>
    typeof fields[name] === "boolean" ? fields[name] : before[name];
  const down = Array.isArray(fields.down)
    ? SERVICES.filter((name) => (fields.down as unknown[]).includes(name))
    : before.down;
  const slow = typeof fields.slow === "number" ? Math.min(Math.max(0, fields.slow), MAX_DELAY) : before.slow;
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
