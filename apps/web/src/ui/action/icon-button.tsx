import type { LucideIcon } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { WithTooltip } from "../with-tooltip.tsx";
import { ActionButton, type ActionButtonProps } from "./action-button.tsx";
import { useServerAway } from "./server-away.ts";

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
  // The button itself then says why it is disabled.
  const away = useServerAway(needsServer);
  return (
    <WithTooltip content={away ? null : label} side={tooltipSide}>
      <ActionButton size={size} variant={variant} needsServer={needsServer} aria-label={label} {...props}>
        <Icon aria-hidden className={cn(size === "icon" ? "size-[18px]" : "size-4", flip && "flip-rtl")} />
      </ActionButton>
    </WithTooltip>
  );
}
