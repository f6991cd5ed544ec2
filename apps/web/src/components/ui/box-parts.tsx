import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "./button.tsx";

/** Head of a dialog or sheet: what it is about, and the cross. */
export function BoxHeader({
  title,
  description,
  className,
}: {
  title: ReactNode;
  description?: ReactNode;
  className?: string;
}) {
  const { t } = useTranslation();
  return (
    <header className={cn("flex items-start gap-4 px-5", className)}>
      <div className="min-w-0 flex-1">
        <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
        {description && <Radix.Description className="mt-0.5 text-muted-foreground">{description}</Radix.Description>}
      </div>
      <Radix.Close asChild>
        <Button variant="ghost" size="iconSm" aria-label={t("common.close")} className="-me-2">
          <X aria-hidden />
        </Button>
      </Radix.Close>
    </header>
  );
}

/** Stays in sight while what is above it scrolls. */
export function BoxFooter({ children }: { children: ReactNode }) {
  return <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3">{children}</footer>;
}
