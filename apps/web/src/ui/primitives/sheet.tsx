import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { BoxFooter, BoxHeader } from "./box-parts.tsx";
import { fadeIn, scrimStyle } from "./overlay-style.ts";
import { useReturnFocus } from "./use-return-focus.ts";

export const Sheet = Radix.Root;
export const SheetTrigger = Radix.Trigger;
export const SheetClose = Radix.Close;

const sides = {
  start:
    "top-(--connection-bar) bottom-0 start-0 border-e data-[state=open]:slide-in-from-left-4 rtl:data-[state=open]:slide-in-from-right-4",
  end: "top-(--connection-bar) bottom-0 end-0 border-s data-[state=open]:slide-in-from-right-4 rtl:data-[state=open]:slide-in-from-left-4",
};

type SheetContentProps = {
  title: ReactNode;
  description?: ReactNode;
  side?: keyof typeof sides;
  className?: string;
  footer?: ReactNode;
  /** Hides the title visually. */
  bare?: boolean;
  children: ReactNode;
};

/** A drawer at the edge of the screen for details of one thing; full width on phones. */
export function SheetContent({
  title,
  description,
  side = "end",
  className,
  footer,
  bare,
  children,
}: SheetContentProps) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Portal>
      <Radix.Overlay className={scrimStyle} />
      <Radix.Content
        {...returnFocus}
        {...(!description && { "aria-describedby": undefined })}
        className={cn(
          "fixed z-50 flex w-full flex-col bg-popover text-popover-foreground shadow-dialog outline-none sm:max-w-lg",
          fadeIn,
          sides[side],
          className,
        )}
      >
        {bare ? (
          <Radix.Title className="sr-only">{title}</Radix.Title>
        ) : (
          <BoxHeader title={title} description={description} className="border-b py-3.5" />
        )}
        <div className={cn("scroll-quiet min-h-0 flex-1 overflow-y-auto", !bare && "p-5")}>{children}</div>
        {footer && <BoxFooter>{footer}</BoxFooter>}
      </Radix.Content>
    </Radix.Portal>
  );
}
