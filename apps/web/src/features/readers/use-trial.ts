import { useEffect, useRef, useState } from "react";
import { runTrials, type TimedStep, type Trial } from "@/readers/timed-steps.ts";

type Test<Name extends string> = { trials: Trial<Name>[]; end?: () => Promise<void> };

interface RunningTrial<Name extends string> {
  running: boolean;
  steps: readonly TimedStep<Name>[];
  start: () => void;
  cancel: () => void;
}

/** Runs a test step by step for a screen that shows it; leaving the screen ends it. */
export function useTrial<Name extends string>(make: () => Test<Name>): RunningTrial<Name> {
  const [running, setRunning] = useState(false);
  const [steps, setSteps] = useState<readonly TimedStep<Name>[]>([]);
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function run(): Promise<void> {
    const own = new AbortController();
    current.current = own;
    setSteps([]);
    setRunning(true);
    const test = make();
    try {
      await runTrials(test.trials, {
        signal: own.signal,
        onStep: (step) => setSteps((before) => [...before, step]),
      });
    } finally {
      await test.end?.();
      setRunning(false);
    }
  }

  return { running, steps, start: () => void run(), cancel: () => current.current?.abort() };
}
