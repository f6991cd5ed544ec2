import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useRouter } from "@tanstack/react-router";
import { Ellipsis, PanelRightOpen } from "lucide-react";
import { type ReactNode, useState } from "react";
import { t } from "@/lib/i18n.ts";
import { ActionMenuItem } from "@/ui/action/action-menu-item.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";
import { Kbd } from "@/ui/primitives/kbd.tsx";
import type { RoomAction, RoomActions } from "./room-actions.ts";

type RoomMenuProps = {
  room: BoardRoom;
  actions: RoomActions;
  /** True on the room's own page, where the menu doesn't offer to open it. */
  onPage?: boolean;
};

/**
 * Menu of all actions on a room; their letters work while its card has the focus. The menu is created when it is first
 * opened, because a board has hundreds of them.
 */
export function RoomMenu(props: RoomMenuProps) {
  const [isMounted, setIsMounted] = useState(false);
  const button = {
    variant: "ghost",
    size: "icon-sm",
    "aria-label": t("board.actionsOf", { name: props.room.name }),
    children: <Ellipsis aria-hidden />,
  } as const;
  if (isMounted) return <MountedMenu {...props} button={<Button {...button} />} />;
  return <Button {...button} aria-haspopup="menu" aria-expanded={false} onClick={() => setIsMounted(true)} />;
}

function MountedMenu({ room, actions, onPage, button }: RoomMenuProps & { button: ReactNode }) {
  const router = useRouter();
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{button}</DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="min-w-56">
        {actions.stay.map((action) => (
          <ActionItem key={action.id} action={action} />
        ))}
        {actions.stay.length > 0 && actions.door.length > 0 && <DropdownMenuSeparator />}
        {actions.door.map((action) => (
          <ActionItem key={action.id} action={action} />
        ))}
        {actions.stay.length + actions.door.length > 0 && actions.status.length > 0 && <DropdownMenuSeparator />}
        {actions.status.length > 0 && (
          <>
            <DropdownMenuLabel>{t("board.setStatus")}</DropdownMenuLabel>
            {actions.status.map((action) => (
              <ActionItem key={action.id} action={action} />
            ))}
          </>
        )}
        {!onPage && (
          <>
            <DropdownMenuSeparator />
            <ActionMenuItem
              icon={PanelRightOpen}
              needsServer={false}
              onSelect={() => void router.navigate({ to: "/room/$roomId", params: { roomId: room.id } })}
            >
              {t("board.openRoom")}
            </ActionMenuItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function ActionItem({ action }: { action: RoomAction }) {
  return (
    <ActionMenuItem
      icon={action.icon}
      danger={action.danger}
      needsServer={action.needsServer === true}
      onSelect={action.onSelect}
      aria-keyshortcuts={action.key}
    >
      <span className="min-w-0 flex-1 truncate">{action.label}</span>
      {action.key && (
        <span aria-hidden className="ms-4 pointer-coarse:hidden">
          <Kbd>{action.key.toUpperCase()}</Kbd>
        </span>
      )}
    </ActionMenuItem>
  );
}
