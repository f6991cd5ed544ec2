import type { TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { useRouter } from "@tanstack/react-router";
import {
  CalendarSync,
  CalendarX,
  Contact,
  CreditCard,
  DoorOpen,
  Hash,
  KeyRound,
  type LucideIcon,
  Move,
  PanelRightOpen,
  UserX,
} from "lucide-react";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { ActionMenuItem } from "@/ui/action/action-menu-item.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";
import { Kbd } from "@/ui/primitives/kbd.tsx";
import { isStayBar } from "./change/change-draft.ts";
import { barName, periodLabel } from "./timeline-labels.ts";

/** Bar whose menu is open, and its position on screen. */
export type OpenBar = { bar: TimelineBar; box: DOMRect; lock: boolean };

type BarMenuProps = {
  open: OpenBar;
  onMode: (bar: TimelineBar, mode: "move" | "extend") => void;
  /** With `back`, the focus returns to the bar. */
  onClose: (back: boolean) => void;
};

type Item =
  | { label: string; icon: LucideIcon; key?: string; danger?: boolean; shows?: boolean; act: () => void }
  | false;

/** Menu with the actions for a stay on the timeline. */
export function BarMenu({ open: { bar, box, lock }, onMode, onClose }: BarMenuProps) {
  const { timeZone } = useHotel();
  const router = useRouter();
  const can = useCan();
  const stays = useStayActions();
  const { stay } = bar;
  const manage = stay !== null && isStayBar(bar) && can("stays.manage");
  const isInHouse = bar.state === "in_house";
  const id = stay?.stayId ?? 0;
  const items: Item[] = [
    manage && !isInHouse && { label: t("board.checkIn"), icon: KeyRound, act: () => stays.arrive(id) },
    manage && isInHouse && { label: t("board.checkOut"), icon: DoorOpen, act: () => stays.checkOut(id) },
    manage && {
      label: isInHouse ? t("board.changeRoom") : t("timeline.move"),
      icon: Move,
      key: "m",
      act: () => onMode(bar, "move"),
    },
    manage && { label: t("timeline.extend"), icon: CalendarSync, key: "e", act: () => onMode(bar, "extend") },
    manage &&
      isInHouse &&
      lock &&
      can("cards.issue") && { label: t("board.newCard"), icon: CreditCard, act: () => stays.writeCard(id) },
    manage &&
      lock &&
      can("passcodes.issue") && {
        label: t("board.newCode"),
        icon: Hash,
        act: () => stays.createPasscode({ stayId: id }),
      },
    stay && { label: t("board.guestDetails"), icon: Contact, shows: true, act: () => stays.openStay(stay.stayGuestId) },
    {
      label: t("board.openRoom"),
      icon: PanelRightOpen,
      shows: true,
      act: () => void router.navigate({ to: "/room/$roomId", params: { roomId: bar.roomId } }),
    },
    manage &&
      !isInHouse &&
      Date.parse(bar.startsAt) <= Date.now() && {
        label: t("stay.noShow"),
        icon: UserX,
        act: () => stays.noShow(id),
      },
    manage &&
      !isInHouse && { label: t("board.cancelReservation"), icon: CalendarX, danger: true, act: () => stays.cancel(id) },
  ].map((item) => item || false);

  const { left, top, width, height } = box;
  return (
    <DropdownMenu open onOpenChange={(open) => !open && onClose(true)}>
      <DropdownMenuTrigger asChild>
        <button
          type="button"
          tabIndex={-1}
          aria-label={barName(bar)}
          className="pointer-events-none fixed"
          style={{ left, top, width, height }}
        />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="min-w-56" onCloseAutoFocus={(event) => event.preventDefault()}>
        <DropdownMenuLabel>
          {barName(bar)} · {periodLabel(bar.startsAt, bar.endsAt, timeZone)}
        </DropdownMenuLabel>
        {items.map(
          (item) =>
            item && (
              <div key={item.label} role="none">
                {item.danger && <DropdownMenuSeparator />}
                <ActionMenuItem
                  icon={item.icon}
                  danger={item.danger}
                  needsServer={!item.shows}
                  aria-keyshortcuts={item.key}
                  onSelect={() => {
                    onClose(false);
                    item.act();
                  }}
                >
                  <span className="min-w-0 flex-1 truncate">{item.label}</span>
                  {item.key && (
                    <span aria-hidden className="ms-4 pointer-coarse:hidden">
                      <Kbd>{item.key.toUpperCase()}</Kbd>
                    </span>
                  )}
                </ActionMenuItem>
              </div>
            ),
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
