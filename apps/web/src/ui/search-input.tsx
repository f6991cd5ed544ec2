import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { IconButton } from "./action/icon-button.tsx";
import { TextInput } from "./form/text-input.tsx";

type SearchInputProps = {
  /** Comes from the URL. */
  value: string;
  onChange: (text: string) => void;
  label: string;
  placeholder?: string;
  delayMilliseconds?: number;
  /** Arrow down and Enter go on to what was found. It is called once `value` is what was typed. */
  onLeave?: () => void;
  autoFocus?: boolean;
  className?: string;
};

/** The page's search: `/` focuses it, Escape clears it, and `onChange` is called after a pause in typing. */
export function SearchInput({
  value,
  onChange,
  label,
  placeholder,
  delayMilliseconds = 200,
  onLeave,
  autoFocus,
  className,
}: SearchInputProps) {
  const [typed, setTyped] = useState(value);
  const [isLeaving, setLeaving] = useState(false);
  const reported = useRef(value);

  useEffect(() => {
    if (value !== reported.current) setTyped(value);
    reported.current = value;
  }, [value]);

  useEffect(() => {
    if (typed === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = typed;
      onChange(typed);
    }, delayMilliseconds);
    return () => clearTimeout(timer);
  }, [typed, onChange, delayMilliseconds]);

  // Whoever types fast presses Enter before the page shows what they typed. Until then, its first row is another one.
  useEffect(() => {
    if (!isLeaving || value !== typed) return;
    setLeaving(false);
    onLeave?.();
  }, [isLeaving, value, typed, onLeave]);

  return (
    <search className={cn("block w-full sm:w-76 print:hidden", className)}>
      <TextInput
        type="search"
        data-page-search
        autoFocus={autoFocus}
        aria-label={label}
        aria-keyshortcuts="/"
        icon={Search}
        placeholder={placeholder ?? label}
        className="[&::-webkit-search-cancel-button]:hidden"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setLeaving(false);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" && typed !== "") setTyped("");
          if ((event.key !== "ArrowDown" && event.key !== "Enter") || !onLeave || event.nativeEvent.isComposing) return;
          if (typed !== reported.current) {
            reported.current = typed;
            onChange(typed);
          }
          event.preventDefault();
          setLeaving(true);
        }}
        end={
          typed !== "" && <IconButton icon={X} size="icon-sm" label={t("common.clear")} onClick={() => setTyped("")} />
        }
      />
    </search>
  );
}
