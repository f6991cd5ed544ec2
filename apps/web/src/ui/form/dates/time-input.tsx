import { formatTimeOfDay } from "@/lib/format.ts";
import { language, t } from "@/lib/i18n.ts";
import { readTime, type TimeOfDay } from "./read-dates.ts";
import { type TextControlProps, TypedInput } from "./typed-input.tsx";

const AFTERNOON = "14:30";

type TimeInputProps = TextControlProps & {
  /** "HH:mm" */
  value: TimeOfDay | null | undefined;
  /** Receives an empty text for an empty input and for text that is no time. */
  onChange: (time: TimeOfDay) => void;
};

/** Input for a time of day, written with 12 or 24 hours as the hotel does and read in both forms. */
export function TimeInput({ value, onChange, ...props }: TimeInputProps) {
  const example = formatTimeOfDay(AFTERNOON);
  return (
    <TypedInput
      placeholder={t("dates.example", { example })}
      {...props}
      written={value ? formatTimeOfDay(value) : ""}
      read={(text) => {
        const read = readTime(text, language.tag);
        return read && { value: read.time, isComplete: read.isComplete };
      }}
      onRead={(time) => onChange(time ?? "")}
      problem={t("dates.notATime", { example })}
    />
  );
}
