import type { CardReader, ReaderSelf } from "./card-reader.ts";
import { ReaderError } from "./reader-error.ts";

type StepResult = "done" | "failed" | "skipped";

export interface TimedStep<Name extends string> {
  name: Name;
  result: StepResult;
  /** Round-trip time in milliseconds; missing if the step was not tried. */
  milliseconds?: number;
  /** A version, a serial number or a card's number. */
  value?: string;
  failure?: ReaderError;
}

export interface Trial<Name extends string> {
  name: Name;
  run: (signal: AbortSignal) => Promise<string | undefined>;
  /** Whether the steps after it make no sense if it fails. */
  essential?: boolean;
}

interface TrialOptions<Name extends string> {
  signal: AbortSignal;
  onStep: (step: TimedStep<Name>) => void;
  clock?: () => number;
}

/** Runs steps in order and measures each. A step that the device doesn't support is skipped. */
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

export const SELF_TEST_STEPS = ["open", "serial", "model", "light", "buzzer", "antenna", "cardInField"] as const;
type SelfTestStep = (typeof SELF_TEST_STEPS)[number];

/** Tests a reader step by step; a card must lie on it at the end. */
export function selfTest(reader: CardReader & ReaderSelf): Trial<SelfTestStep>[] {
  const nothing = async (done: Promise<void>): Promise<undefined> => {
    await done;
    return undefined;
  };
  return [
    { name: "open", essential: true, run: (signal) => nothing(reader.open(signal)) },
    { name: "serial", run: (signal) => reader.serial(signal) },
    { name: "model", run: (signal) => reader.model(signal) },
    { name: "light", run: (signal) => nothing(reader.light(signal)) },
    { name: "buzzer", run: (signal) => nothing(reader.beep(signal)) },
    { name: "antenna", run: (signal) => nothing(reader.antenna(signal)) },
    { name: "cardInField", run: async (signal) => (await reader.readUid(signal)).uid },
  ];
}
