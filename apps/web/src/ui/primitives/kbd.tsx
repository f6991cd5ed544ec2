import type { ReactNode } from "react";

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded-sm border bg-sunken px-1 font-sans text-xs text-muted-foreground">
      {children}
    </kbd>
  );
}
