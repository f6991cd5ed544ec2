import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "./button.tsx";
import { useReturnFocus } from "./use-return-focus.ts";

export const Dialog = Radix.Root;
export const DialogTrigger = Radix.Trigger;
export const DialogClose = Radix.Close;

export const scrimStyle =
  "fixed inset-0 z-50 bg-scrim data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:duration-100";
const widths = { sm: "sm:max-w-md", md: "sm:max-w-xl", lg: "sm:max-w-3xl" };

type DialogContentProps = Omit<ComponentProps<typeof Radix.Content>, "title"> & {
  title: ReactNode;
  description?: ReactNode;
  width?: keyof typeof widths;
  /** Stays in sight while the body scrolls. */
  footer?: ReactNode;
};

/** Centred; on phones a sheet from the bottom. Escape and the cross close it. */
export function DialogContent({
  title,
  description,
  width = "md",
  footer,
  className,
  children,
  onOpenAutoFocus,
  ...props
}: DialogContentProps) {
  const { t } = useTranslation();
  const returnFocus = useReturnFocus();
  return (
    <Radix.Portal>
      <Radix.Overlay className={scrimStyle} />
      <Radix.Content
        {...returnFocus}
        {...(!description && { "aria-describedby": undefined })}
        className={cn(
          "fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-xl border bg-popover text-popover-foreground shadow-dialog outline-none",
          "sm:inset-x-4 sm:top-1/2 sm:bottom-auto sm:mx-auto sm:max-h-[88dvh] sm:-translate-y-1/2 sm:rounded-xl",
          "data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:duration-100 data-[state=open]:slide-in-from-bottom-2",
          widths[width],
          className,
        )}
        {...props}
        onOpenAutoFocus={(event) => {
          returnFocus.onOpenAutoFocus();
          onOpenAutoFocus?.(event);
        }}
      >
        <header className="flex items-start gap-4 px-5 pt-4 pb-3">
          <div className="min-w-0 flex-1">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            {description && (
              <Radix.Description className="mt-0.5 text-muted-foreground">{description}</Radix.Description>
            )}
          </div>
          <Radix.Close asChild>
            <Button variant="ghost" size="iconSm" aria-label={t("common.close")} className="-me-2">
              <X aria-hidden />
            </Button>
          </Radix.Close>
        </header>
        <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
        {footer && (
          <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3">{footer}</footer>
        )}
      </Radix.Content>
    </Radix.Portal>
  );
}
