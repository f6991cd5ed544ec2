import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { useReturnFocus } from "@/lib/browser/use-return-focus.ts";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { fadeIn, scrimStyle } from "../styles.ts";
import { Button } from "./button.tsx";

export function Sheet(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root data-slot="sheet" {...props} />;
}

export function SheetTrigger(props: ComponentProps<typeof Radix.Trigger>) {
  return <Radix.Trigger data-slot="sheet-trigger" {...props} />;
}

export function SheetClose(props: ComponentProps<typeof Radix.Close>) {
  return <Radix.Close data-slot="sheet-close" {...props} />;
}

/** `left` and `right` are meant for left-to-right languages; in Arabic they are swapped. */
const sides = {
  top: "inset-x-0 top-(--connection-bar) border-b data-[state=open]:slide-in-from-top-4",
  right:
    "top-(--connection-bar) bottom-0 end-0 w-full border-s data-[state=open]:slide-in-from-right-4 sm:max-w-lg rtl:data-[state=open]:slide-in-from-left-4",
  bottom: "inset-x-0 bottom-0 border-t data-[state=open]:slide-in-from-bottom-4",
  left: "top-(--connection-bar) bottom-0 start-0 w-full border-e data-[state=open]:slide-in-from-left-4 sm:max-w-lg rtl:data-[state=open]:slide-in-from-right-4",
};

type SheetContentProps = ComponentProps<typeof Radix.Content> & {
  side?: keyof typeof sides;
  showCloseButton?: boolean;
};

/** A drawer at the edge of the screen; at the sides it is as wide as a phone. */
export function SheetContent({
  className,
  children,
  side = "right",
  showCloseButton = true,
  ...props
}: SheetContentProps) {
  return (
    <Radix.Portal>
      <Radix.Overlay data-slot="sheet-overlay" className={scrimStyle} />
      <Radix.Content
        data-slot="sheet-content"
        className={cn(
          "fixed z-50 flex flex-col bg-popover text-popover-foreground shadow-dialog outline-none",
          fadeIn,
          sides[side],
          className,
        )}
        {...props}
        {...useReturnFocus(props)}
      >
        {children}
        {showCloseButton && (
          <SheetClose asChild>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={t("common.close")}
              className="absolute end-3 top-3 print:hidden"
            >
              <X aria-hidden />
            </Button>
          </SheetClose>
        )}
      </Radix.Content>
    </Radix.Portal>
  );
}

export function SheetHeader({ className, ...props }: ComponentProps<"div">) {
  return <div data-slot="sheet-header" className={cn("grid gap-0.5 p-4", className)} {...props} />;
}

export function SheetFooter({ className, ...props }: ComponentProps<"div">) {
  return <div data-slot="sheet-footer" className={cn("mt-auto flex flex-col gap-2 p-4", className)} {...props} />;
}

export function SheetTitle({ className, ...props }: ComponentProps<typeof Radix.Title>) {
  return <Radix.Title data-slot="sheet-title" className={cn("text-lg font-semibold", className)} {...props} />;
}

export function SheetDescription({ className, ...props }: ComponentProps<typeof Radix.Description>) {
  return (
    <Radix.Description data-slot="sheet-description" className={cn("text-muted-foreground", className)} {...props} />
  );
}
