import { Check, ChevronsUpDown, X } from "lucide-react";
import { type ComponentProps, type ReactNode, type Ref, useEffect, useMemo, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { matchScore } from "@/lib/commands/palette-search.ts";
import { t } from "@/lib/i18n.ts";
import { Command, CommandEmpty, CommandInput, CommandItem, CommandList } from "../primitives/command.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../primitives/popover.tsx";
import { pickerStyle } from "../styles.ts";

export type ComboboxOption<Value extends string | number> = {
  value: Value;
  label: string;
  /** A second line, or a figure at the end of the row. */
  detail?: ReactNode;
  /** Further words that find the option. */
  keywords?: string[];
  /** Whether the option can't be chosen; `detail` says why. */
  unavailable?: boolean;
};

type ComboboxProps<Value extends string | number> = {
  options: readonly ComboboxOption<Value>[];
  value: Value | null | undefined;
  onChange: (value: Value | null) => void;
  placeholder?: string;
  searchPlaceholder?: string;
  clearable?: boolean;
  /** Set it if the server searches: it receives the typed text, and the options are shown unfiltered. */
  onSearch?: (text: string) => void;
  /** Whether the search for the typed text is still running; options of an earlier search can't be chosen then. */
  loading?: boolean;
  id?: string;
  ref?: Ref<HTMLButtonElement>;
  onBlur?: () => void;
  name?: string;
  required?: boolean;
  disabled?: boolean;
  className?: string;
  "aria-label"?: string;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string;
};

const MAX_LISTED = 200;

/**
 * cmdk matches the item's value, so we pass label and keywords. With the id, "101" would match the room whose id is
 * 101.
 */
const matchByText: ComponentProps<typeof Command>["filter"] = (_id, typed, [label = "", ...more] = []) =>
  matchScore(typed, label, more);

type OptionListProps<Value extends string | number> = {
  options: readonly ComboboxOption<Value>[];
  isChosen: (value: Value) => boolean;
  onChoose: (value: Value) => void;
  placeholder?: string | undefined;
  onSearch?: ((text: string) => void) | undefined;
  loading?: boolean | undefined;
};

/** Returns the option that matches the typed text best. Among options that don't match, the chosen one comes last. */
function bestMatch<Value extends string | number>(
  { options, isChosen }: Pick<OptionListProps<Value>, "options" | "isChosen">,
  typed: string,
): Value | undefined {
  const rank = ({ value, label, keywords }: ComboboxOption<Value>): number =>
    matchScore(typed, label, keywords) || (isChosen(value) ? -1 : 0);
  return options.toSorted((one, other) => rank(other) - rank(one))[0]?.value;
}

/** Search field and list of options. */
export function OptionList<Value extends string | number>(props: OptionListProps<Value>) {
  const { options, isChosen, onChoose, placeholder, onSearch, loading } = props;
  const outdated = Boolean(onSearch && loading);
  const listed = onSearch ? options.slice(0, MAX_LISTED) : options;
  const [typed, setTyped] = useState("");
  const [highlighted, setHighlighted] = useState("");
  const best = onSearch && !outdated ? String(bestMatch({ options: listed, isChosen }, typed) ?? "") : "";
  const answer = useMemo(() => ({ typed, best }), [typed, best]);

  // cmdk highlights the first option, or one of an earlier search that is found again.
  useEffect(() => setHighlighted(answer.best), [answer]);

  function search(text: string): void {
    setTyped(text);
    onSearch?.(text);
  }

  return (
    <Command
      loop
      filter={matchByText}
      shouldFilter={!onSearch}
      {...(onSearch && { value: highlighted, onValueChange: setHighlighted })}
    >
      <CommandInput
        placeholder={placeholder ?? t("common.search")}
        aria-label={placeholder ?? t("common.search")}
        onValueChange={search}
      />
      <CommandList aria-busy={outdated}>
        <CommandEmpty>{loading ? t("common.loading") : t("common.nothingFound")}</CommandEmpty>
        {listed.map(({ value, label, detail, keywords = [], unavailable = false }) => (
          <CommandItem
            key={value}
            value={String(value)}
            keywords={[label, ...keywords]}
            aria-description={unavailable && typeof detail === "string" ? detail : undefined}
            // Enter stays on the typed option even if it can't be chosen; otherwise it would choose the next room
            // instead. Options of an earlier search don't match the text typed since.
            onSelect={() => !unavailable && !outdated && onChoose(value)}
            className={cn((unavailable || outdated) && "opacity-50")}
          >
            <bdi className="min-w-0 flex-1 truncate">{label}</bdi>
            {detail && <span className="truncate text-sm text-muted-foreground">{detail}</span>}
            <Check className={cn("text-brass-ink!", !isChosen(value) && "invisible")} aria-hidden />
          </CommandItem>
        ))}
      </CommandList>
    </Command>
  );
}

export function Combobox<Value extends string | number>(props: ComboboxProps<Value>) {
  const {
    options,
    value,
    onChange,
    placeholder,
    searchPlaceholder,
    clearable,
    onSearch,
    loading,
    className,
    name: _name,
    required: _required,
    ...trigger
  } = props;
  const [open, setOpen] = useState(false);
  const selected = options.find((option) => option.value === value);

  function choose(next: Value | null): void {
    onChange(next);
    setOpen(false);
  }

  return (
    <Popover open={open} onOpenChange={setOpen}>
      <div className="relative">
        <PopoverTrigger
          type="button"
          role="combobox"
          aria-expanded={open}
          {...trigger}
          className={cn(pickerStyle, className)}
        >
          <span className={cn("truncate", !selected && "text-faint-foreground", clearable && selected && "pe-7")}>
            {selected?.label ?? placeholder ?? t("common.choose")}
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted-foreground" aria-hidden />
        </PopoverTrigger>
        {clearable && selected && !trigger.disabled && (
          <button
            type="button"
            aria-label={t("common.clear")}
            onClick={() => choose(null)}
            className="absolute inset-y-0 end-8 my-auto grid size-6 place-items-center rounded-sm text-muted-foreground hover:bg-hover"
          >
            <X className="size-3.5" aria-hidden />
          </button>
        )}
      </div>
      <PopoverContent align="start" className="w-(--radix-popover-trigger-width) min-w-56 p-0">
        <OptionList
          options={options}
          isChosen={(option) => option === value}
          onChoose={choose}
          placeholder={searchPlaceholder}
          onSearch={onSearch}
          loading={loading}
        />
      </PopoverContent>
    </Popover>
  );
}
