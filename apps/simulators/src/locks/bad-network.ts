import type { LockFaults } from "./lock-faults.ts";

/** Longer than the console waits for an answer, so a late message arrives after the console has repeated it. */
export const LATE_MS = 20_000;

/** An unreliable network between the broker and a lock: messages may be delivered twice or out of order. */
export class BadNetwork {
  private late: { message: unknown; timer: NodeJS.Timeout }[] = [];
  private readonly take: (message: unknown) => void;
  private readonly random: () => number;

  constructor(take: (message: unknown) => void, random: () => number) {
    this.take = take;
    this.random = random;
  }

  deliver(message: unknown, { lateCommands, doubleCommands }: LockFaults): void {
    if (this.random() < lateCommands) {
      this.late.push({ message, timer: setTimeout(() => this.deliverLate(), LATE_MS) });
      return;
    }
    this.take(message);
    this.deliverLate();
    if (this.random() < doubleCommands) this.take(message);
  }

  /** Drops all delayed messages. */
  stop(): void {
    for (const { timer } of this.late.splice(0)) clearTimeout(timer);
  }

  private deliverLate(): void {
    for (const { message, timer } of this.late.splice(0)) {
      clearTimeout(timer);
      this.take(message);
    }
  }
}
