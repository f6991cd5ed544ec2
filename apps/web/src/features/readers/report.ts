import { failureWords } from "@/entities/reader/reader-words.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import type { TimedStep } from "@/readers/timed-steps.ts";

export function milliseconds(value: number): string {
  return formatNumber(value, { style: "unit", unit: "millisecond", maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** Returns the test results as text, for a mail to the person who maintains the devices. */
export function reportOf<Name extends string>(
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
      step.failure && Object.values(failureWords(step.failure)).filter(Boolean).join(" "),
    ]
      .filter(Boolean)
      .join(" · "),
  );
  return [title, new Date().toISOString(), ...lines, t("reader.total", { time: milliseconds(total) })].join("\n");
}
