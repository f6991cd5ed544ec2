import { AlertDialog as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { useReturnFocus } from "@/lib/browser/use-return-focus.ts";
import { cn } from "@/lib/cn.ts";
import { fadeIn, scrimStyle } from "../styles.ts";
import { Button } from "./button.tsx";

export function AlertDialog(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root data-slot="alert-dialog" {...props} />;
}

export function AlertDialogTrigger(props: ComponentProps<typeof Radix.Trigger>) {
  return <Radix.Trigger data-slot="alert-dialog-trigger" {...props} />;
}

export function AlertDialogPortal(props: ComponentProps<typeof Radix.Portal>) {
  return <Radix.Portal data-slot="alert-dialog-portal" {...props} />;
}

export function AlertDialogOverlay({ className, ...props }: ComponentProps<typeof Radix.Overlay>) {
  return <Radix.Overlay data-slot="alert-dialog-overlay" className={cn(scrimStyle, className)} {...props} />;
}

type AlertDialogContentProps = ComponentProps<typeof Radix.Content> & { size?: "default" | "sm" };

/** Appears at the bottom of a phone's screen, within reach of the thumb, and otherwise in the upper part of the page. */
export function AlertDialogContent({ className, size = "default", ...props }: AlertDialogContentProps) {
  return (
    <AlertDialogPortal>
      <AlertDialogOverlay />
      <Radix.Content
        data-slot="alert-dialog-content"
        data-size={size}
        className={cn(
          "group/alert-dialog-content fixed inset-x-4 bottom-4 z-50 mx-auto max-w-md rounded-xl border bg-popover p-5 text-popover-foreground shadow-dialog outline-none data-[size=sm]:max-w-xs sm:top-[22vh] sm:bottom-auto",
          fadeIn,
          className,
        )}
        {...props}
        {...useReturnFocus(props)}
      />
    </AlertDialogPortal>
  );
}

export function AlertDialogHeader({ className, ...props }: ComponentProps<"div">) {
  return <div data-slot="alert-dialog-header" className={cn("grid gap-1.5", className)} {...props} />;
}

export function AlertDialogFooter({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="alert-dialog-footer"
      className={cn(
        "mt-5 flex flex-wrap justify-end gap-2 group-data-[size=sm]/alert-dialog-content:grid group-data-[size=sm]/alert-dialog-content:grid-cols-2",
        className,
      )}
      {...props}
    />
  );
}

export function AlertDialogTitle({ className, ...props }: ComponentProps<typeof Radix.Title>) {
  return <Radix.Title data-slot="alert-dialog-title" className={cn("text-lg font-semibold", className)} {...props} />;
}

export function AlertDialogDescription({ className, ...props }: ComponentProps<typeof Radix.Description>) {
  return (
    <Radix.Description
      data-slot="alert-dialog-description"
      className={cn("text-muted-foreground", className)}
      {...props}
    />
  );
}

export function AlertDialogMedia({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="alert-dialog-media"
      className={cn(
        "mb-2 inline-flex size-12 items-center justify-center rounded-md bg-muted *:[svg:not([class*='size-'])]:size-6",
        className,
      )}
      {...props}
    />
  );
}

type ButtonLook = Pick<ComponentProps<typeof Button>, "variant" | "size">;

export function AlertDialogAction({
  variant = "default",
  size = "default",
  ...props
}: ComponentProps<typeof Radix.Action> & ButtonLook) {
  return (
    <Button asChild variant={variant} size={size}>
      <Radix.Action data-slot="alert-dialog-action" {...props} />
    </Button>
  );
}

export function AlertDialogCancel({
  variant = "outline",
  size = "default",
  ...props
}: ComponentProps<typeof Radix.Cancel> & ButtonLook) {
  return (
    <Button asChild variant={variant} size={size}>
      <Radix.Cancel data-slot="alert-dialog-cancel" {...props} />
    </Button>
  );
}
