import { ClipboardCopy, Play } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { copyText } from "@/lib/copy-text.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { runTrials, type TimedStep, type Trial } from "@/readers/timed-steps.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { milliseconds, reportOf } from "./report.ts";
import { StepList } from "./step-list.tsx";

type TestCardProps<Name extends string> = {
  title: string;
  text: string;
  names: readonly Name[];
  labelOf: (name: Name) => string;
  promptOf?: (name: Name) => string | undefined;
  make: () => { trials: Trial<Name>[]; end?: () => Promise<void> };
  primary?: boolean;
  children?: ReactNode;
};

/** Test of one device: start button, steps, durations, and a report to copy. */
export function TestCard<Name extends string>(props: TestCardProps<Name>) {
  const { title, text, names, labelOf, promptOf, make, primary, children } = props;
  const { t } = useTranslation();
  const { running, steps, start, cancel } = useTrial(make);
  const over = !running && steps.length > 0;
  const total = steps.reduce((sum, step) => sum + (step.milliseconds ?? 0), 0);
  return (
    <Card>
      <CardHeader title={title} description={text} />
      <CardBody className="grid gap-4">
        {children}
        <StepList names={names} labelOf={labelOf} promptOf={promptOf} steps={steps} running={running} />
        <div className="flex flex-wrap items-center gap-2">
          {running ? (
            <Button onClick={cancel}>{t("common.cancel")}</Button>
          ) : (
            <Button variant={primary ? "primary" : "secondary"} needsServer={false} onClick={start}>
              <Play aria-hidden className="flip-rtl" />
              {over ? t("reader.testAgain") : t("reader.startTest")}
            </Button>
          )}
          {over && (
            <>
              <Button variant="ghost" onClick={() => void copyText(reportOf(title, steps, labelOf))}>
                <ClipboardCopy aria-hidden />
                {t("reader.copyReport")}
              </Button>
              <span className="ms-auto text-sm text-muted-foreground tabular-nums">
                {t("reader.total", { time: milliseconds(total) })}
              </span>
            </>
          )}
        </div>
      </CardBody>
    </Card>
  );
}

type Test<Name extends string> = { trials: Trial<Name>[]; end?: () => Promise<void> };

interface RunningTrial<Name extends string> {
  running: boolean;
  steps: readonly TimedStep<Name>[];
  start: () => void;
  cancel: () => void;
}

/** Runs a test step by step and shows its progress. Leaving the screen cancels it. */
function useTrial<Name extends string>(make: () => Test<Name>): RunningTrial<Name> {
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
