import { X } from "lucide-react";
import { type ComponentProps, type ReactNode, useRef } from "react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { Button } from "../primitives/button.tsx";
import {
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "../primitives/dialog.tsx";
import { SheetContent } from "../primitives/sheet.tsx";

/** Keeps Radix from closing the panel, and calls the guard instead. */
function dismissal(onDismiss?: () => void): ((event: { preventDefault: () => void }) => void) | undefined {
  return (
    onDismiss &&
    ((event) => {
      event.preventDefault();
      onDismiss();
    })
  );
}

type PanelHeaderProps = {
  title: ReactNode;
  description?: ReactNode;
  className?: string;
  onDismiss?: () => void;
};

function PanelHeader({ title, description, className, onDismiss }: PanelHeaderProps) {
  return (
    <header className={cn("flex items-start gap-4 px-5", className)}>
      <DialogHeader className="min-w-0 flex-1">
        <DialogTitle>{title}</DialogTitle>
        {description && <DialogDescription>{description}</DialogDescription>}
      </DialogHeader>
      <DialogClose asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t("common.close")}
          className="-me-2"
          onClick={dismissal(onDismiss)}
        >
          <X aria-hidden />
        </Button>
      </DialogClose>
    </header>
  );
}

function PanelFooter({ children }: { children: ReactNode }) {
  return <DialogFooter className="border-t px-5 py-3">{children}</DialogFooter>;
}

const widths = { sm: "sm:max-w-md", md: "sm:max-w-xl", lg: "sm:max-w-3xl" };

type DialogPanelProps = Omit<ComponentProps<typeof DialogContent>, "title" | "showCloseButton"> & {
  title: ReactNode;
  description?: ReactNode;
  width?: keyof typeof widths;
  /** Stays visible while the body scrolls. */
  footer?: ReactNode;
  /** Called instead of closing on Escape, the close button and a click beside the dialog. */
  onDismiss?: () => void;
  /** Whether its first field gets the focus, and not the close button. */
  startsAtField?: boolean;
};

const FIELD = ":is(input, textarea):not(:disabled, [type=file], [tabindex='-1'])";

/** The content of a Dialog whose head and foot stay visible while its body scrolls. */
export function DialogPanel({
  title,
  description,
  width = "md",
  footer,
  className,
  children,
  onDismiss,
  startsAtField,
  ...props
}: DialogPanelProps) {
  const body = useRef<HTMLDivElement>(null);
  function focusField(event: Event): void {
    const field = body.current?.querySelector<HTMLElement>(FIELD);
    if (!field) return;
    event.preventDefault();
    field.focus();
  }
  return (
    <DialogContent
      showCloseButton={false}
      onEscapeKeyDown={dismissal(onDismiss)}
      onPointerDownOutside={dismissal(onDismiss)}
      {...(!description && { "aria-describedby": undefined })}
      className={cn("flex flex-col gap-0 overflow-visible p-0", widths[width], className)}
      {...(startsAtField && { onOpenAutoFocus: focusField })}
      {...props}
    >
      <PanelHeader title={title} description={description} className="pt-4 pb-3" onDismiss={onDismiss} />
      <div ref={body} className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">
        {children}
      </div>
      {footer && <PanelFooter>{footer}</PanelFooter>}
    </DialogContent>
  );
}

type SheetPanelProps = {
  title: ReactNode;
  description?: ReactNode;
  side?: "left" | "right";
  className?: string;
  footer?: ReactNode;
  /** Shows no header and no padding; screen readers still hear the title. */
  bare?: boolean;
  children: ReactNode;
};

/** The content of a Sheet with the details of one thing. */
export function SheetPanel({ title, description, side, className, footer, bare, children }: SheetPanelProps) {
  return (
    <SheetContent
      side={side}
      showCloseButton={false}
      {...(!description && { "aria-describedby": undefined })}
      className={className}
    >
      {bare ? (
        <DialogTitle className="sr-only">{title}</DialogTitle>
      ) : (
        <PanelHeader title={title} description={description} className="border-b py-3.5" />
      )}
      <div className={cn("scroll-quiet min-h-0 flex-1 overflow-y-auto", !bare && "p-5")}>{children}</div>
      {footer && <PanelFooter>{footer}</PanelFooter>}
    </SheetContent>
  );
}
