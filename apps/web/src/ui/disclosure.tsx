import { ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { Button } from "@/ui/primitives/button.tsx";

type DisclosureProps = { label: string; className?: string; children: ReactNode };

/** Folds away what hardly anybody needs. */
export function Disclosure({ label, className, children }: DisclosureProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className={cn("grid gap-4", className)}>
      <Button
        variant="ghost"
        size="sm"
        className="-ms-2 justify-self-start text-muted-foreground"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <ChevronDown aria-hidden className={cn("transition-transform", open && "rotate-180")} />
        {label}
      </Button>
      {open && children}
    </div>
  );
}
