import { ReaderError } from "./reader-error.ts";

export type StepResult = "done" | "failed" | "skipped";

export interface TimedStep<Name extends string> {
  name: Name;
  result: StepResult;
  /** there and back, in milliseconds; none for what was not tried */
  milliseconds?: number;
  /** a version, a serial number, a card's number */
  value?: string;
  failure?: ReaderError;
}

export interface Trial<Name extends string> {
  name: Name;
  run: (signal: AbortSignal) => Promise<string | undefined>;
  /** What comes after makes no sense without it. */
  essential?: boolean;
}

interface TrialOptions<Name extends string> {
  signal: AbortSignal;
  onStep: (step: TimedStep<Name>) => void;
  clock?: () => number;
}

/** Tries one thing after the other and takes the time of each. A thing that the device hasn't got is skipped. */
export async function runTrials<Name extends string>(
  trials: readonly Trial<Name>[],
  { signal, onStep, clock = () => performance.now() }: TrialOptions<Name>,
): Promise<TimedStep<Name>[]> {
  const steps: TimedStep<Name>[] = [];
  let stopped = false;
  for (const { name, run, essential } of trials) {
    const step: TimedStep<Name> = stopped ? { name, result: "skipped" } : await timed(name, () => run(signal), clock);
    if (step.result === "failed" && (essential || signal.aborted)) stopped = true;
    steps.push(step);
    onStep(step);
  }
  return steps;
}

async function timed<Name extends string>(
  name: Name,
  run: () => Promise<string | undefined>,
  clock: () => number,
): Promise<TimedStep<Name>> {
  const since = clock();
  try {
    const value = await run();
    return { name, result: "done", milliseconds: clock() - since, ...(value && { value }) };
  } catch (failure) {
    if (!(failure instanceof ReaderError)) throw failure;
    if (failure.kind === "unsupported") return { name, result: "skipped", failure };
    return { name, result: "failed", milliseconds: clock() - since, failure };
  }
}
