import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { CONNECTION_LOST_ID, useConnectionLoss } from "@/lib/loading/connection.ts";
import { Button } from "@/ui/primitives/button.tsx";

/** Props of a control that is disabled while the server is unreachable, with the reason. */
interface UnreachableProps {
  "aria-describedby": string;
  title: string;
}

/**
 * Returns the props for a control that needs the server, or null if the server is reachable or `needsServer` is false.
 */
export function useUnreachableProps(needsServer: boolean): UnreachableProps | null {
  const isUnreachable = useConnectionLoss() !== null && needsServer;
  return isUnreachable ? { "aria-describedby": CONNECTION_LOST_ID, title: t("shell.lostAct") } : null;
}

/** The same for an item of a menu or of a list of commands. */
export function useUnreachableItemProps(needsServer: boolean): (UnreachableProps & { disabled: true }) | null {
  const unreachable = useUnreachableProps(needsServer);
  return unreachable && { disabled: true, ...unreachable };
}

export type ActionButtonProps = ComponentProps<typeof Button> & {
  /** Whether the button is disabled, with the reason, while the server is unreachable. */
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
  const unreachable = useUnreachableProps(needsServer);
  return (
    <Button
      className={cn(className, unreachable && "pointer-events-auto! cursor-not-allowed")}
      aria-disabled={pending || unreachable !== null || undefined}
      aria-busy={pending || undefined}
      onClick={pending || unreachable ? (event) => event.preventDefault() : onClick}
      {...props}
      {...unreachable}
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
