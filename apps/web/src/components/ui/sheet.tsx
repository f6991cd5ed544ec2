import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "./button.tsx";
import { scrimStyle } from "./dialog.tsx";
import { useReturnFocus } from "./use-return-focus.ts";

export const Sheet = Radix.Root;
export const SheetTrigger = Radix.Trigger;
export const SheetClose = Radix.Close;

const sides = {
  start:
    "inset-y-0 start-0 border-e data-[state=open]:slide-in-from-left-4 rtl:data-[state=open]:slide-in-from-right-4",
  end: "inset-y-0 end-0 border-s data-[state=open]:slide-in-from-right-4 rtl:data-[state=open]:slide-in-from-left-4",
};

type SheetContentProps = {
  title: ReactNode;
  description?: ReactNode;
  side?: keyof typeof sides;
  className?: string;
  footer?: ReactNode;
  /** The title is only read out. */
  bare?: boolean;
  children: ReactNode;
};

/** A drawer along the screen's edge for the details of one thing; full width on phones. */
export function SheetContent({
  title,
  description,
  side = "end",
  className,
  footer,
  bare,
  children,
}: SheetContentProps) {
  const { t } = useTranslation();
  const returnFocus = useReturnFocus();
  return (
    <Radix.Portal>
      <Radix.Overlay className={scrimStyle} />
      <Radix.Content
        {...returnFocus}
        {...(!description && { "aria-describedby": undefined })}
        className={cn(
          "fixed z-50 flex w-full flex-col bg-popover text-popover-foreground shadow-dialog outline-none sm:max-w-lg",
          "data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:duration-100",
          sides[side],
          className,
        )}
      >
        {bare ? (
          <Radix.Title className="sr-only">{title}</Radix.Title>
        ) : (
          <header className="flex items-start gap-4 border-b px-5 py-3.5">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description className="text-sm text-muted-foreground">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <Button variant="ghost" size="iconSm" aria-label={t("common.close")} className="-me-2">
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </header>
        )}
        <div className={cn("scroll-quiet min-h-0 flex-1 overflow-y-auto", !bare && "p-5")}>{children}</div>
        {footer && (
          <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3">{footer}</footer>
        )}
      </Radix.Content>
    </Radix.Portal>
  );
}
