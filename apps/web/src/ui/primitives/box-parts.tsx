import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "./button.tsx";

/** Keeps Radix from closing the box, and calls the guard instead. */
export function dismissal(onDismiss?: () => void): ((event: { preventDefault: () => void }) => void) | undefined {
  return (
    onDismiss &&
    ((event) => {
      event.preventDefault();
      onDismiss();
    })
  );
}

/** Head of a dialog or sheet: title and close button. */
export function BoxHeader({
  title,
  description,
  className,
  onDismiss,
}: {
  title: ReactNode;
  description?: ReactNode;
  className?: string;
  /** Called instead of closing. */
  onDismiss?: () => void;
}) {
  const { t } = useTranslation();
  return (
    <header className={cn("flex items-start gap-4 px-5", className)}>
      <div className="min-w-0 flex-1">
        <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
        {description && <Radix.Description className="mt-0.5 text-muted-foreground">{description}</Radix.Description>}
      </div>
      <Radix.Close asChild>
        <Button
          variant="ghost"
          size="iconSm"
          aria-label={t("common.close")}
          className="-me-2"
          onClick={(event) => dismissal(onDismiss)?.(event)}
        >
          <X aria-hidden />
        </Button>
      </Radix.Close>
    </header>
  );
}

/** Stays visible while the content above it scrolls. */
export function BoxFooter({ children }: { children: ReactNode }) {
  return <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3">{children}</footer>;
}
