import { Link } from "@tanstack/react-router";
import { ChevronRight, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { CardAction, CardDescription, CardHeader, CardTitle } from "@/ui/primitives/card.tsx";

type CardHeadingProps = { title: ReactNode; description?: ReactNode; actions?: ReactNode; className?: string };

/** The head of a card that is a section of its page. Its actions move below the title if there is no space. */
export function CardHeading({ title, description, actions, className }: CardHeadingProps) {
  return (
    <CardHeader className={cn("flex flex-wrap justify-between gap-x-4 gap-y-2", className)}>
      <div className="min-w-0 flex-1 basis-48">
        <CardTitle>
          <h2>{title}</h2>
        </CardTitle>
        {description && <CardDescription>{description}</CardDescription>}
      </div>
      {actions && (
        <CardAction className="ms-auto flex max-w-full flex-wrap items-center justify-end gap-2">{actions}</CardAction>
      )}
    </CardHeader>
  );
}

/** A labelled value inside a `dl`. */
export function Fact({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className={cn("min-w-0", className)}>
      <dt className="text-sm text-muted-foreground">{label}</dt>
      <dd className="break-words">{children || "–"}</dd>
    </div>
  );
}

type ExplainedLinkProps = { to: string; icon: LucideIcon; title: string; text: string };

/** A row of a list that links to a page and describes it. */
export function ExplainedLink({ to, icon: Icon, title, text }: ExplainedLinkProps) {
  return (
    <Link to={to} className="flex items-center gap-4 px-5 py-3 -outline-offset-2 hover:bg-hover">
      <Icon aria-hidden className="size-5 shrink-0 text-muted-foreground" strokeWidth={1.75} />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-muted-foreground">{text}</span>
      </span>
      <ChevronRight aria-hidden className="flip-rtl size-4 shrink-0 text-faint-foreground" />
    </Link>
  );
}
