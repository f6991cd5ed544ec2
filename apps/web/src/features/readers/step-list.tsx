import { CircleAlert, CircleCheck, CircleDashed, CircleMinus, LoaderCircle } from "lucide-react";
import { failureWords } from "@/entities/reader/reader-words.ts";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import type { TimedStep } from "@/readers/timed-steps.ts";
import { milliseconds } from "./report.ts";

type Look = "waiting" | "running" | "done" | "failed" | "skipped";

const MARKS = {
  waiting: { icon: CircleDashed, color: "text-faint-foreground" },
  running: { icon: LoaderCircle, color: "text-brass-ink animate-spin motion-reduce:animate-none" },
  done: { icon: CircleCheck, color: "text-vacant" },
  failed: { icon: CircleAlert, color: "text-danger" },
  skipped: { icon: CircleMinus, color: "text-faint-foreground" },
} satisfies Record<Look, unknown>;

type StepListProps<Name extends string> = {
  names: readonly Name[];
  labelOf: (name: Name) => string;
  steps: readonly TimedStep<Name>[];
  running: boolean;
  /** Text shown beside the running step. */
  promptOf?: (name: Name) => string | undefined;
};

/** Lists a test's steps with their results and durations. */
export function StepList<Name extends string>({ names, labelOf, steps, running, promptOf }: StepListProps<Name>) {
  const { t } = useTranslation();
  return (
    <ol className="divide-y divide-dashed" aria-live="polite">
      {names.map((name, at) => {
        const step = steps[at];
        const look: Look = step?.result ?? (running && at === steps.length ? "running" : "waiting");
        const { icon: Icon, color } = MARKS[look];
        const failure = step?.result === "failed" && step.failure ? failureWords(step.failure) : undefined;
        return (
          <li key={name} className="flex gap-3 py-2.5">
            <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", color)} />
            <div className="min-w-0 flex-1">
              <p className={cn(look === "waiting" || look === "skipped" ? "text-muted-foreground" : "font-medium")}>
                {labelOf(name)}
                <span className="sr-only"> – {t(`reader.step.${look}`)}</span>
              </p>
              {step?.value && (
                <p className="text-sm break-words text-muted-foreground">
                  <bdi>{step.value}</bdi>
                </p>
              )}
              {look === "running" && promptOf?.(name) && <p className="text-sm text-brass-ink">{promptOf(name)}</p>}
              {look === "skipped" && step?.failure && (
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
