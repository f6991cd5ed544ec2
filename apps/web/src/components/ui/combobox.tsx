import { defaultFilter } from "cmdk";
import { Check, ChevronsUpDown, X } from "lucide-react";
import { type ReactNode, type Ref, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Command, CommandEmpty, CommandInput, CommandItem, CommandList } from "./command.tsx";
import { controlStyle } from "./control-style.ts";
import { Popover, PopoverContent, PopoverTrigger } from "./popover.tsx";

export type ComboboxOption<Value extends string | number> = {
  value: Value;
  label: string;
  /** A second line or a figure at the end of the row. */
  detail?: ReactNode;
  /** More words it is found by. */
  keywords?: string[];
};

type ComboboxProps<Value extends string | number> = {
  options: readonly ComboboxOption<Value>[];
  value: Value | null | undefined;
  onChange: (value: Value | null) => void;
  placeholder?: string;
  searchPlaceholder?: string;
  clearable?: boolean;
  /** Set when the server does the searching: gets what is typed; the options are then shown unfiltered. */
  onSearch?: (text: string) => void;
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

const LISTED_AT_MOST = 200;

/** By what people read, the id (an option's value) aside: with it, "101" would find room 110 with the id 10 first. */
function nearness(_id: string, typed: string, [label = "", ...more]: string[] = []): number {
  return label.toLowerCase() === typed.trim().toLowerCase() ? 1 : defaultFilter(label, typed, more);
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
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const chosen = options.find((option) => option.value === value);

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
          className={cn(
            controlStyle,
            "flex h-10 items-center justify-between gap-2 ps-3 pe-2.5 text-start lg:h-9",
            className,
          )}
        >
          <span className={cn("truncate", !chosen && "text-faint-foreground", clearable && chosen && "pe-7")}>
            {chosen?.label ?? placeholder ?? t("common.choose")}
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted-foreground" aria-hidden />
        </PopoverTrigger>
        {clearable && chosen && !trigger.disabled && (
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
      <PopoverContent className="w-(--radix-popover-trigger-width) min-w-56 p-0">
        <Command shouldFilter={!onSearch} filter={nearness} loop>
          <CommandInput
            placeholder={searchPlaceholder ?? t("common.search")}
            aria-label={searchPlaceholder ?? t("common.search")}
            onValueChange={onSearch}
          />
          <CommandList>
            <CommandEmpty>{loading ? t("common.loading") : t("common.nothingFound")}</CommandEmpty>
            {(onSearch ? options.slice(0, LISTED_AT_MOST) : options).map((option) => (
              <CommandItem
                key={option.value}
                value={String(option.value)}
                keywords={[option.label, ...(option.keywords ?? [])]}
                onSelect={() => choose(option.value)}
              >
                <span className="min-w-0 flex-1 truncate">{option.label}</span>
                {option.detail && <span className="text-sm text-muted-foreground">{option.detail}</span>}
                <Check className={cn("text-brass-ink!", option.value !== value && "invisible")} aria-hidden />
              </CommandItem>
            ))}
          </CommandList>
        </Command>
      </PopoverContent>
    </Popover>
  );
}
