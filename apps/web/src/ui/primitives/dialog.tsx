import { Dialog as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { BoxFooter, BoxHeader, dismissal } from "./box-parts.tsx";
import { fadeIn, scrimStyle } from "./overlay-style.ts";
import { useReturnFocus } from "./use-return-focus.ts";

export const Dialog = Radix.Root;
export const DialogTrigger = Radix.Trigger;
export const DialogClose = Radix.Close;

const widths = { sm: "sm:max-w-md", md: "sm:max-w-xl", lg: "sm:max-w-3xl" };

type DialogContentProps = Omit<ComponentProps<typeof Radix.Content>, "title"> & {
  title: ReactNode;
  description?: ReactNode;
  width?: keyof typeof widths;
  /** Stays visible while the body scrolls. */
  footer?: ReactNode;
  /** Called instead of closing on Escape, the close button and a click beside the dialog. */
  onDismiss?: () => void;
};

/** A centred dialog; on phones a sheet from the bottom. Escape and the close button close it. */
export function DialogContent({
  title,
  description,
  width = "md",
  footer,
  className,
  children,
  onOpenAutoFocus,
  onDismiss,
  ...props
}: DialogContentProps) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Portal>
      <Radix.Overlay className={scrimStyle} />
      <Radix.Content
        {...returnFocus}
        onEscapeKeyDown={dismissal(onDismiss)}
        onPointerDownOutside={dismissal(onDismiss)}
        {...(!description && { "aria-describedby": undefined })}
        className={cn(
          "fixed inset-x-0 bottom-0 z-50 flex max-h-[min(92dvh,calc(100dvh-var(--connection-bar)-0.5rem))] flex-col rounded-t-xl border bg-popover text-popover-foreground shadow-dialog outline-none",
          "sm:inset-x-4 sm:top-[calc(50%+var(--connection-bar)/2)] sm:bottom-auto sm:mx-auto sm:max-h-[min(88dvh,calc(100dvh-var(--connection-bar)-2rem))] sm:-translate-y-1/2 sm:rounded-xl",
          fadeIn,
          "data-[state=open]:slide-in-from-bottom-2",
          widths[width],
          className,
        )}
        {...props}
        onOpenAutoFocus={(event) => {
          returnFocus.onOpenAutoFocus();
          onOpenAutoFocus?.(event);
        }}
      >
        <BoxHeader title={title} description={description} className="pt-4 pb-3" onDismiss={onDismiss} />
        <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
        {footer && <BoxFooter>{footer}</BoxFooter>}
      </Radix.Content>
    </Radix.Portal>
  );
}
