const QUARTER_MS = 900_000;
const MAX_CACHED = 5000;

/** Converts times to a time zone. Offsets only change at quarter hours, so each quarter is computed once. */
export class LocalTimes {
  readonly #parts: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(timeZone: string) {
    this.#parts = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  /** Returns the local clock time as milliseconds since 1970. */
  local(instant: string): number {
    const at = Date.parse(instant);
    return at + this.#offset(Math.floor(at / QUARTER_MS));
  }

  /** Formats the local time, for example "2026-03-29 03:00:00". */
  text(instant: string): string {
    return new Date(this.local(instant)).toISOString().slice(0, 19).replace("T", " ");
  }

  #offset(quarter: number): number {
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      if (this.#offsets.size >= MAX_CACHED) this.#offsets.clear();
      offset = this.#read(quarter * QUARTER_MS);
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }

  #read(at: number): number {
    const part = Object.fromEntries(this.#parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - at;
  }
}
