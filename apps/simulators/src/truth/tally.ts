import type { Claim, Key } from "./keys.ts";

/** A false claim of the console, with the history that led to it. */
export interface Lie {
  what: string;
  when: "life" | "rest";
  door: string;
  key: string;
  claim: string;
  answer: string;
  at: string;
  history: string[];
}

export const OUTCOMES = [
  "dead, refused",
  "dead, OPENED",
  "opens, opened",
  "opens, REFUSED",
  "opens, SILENT LOCK",
  "may open, opened",
  "may open, refused",
  "unknown, opened",
  "unknown, refused",
  "unknown, LOCK IS ONLINE",
  "waiting, opened",
  "waiting, refused",
  // Outcomes that the console could not know at that moment.
  "write again, refused",
  "changed meanwhile",
  "same digits as another key",
  "wrong clock",
  "memory just lost",
  "memory lost, keys being sent",
  "motor or power gone",
  "use not reported yet",
  "block not reported yet",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes that are always false claims. */
export const LIES: readonly Outcome[] = [
  "dead, OPENED",
  "opens, REFUSED",
  "opens, SILENT LOCK",
  "unknown, LOCK IS ONLINE",
];
/** Outcomes that are excusable during the run but false claims at rest, when all faults have ended. */
export const LIES_AT_REST: readonly Outcome[] = [
  "unknown, opened",
  "unknown, refused",
  "memory just lost",
  "memory lost, keys being sent",
  "motor or power gone",
  "use not reported yet",
  "block not reported yet",
];

export class Tally {
  readonly life = new Map<Outcome, number>();
  readonly rest = new Map<Outcome, number>();
  readonly keys = new Map<string, number>();
  readonly acts = new Map<string, number>();
  readonly troubles = new Map<string, number>();
  readonly lies: Lie[] = [];
  readonly events = { happened: 0, stored: 0, missing: 0, duplicates: 0 };
  readonly remote = { requested: 0, opened: 0 };
  /** refusals within paid stays: announced, or by outcome */
  readonly paidRefusals = new Map<string, number>();
  /** cards that were written again because the console asked for it */
  rewritten = 0;
  restSeconds = 0;
  /** actions that the console refused, by action and reason */
  readonly refusedActs = new Map<string, number>();
  unclear = 0;

  countOutcome(when: Lie["when"], outcome: Outcome): void {
    count(this[when], outcome);
  }

  /** Returns the percentage of tries whose claim was "unknown". */
  unknownPercent(when: Lie["when"]): number {
    const outcomes = this[when];
    const tries = [...outcomes.values()].reduce((sum, n) => sum + n, 0);
    const unknown = (outcomes.get("unknown, opened") ?? 0) + (outcomes.get("unknown, refused") ?? 0);
    return tries === 0 ? 0 : (100 * unknown) / tries;
  }

  addLie(what: string, when: Lie["when"], door: string, key: Key | null, claim: Claim | null, answer: string): void {
    this.lies.push({
      what,
      when,
      door,
      key: key ? `${key.name} ${key.kind} ${key.content}` : "",
      claim: claim ? `${claim.verdict} (${claim.basis})` : "",
      answer,
      at: new Date().toISOString(),
      history: [...(key?.history ?? [])],
    });
  }

  table(): string {
    const rows = OUTCOMES.map(
      (outcome) => [outcome, this.life.get(outcome) ?? 0, this.rest.get(outcome) ?? 0] as const,
    );
    const lines = rows
      .filter(([outcome, life, rest]) => life + rest > 0 || /[A-Z]{2}/.test(outcome))
      .map(([outcome, life, rest]) => `${outcome.padEnd(30)} ${String(life).padStart(8)} ${String(rest).padStart(8)}`);
    return [
      `${"the console says, the door did".padEnd(30)} ${"in life".padStart(8)} ${"at rest".padStart(8)}`,
      ...lines,
    ].join("\n");
  }
}

export const count = <K>(map: Map<K, number>, name: K): void => void map.set(name, (map.get(name) ?? 0) + 1);

export const formatCounts = (map: ReadonlyMap<string, number>): string =>
  [...map]
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${name} ${n}`)
    .join(", ");
