import { plainText, wordsOf } from "./plain-text.ts";

/** What a language writes in dates and times, taken from `Intl` so that what it writes can also be read. */

/** A Sunday. */
const FIRST_DAY = Date.UTC(2026, 1, 1);
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const ENGLISH = "en";

/** Remembers the result for each language. */
function perTag<Result>(make: (tag: string) => Result): (tag: string) => Result {
  const results = new Map<string, Result>();
  return (tag) => {
    const result = results.get(tag) ?? make(tag);
    results.set(tag, result);
    return result;
  };
}

function partsOf(tag: string, options: Intl.DateTimeFormatOptions, time: number): Intl.DateTimeFormatPart[] {
  return new Intl.DateTimeFormat(tag, { timeZone: "UTC", ...options }).formatToParts(time);
}

type DatePart = "year" | "month" | "day";

/** The order in which the language writes the parts of a date. */
export const orderOf = perTag((tag): DatePart[] =>
  partsOf(tag, { year: "numeric", month: "numeric", day: "numeric" }, FIRST_DAY).flatMap(({ type }) =>
    type === "year" || type === "month" || type === "day" ? [type] : [],
  ),
);

const MONTH_STYLES: Intl.DateTimeFormatOptions[] = [
  { month: "long" },
  { month: "short" },
  { dateStyle: "long" },
  { dateStyle: "medium" },
];

function monthNames(tag: string): Map<string, number> {
  const names = new Map<string, number>();
  for (let month = 1; month <= 12; month += 1) {
    for (const style of MONTH_STYLES) {
      const written =
        partsOf(tag, style, Date.UTC(2026, month - 1, 15)).find(({ type }) => type === "month")?.value ?? "";
      const [name] = wordsOf(plainText(written));
      if (name && !/\d/.test(plainText(written))) names.set(name, month);
    }
  }
  return names;
}

const MIN_LETTERS = 3;

type Months = {
  /** The month that has a name in the language or in English. */
  named: (word: string) => number | undefined;
  /** The same, also for the beginning of a name if it is long enough for one month; null for other words. */
  meant: (word: string) => number | null;
};

export const monthsOf = perTag((tag): Months => {
  const names = new Map([...monthNames(ENGLISH), ...monthNames(tag)]);
  const named = (word: string): number | undefined => names.get(word);
  return {
    named,
    meant: (word) => {
      const begun = new Set([...names].filter(([name]) => name.startsWith(word)).map(([, month]) => month));
      return named(word) ?? (word.length >= MIN_LETTERS && begun.size === 1 ? ([...begun][0] ?? null) : null);
    },
  };
});

/** Words for today and its neighbours, and how many days they are away. */
export const relativeDaysOf = perTag((tag): Map<string, number> => {
  const format = new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  return new Map([-1, 0, 1].map((days) => [plainText(format.format(days, "day")), days]));
});

/** Words for parts of the day, each with the hours that it is written with. */
export const dayPeriodsOf = perTag((tag): Map<string, Set<number>> => {
  const periods = new Map([
    ["am", new Set(HOURS.slice(0, 12))],
    ["pm", new Set(HOURS.slice(12))],
  ]);
  const styles: Intl.DateTimeFormatOptions[] = [{ timeStyle: "short" }, { dateStyle: "medium", timeStyle: "short" }];
  for (const twelve of [`${tag}-u-hc-h12`, tag]) {
    for (const style of styles) {
      for (const hour of HOURS) {
        const written = partsOf(twelve, style, FIRST_DAY + hour * 3_600_000);
        const period = plainText(written.find(({ type }) => type === "dayPeriod")?.value ?? "");
        if (period) periods.set(period, (periods.get(period) ?? new Set()).add(hour));
      }
    }
  }
  return periods;
});

const WITHOUT_SPACES = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;

/** Returns whether a word only goes with dates: a weekday, "de", "um", "年". */
export const wordsBesideDates = perTag((tag) => {
  const words = new Set(["t"]);
  const styles: Intl.DateTimeFormatOptions[] = [
    { dateStyle: "full", timeStyle: "short" },
    { dateStyle: "medium", timeStyle: "short" },
    { weekday: "short" },
  ];
  for (let day = 0; day < 7; day += 1)
    for (const style of styles)
      for (const { type, value } of partsOf(tag, style, FIRST_DAY + day * 86_400_000))
        if (type === "literal" || type === "weekday") for (const word of wordsOf(plainText(value))) words.add(word);
  const unspaced = [...words]
    .filter((word) => WITHOUT_SPACES.test(word))
    .sort((one, other) => other.length - one.length);
  return (word: string): boolean =>
    words.has(word) ||
    (WITHOUT_SPACES.test(word) && unspaced.reduce((rest, part) => rest.replaceAll(part, ""), word) === "");
});
