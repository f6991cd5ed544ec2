import type { ReactNode } from "react";
import { Tooltip, TooltipContent, TooltipTrigger } from "./primitives/tooltip.tsx";

type WithTooltipProps = {
  /** Null means no tooltip for now. */
  content: ReactNode;
  side?: "top" | "bottom" | "left" | "right";
  children: ReactNode;
};

/** A word or two on hover and focus. It must never be the only place of an information. */
export function WithTooltip({ content, side = "bottom", children }: WithTooltipProps) {
  return (
    <Tooltip>
      <TooltipTrigger asChild>{children}</TooltipTrigger>
      {content !== null && <TooltipContent side={side}>{content}</TooltipContent>}
    </Tooltip>
  );
}
