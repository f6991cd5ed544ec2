import type { LockFaults } from "./lock-faults.ts";

/** Longer than the console waits for an answer: what is late comes after it was said again. */
export const LATE_MS = 20_000;

/** The way from the broker to a lock at its worst: a message may come twice, or after those that were sent later. */
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

  /** What is still under way never arrives. */
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
