import { cn } from "@/lib/cn.ts";

/** The logo: an arched door with a keyhole. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true" className={cn("size-7 shrink-0", className)}>
      <path d="M3.5 26V13a10.5 10.5 0 0 1 21 0v13z" fill="var(--brass)" />
      <path
        d="M6.25 26V13a7.75 7.75 0 0 1 15.5 0v13"
        fill="none"
        stroke="var(--brass-foreground)"
        strokeOpacity=".35"
        strokeWidth="1"
      />
      <circle cx="14" cy="13.5" r="3" fill="var(--brass-foreground)" />
      <path d="M12.9 15h2.2l1.2 6h-4.6z" fill="var(--brass-foreground)" />
    </svg>
  );
}

export function Brand({ className, markOnly }: { className?: string; markOnly?: boolean }) {
  return (
    <span className={cn("flex items-center gap-2.5", className)}>
      <BrandMark />
      {!markOnly && <span className="text-lg font-semibold tracking-tight">Innkey</span>}
    </span>
  );
}
