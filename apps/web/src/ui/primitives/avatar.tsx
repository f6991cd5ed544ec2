import { Avatar as Radix } from "radix-ui";
import { cn } from "@/lib/cn.ts";

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => Array.from(word ?? "")[0] ?? "")
    .join("")
    .toLocaleUpperCase();
}

export function Avatar({ name, src, className }: { name: string; src?: string | null; className?: string }) {
  return (
    <Radix.Root
      className={cn(
        "grid size-8 shrink-0 place-items-center overflow-hidden rounded-full bg-brass-soft text-xs font-semibold text-brass-ink",
        className,
      )}
    >
      {src && <Radix.Image src={src} alt="" className="size-full object-cover" />}
      {/* Drawn, not text: a button with a picture of someone is named in full. */}
      <Radix.Fallback
        delayMs={src ? 200 : 0}
        data-initials={initials(name)}
        className="before:content-[attr(data-initials)]"
      />
    </Radix.Root>
  );
}
