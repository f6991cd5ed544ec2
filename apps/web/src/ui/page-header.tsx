import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";

type PageHeaderProps = {
  title: ReactNode;
  /** One line below the title: counts, a period, the page's purpose. */
  description?: ReactNode;
  /** A chip beside the title. */
  status?: ReactNode;
  /** Buttons, the primary one last. */
  actions?: ReactNode;
  className?: string;
};

export function PageHeader({ title, description, status, actions, className }: PageHeaderProps) {
  return (
    <header className={cn("mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3", className)}>
      <div className="min-w-0 sm:flex-1 sm:basis-80">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {status}
        </div>
        {description && <div className="mt-0.5 text-muted-foreground">{description}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
    </header>
  );
}

export function PublicHeading({ title, text }: { title: string; text: string }) {
  return (
    <header className="mb-7">
      <h1 className="text-2xl font-semibold tracking-tight text-balance">{title}</h1>
      <p className="mt-1 text-pretty text-muted-foreground">{text}</p>
    </header>
  );
}
