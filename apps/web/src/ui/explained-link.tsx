import { Link } from "@tanstack/react-router";
import { ChevronRight, type LucideIcon } from "lucide-react";

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
