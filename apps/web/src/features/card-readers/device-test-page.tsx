import { CircleAlert, CircleCheck, CircleDashed, CircleMinus, ClipboardCopy, LoaderCircle, Play } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { withReader } from "@/entities/card-reader/card-reader.ts";
import { failureTexts } from "@/entities/card-reader/card-reader-status.tsx";
import { copyText } from "@/lib/browser/copy-text.ts";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import type { CardReader, ReaderDevice } from "@/readers/card-reader.ts";
import {
  FINGERPRINT_STEPS,
  type FingerprintStep,
  fingerprintTest,
  runTrials,
  SELF_TEST_STEPS,
  selfTest,
  type TimedStep,
  type Trial,
} from "@/readers/device-tests.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { ReaderChoice } from "./card-reader-panel.tsx";

function milliseconds(value: number): string {
  return formatNumber(value, { style: "unit", unit: "millisecond", maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** Returns the test results as text, for a mail to the person who maintains the devices. */
function reportOf<Name extends string>(
  title: string,
  steps: readonly TimedStep<Name>[],
  labelOf: (name: Name) => string,
): string {
  const total = steps.reduce((sum, step) => sum + (step.milliseconds ?? 0), 0);
  const lines = steps.map((step) =>
    [
      `${labelOf(step.name)}: ${t(`reader.step.${step.result}`)}`,
      step.milliseconds !== undefined && milliseconds(step.milliseconds),
      step.value,
      step.failure && Object.values(failureTexts(step.failure)).filter(Boolean).join(" "),
    ]
      .filter(Boolean)
      .join(" · "),
  );
  return [title, new Date().toISOString(), ...lines, t("reader.total", { time: milliseconds(total) })].join("\n");
}

type StepState = "waiting" | "running" | "done" | "failed" | "skipped";

const MARKS = {
  waiting: { icon: CircleDashed, color: "text-faint-foreground" },
  running: { icon: LoaderCircle, color: "text-brass-ink animate-spin motion-reduce:animate-none" },
  done: { icon: CircleCheck, color: "text-vacant" },
  failed: { icon: CircleAlert, color: "text-danger" },
  skipped: { icon: CircleMinus, color: "text-faint-foreground" },
} satisfies Record<StepState, unknown>;

type StepListProps<Name extends string> = {
  names: readonly Name[];
  labelOf: (name: Name) => string;
  steps: readonly TimedStep<Name>[];
  running: boolean;
  /** Text shown beside the running step. */
  promptOf?: (name: Name) => string | undefined;
};

/** Lists a test's steps with their results and durations. */
function StepList<Name extends string>({ names, labelOf, steps, running, promptOf }: StepListProps<Name>) {
  return (
    <ol className="divide-y divide-dashed" aria-live="polite">
      {names.map((name, at) => {
        const step = steps[at];
        const state: StepState = step?.result ?? (running && at === steps.length ? "running" : "waiting");
        const { icon: Icon, color } = MARKS[state];
        const failure = step?.result === "failed" && step.failure ? failureTexts(step.failure) : undefined;
        return (
          <li key={name} className="flex gap-3 py-2.5">
            <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", color)} />
            <div className="min-w-0 flex-1">
              <p className={cn(state === "waiting" || state === "skipped" ? "text-muted-foreground" : "font-medium")}>
                {labelOf(name)}
                <span className="sr-only"> – {t(`reader.step.${state}`)}</span>
              </p>
              {step?.value && (
                <p className="text-sm break-words text-muted-foreground">
                  <bdi>{step.value}</bdi>
                </p>
              )}
              {state === "running" && promptOf?.(name) && <p className="text-sm text-brass-ink">{promptOf(name)}</p>}
              {state === "skipped" && step?.failure && (
                <p className="text-sm text-muted-foreground">{t("reader.error.unsupported")}</p>
              )}
              {failure && (
                <p className="text-sm text-danger">
                  {[failure.title, failure.hint, failure.detail].filter(Boolean).join(" ")}
                </p>
              )}
            </div>
            {step?.milliseconds !== undefined && (
              <span className="text-sm whitespace-nowrap text-muted-foreground tabular-nums">
                {milliseconds(step.milliseconds)}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

type TestCardProps<Name extends string> = {
  title: string;
  text: string;
  names: readonly Name[];
  labelOf: (name: Name) => string;
  promptOf?: (name: Name) => string | undefined;
  createTest: () => { trials: Trial<Name>[]; end?: () => Promise<void> };
  primary?: boolean;
  children?: ReactNode;
};

/** Test of one device: start button, steps, durations, and a report to copy. */
function TestCard<Name extends string>(props: TestCardProps<Name>) {
  const { title, text, names, labelOf, promptOf, createTest, primary, children } = props;
  const { running, steps, start, cancel } = useTrial(createTest);
  const over = !running && steps.length > 0;
  const total = steps.reduce((sum, step) => sum + (step.milliseconds ?? 0), 0);
  return (
    <Card>
      <CardHeading title={title} description={text} />
      <CardContent className="grid gap-4">
        {children}
        <StepList names={names} labelOf={labelOf} promptOf={promptOf} steps={steps} running={running} />
        <div className="flex flex-wrap items-center gap-2">
          {running ? (
            <Button variant="outline" onClick={cancel}>
              {t("common.cancel")}
            </Button>
          ) : (
            <ActionButton variant={primary ? "default" : "outline"} needsServer={false} onClick={start}>
              <Play aria-hidden className="flip-rtl" />
              {over ? t("reader.testAgain") : t("reader.startTest")}
            </ActionButton>
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
      </CardContent>
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
function useTrial<Name extends string>(createTest: () => Test<Name>): RunningTrial<Name> {
  const [running, setRunning] = useState(false);
  const [steps, setSteps] = useState<readonly TimedStep<Name>[]>([]);
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function run(): Promise<void> {
    const controller = new AbortController();
    current.current = controller;
    setSteps([]);
    setRunning(true);
    const test = createTest();
    try {
      await runTrials(test.trials, {
        signal: controller.signal,
        onStep: (step) => setSteps((before) => [...before, step]),
      });
    } finally {
      await test.end?.();
      setRunning(false);
    }
  }

  return { running, steps, start: () => void run(), cancel: () => current.current?.abort() };
}

/** Reader for the test. Each call goes through the desk's reader, so the connection shown is the one being tested. */
const testedReader: CardReader & ReaderDevice = {
  open: (signal) => withReader((reader) => reader.open(signal)),
  readUid: (signal) => withReader((reader) => reader.readUid(signal)),
  readBlock: (where, signal) => withReader((reader) => reader.readBlock(where, signal)),
  writeBlock: (where, data, signal) => withReader((reader) => reader.writeBlock(where, data, signal)),
  rekey: (sector, from, newKey, signal) => withReader((reader) => reader.rekey(sector, from, newKey, signal)),
  beep: (signal) => withReader((reader) => reader.beep(signal)),
  close: (signal) => withReader((reader) => reader.close(signal)),
  serial: (signal) => withReader((reader) => reader.serial(signal)),
  model: (signal) => withReader((reader) => reader.model(signal)),
  testLight: (signal) => withReader((reader) => reader.testLight(signal)),
  resetAntenna: (signal) => withReader((reader) => reader.resetAntenna(signal)),
};

/** Tests the fingerprint sensor and the card reader. */
export function DeviceTestPage() {
  const fingerPrompt = (name: FingerprintStep): string | undefined => {
    if (name === "detect") return t("reader.finger.lay");
    return name.startsWith("extract") ? t("reader.finger.keep") : undefined;
  };
  return (
    <>
      <PageHeader title={t("reader.finger.title")} description={t("reader.finger.text")} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <TestCard
          primary
          title={t("reader.finger.sensor")}
          text={t("reader.finger.sensorText", { port: 9618 })}
          names={FINGERPRINT_STEPS}
          labelOf={(name) => t(`reader.finger.step.${name}`)}
          promptOf={fingerPrompt}
          createTest={() => fingerprintTest()}
        >
          <Callout tone="info" title={t("reader.finger.private")} />
        </TestCard>
        <TestCard
          title={t("reader.self.title")}
          text={t("reader.self.text")}
          names={SELF_TEST_STEPS}
          labelOf={(name) => t(`reader.self.step.${name}`)}
          createTest={() => ({ trials: selfTest(testedReader) })}
        >
          <ReaderChoice />
        </TestCard>
      </div>
    </>
  );
}
