import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { DropdownMenuItem } from "../primitives/dropdown-menu.tsx";
import { useUnreachableItemProps } from "./action-button.tsx";

type ActionMenuItemProps = Omit<ComponentProps<typeof DropdownMenuItem>, "variant"> & {
  icon?: LucideIcon;
  danger?: boolean;
  /** Set `false` on items that only navigate. */
  needsServer?: boolean;
};

/** A menu item that can't be chosen while the server is unreachable. */
export function ActionMenuItem({
  icon: Icon,
  danger = false,
  needsServer = true,
  children,
  ...props
}: ActionMenuItemProps) {
  return (
    <DropdownMenuItem variant={danger ? "destructive" : "default"} {...props} {...useUnreachableItemProps(needsServer)}>
      {Icon && <Icon aria-hidden />}
      {children}
    </DropdownMenuItem>
  );
}
