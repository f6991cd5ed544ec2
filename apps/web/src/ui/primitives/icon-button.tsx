import type { LucideIcon } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { Button, type ButtonProps, isServerAct } from "./button.tsx";
import { useLostAct } from "./server-act.ts";
import { Tooltip } from "./tooltip.tsx";

type IconButtonProps = Omit<ButtonProps, "children" | "asChild" | "aria-label"> & {
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
  tooltipSide,
  flip,
  ...props
}: IconButtonProps) {
  // The button itself then says why it is disabled.
  const lost = useLostAct(isServerAct({ ...props, variant }));
  return (
    <Tooltip content={lost ? null : label} side={tooltipSide}>
      <Button size={size} variant={variant} aria-label={label} {...props}>
        <Icon aria-hidden className={cn(size === "icon" ? "size-[18px]" : "size-4", flip && "flip-rtl")} />
      </Button>
    </Tooltip>
  );
}
