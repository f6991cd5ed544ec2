import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";
import { Button } from "../primitives/button.tsx";
import { useServerAway } from "./server-away.ts";

export type ActionButtonProps = ComponentProps<typeof Button> & {
  /** Whether the button is disabled, with the reason, while the server is away. */
  needsServer?: boolean;
  /** Shows a spinner and ignores clicks; width and focus stay. Not with `asChild`. */
  pending?: boolean;
};

/** A button that changes something, usually on the server. */
export function ActionButton({
  needsServer = true,
  pending,
  className,
  onClick,
  children,
  ...props
}: ActionButtonProps) {
  const away = useServerAway(needsServer);
  return (
    <Button
      className={cn(className, away && "pointer-events-auto! cursor-not-allowed")}
      aria-disabled={pending || away !== null || undefined}
      aria-busy={pending || undefined}
      onClick={pending || away ? (event) => event.preventDefault() : onClick}
      {...props}
      {...away}
    >
      {pending ? (
        <>
          <span className="absolute inset-0 flex items-center justify-center">
            <LoaderCircle className="size-4 animate-spin motion-reduce:animate-none" aria-hidden />
          </span>
          <span className="inline-flex items-center gap-2 opacity-0">{children}</span>
        </>
      ) : (
        children
      )}
    </Button>
  );
}
