import { CalendarDays } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Popover, PopoverAnchor, PopoverContent, PopoverTrigger } from "@/ui/primitives/popover.tsx";
import { UnreadableContext } from "./unreadable.ts";

type CalendarPopoverProps = {
  label: string;
  disabled?: boolean | undefined;
  className?: string | undefined;
  /** Renders the input with the button that opens the calendar; the arrow down opens it too. */
  input: (parts: { button: ReactNode; onKeyDown: (event: KeyboardEvent) => void }) => ReactNode;
  /** Renders the calendar. */
  children: (close: () => void) => ReactNode;
};

/** An input beside a button that opens a calendar. The focus returns to the input. */
export function CalendarPopover({ label, disabled, className, input, children }: CalendarPopoverProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);

  function press(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" || disabled) return;
    event.preventDefault();
    setOpen(true);
  }

  const button = (
    <PopoverTrigger asChild>
      <Button variant="ghost" size="icon-sm" aria-label={label} title={label} disabled={disabled}>
        <CalendarDays aria-hidden />
      </Button>
    </PopoverTrigger>
  );

  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverAnchor asChild>
        <div ref={box} className={cn("min-w-0", className)}>
          {input({ button, onKeyDown: press })}
        </div>
      </PopoverAnchor>
      <PopoverContent
        align="start"
        className="w-max p-3"
        aria-label={label}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          const content = event.currentTarget as HTMLElement | null;
          content?.querySelector<HTMLElement>("[data-date][tabindex='0']")?.focus({ preventScroll: true });
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          box.current?.querySelector("input")?.focus();
        }}
      >
        <UnreadableContext value={null}>{children(() => setOpen(false))}</UnreadableContext>
      </PopoverContent>
    </Popover>
  );
}
