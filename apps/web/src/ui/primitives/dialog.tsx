import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { useReturnFocus } from "@/lib/browser/use-return-focus.ts";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { fadeIn, scrimStyle } from "../styles.ts";
import { Button } from "./button.tsx";

export function Dialog(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root data-slot="dialog" {...props} />;
}

export function DialogTrigger(props: ComponentProps<typeof Radix.Trigger>) {
  return <Radix.Trigger data-slot="dialog-trigger" {...props} />;
}

export function DialogPortal(props: ComponentProps<typeof Radix.Portal>) {
  return <Radix.Portal data-slot="dialog-portal" {...props} />;
}

export function DialogClose(props: ComponentProps<typeof Radix.Close>) {
  return <Radix.Close data-slot="dialog-close" {...props} />;
}

export function DialogOverlay({ className, ...props }: ComponentProps<typeof Radix.Overlay>) {
  return <Radix.Overlay data-slot="dialog-overlay" className={cn(scrimStyle, className)} {...props} />;
}

type DialogContentProps = ComponentProps<typeof Radix.Content> & {
  showCloseButton?: boolean;
  /** It takes the place of another dialog, so that nothing fades or moves. */
  continues?: boolean;
};

const still = "data-[state=open]:animate-none";

/** A centred dialog; on phones a sheet from the bottom. */
export function DialogContent({
  className,
  children,
  showCloseButton = true,
  continues,
  ...props
}: DialogContentProps) {
  return (
    <DialogPortal>
      <DialogOverlay className={continues ? still : undefined} />
      <Radix.Content
        data-slot="dialog-content"
        className={cn(
          "scroll-quiet fixed inset-x-0 bottom-0 z-50 grid max-h-[min(92dvh,calc(100dvh-var(--connection-bar)-0.5rem))] gap-4 overflow-y-auto rounded-t-xl border bg-popover p-5 text-popover-foreground shadow-dialog outline-none",
          "sm:inset-x-4 sm:top-[calc(50%+var(--connection-bar)/2)] sm:bottom-auto sm:mx-auto sm:max-h-[min(88dvh,calc(100dvh-var(--connection-bar)-2rem))] sm:max-w-xl sm:-translate-y-1/2 sm:rounded-xl",
          fadeIn,
          "data-[state=open]:slide-in-from-bottom-2",
          continues && still,
          className,
        )}
        {...props}
        {...useReturnFocus(props)}
      >
        {children}
        {showCloseButton && (
          <DialogClose asChild>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={t("common.close")}
              className="absolute end-3 top-3.5 print:hidden"
            >
              <X aria-hidden />
            </Button>
          </DialogClose>
        )}
      </Radix.Content>
    </DialogPortal>
  );
}

export function DialogHeader({ className, ...props }: ComponentProps<"div">) {
  return <div data-slot="dialog-header" className={cn("grid gap-0.5", className)} {...props} />;
}

export function DialogFooter({
  className,
  showCloseButton = false,
  children,
  ...props
}: ComponentProps<"div"> & { showCloseButton?: boolean }) {
  return (
    <div
      data-slot="dialog-footer"
      className={cn("flex flex-wrap items-center justify-end gap-2", className)}
      {...props}
    >
      {children}
      {showCloseButton && (
        <DialogClose asChild>
          <Button variant="outline">{t("common.close")}</Button>
        </DialogClose>
      )}
    </div>
  );
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof Radix.Title>) {
  return <Radix.Title data-slot="dialog-title" className={cn("text-lg font-semibold", className)} {...props} />;
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof Radix.Description>) {
  return (
    <Radix.Description data-slot="dialog-description" className={cn("text-muted-foreground", className)} {...props} />
  );
}
