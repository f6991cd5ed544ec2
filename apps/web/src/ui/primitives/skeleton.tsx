import { cn } from "@/lib/cn.ts";

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("animate-pulse rounded-sm bg-hover motion-reduce:animate-none", className)} />;
}
