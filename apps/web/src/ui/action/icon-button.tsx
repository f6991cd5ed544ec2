import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { Tooltip, TooltipContent, TooltipTrigger } from "@/ui/primitives/tooltip.tsx";
import { ActionButton, type ActionButtonProps, useUnreachableProps } from "./action-button.tsx";

type WithTooltipProps = {
  /** Null means no tooltip for now. */
  content: ReactNode;
  side?: "top" | "bottom" | "left" | "right";
  children: ReactNode;
};

/** A short tooltip on hover and focus. Put nothing there that is shown nowhere else. */
export function WithTooltip({ content, side = "bottom", children }: WithTooltipProps) {
  return (
    <Tooltip>
      <TooltipTrigger asChild>{children}</TooltipTrigger>
      {content !== null && <TooltipContent side={side}>{content}</TooltipContent>}
    </Tooltip>
  );
}

type IconButtonProps = Omit<ActionButtonProps, "children" | "aria-label"> & {
  icon: LucideIcon;
  /** Accessible name and tooltip. */
  label: string;
  tooltipSide?: "top" | "bottom" | "left" | "right";
  /** Mirrors arrows and similar icons in right-to-left languages. */
  flip?: boolean;
};

export function IconButton({
  icon: Icon,
  label,
  size = "icon",
  variant = "ghost",
  needsServer = false,
  tooltipSide,
  flip,
  ...props
}: IconButtonProps) {
  // A disabled button has a title with the reason.
  const unreachable = useUnreachableProps(needsServer);
  return (
    <WithTooltip content={unreachable ? null : label} side={tooltipSide}>
      <ActionButton size={size} variant={variant} needsServer={needsServer} aria-label={label} {...props}>
        <Icon aria-hidden className={cn(size === "icon" ? "size-[18px]" : "size-4", flip && "flip-rtl")} />
      </ActionButton>
    </WithTooltip>
  );
}
