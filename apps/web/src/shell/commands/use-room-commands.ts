import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BedDouble, CircleQuestionMark, Contact, Hash } from "lucide-react";
import { useMemo } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { useRoomActions } from "@/entities/room/room-actions.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import type { PaletteCommand } from "@/lib/commands/commands.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";

/** Opens a dialog of the board that asks until when and why. */
const askNothing = (): void => undefined;

/**
 * Returns commands for rooms, for what can be done in each room now, and for guests by name, from the board as last
 * read.
 */
export function useRoomCommands(): PaletteCommand[] {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const stays = useStayActions();
  const actionsOf = useRoomActions(askNothing);
  const { data: board } = useQuery({ ...boardQuery, enabled: can("rooms.view") });
  const seesGuests = can("stays.view");
  const seesLocks = can("locks.view");
  const issuesCodes = can("passcodes.issue") && can("rooms.view");

  return useMemo(() => {
    const roomLabel = (room: BoardRoom): string => t("board.roomNamed", { name: room.name });
    const rooms = (board?.rooms ?? []).map(
      (room): PaletteCommand => ({
        id: `room:${room.id}`,
        label: roomLabel(room),
        group: t("board.title"),
        icon: BedDouble,
        detail: room.current?.guestName ?? t(`status.${room.status}`),
        keywords: [room.remarkName, room.next?.guestName ?? ""],
        whenTyped: true,
        run: () => void navigate({ to: "/room/$roomId", params: { roomId: room.id } }),
      }),
    );
    const acts = (board?.rooms ?? []).flatMap((room) => {
      const { stay, door, status } = actionsOf(room);
      return [...stay, ...door, ...status]
        .filter(({ id }) => id !== "guest" && id !== "maintenance")
        .map(
          (action): PaletteCommand => ({
            id: `act:${room.id}:${action.id}`,
            label: t("board.actionInRoom", { action: action.label, room: room.name }),
            group: t("nav.desk"),
            icon: action.icon,
            detail: room.current?.guestName,
            whenTyped: true,
            needsServer: true,
            run: action.onSelect,
          }),
        );
    });
    const guests = (board?.rooms ?? []).flatMap((room) =>
      [room.current, room.next].flatMap((stay): PaletteCommand[] =>
        stay && seesGuests
          ? [
              {
                id: `guest:${stay.stayId}`,
                label: stay.guestName,
                group: t("nav.guests"),
                icon: Contact,
                detail: roomLabel(room),
                whenTyped: true,
                run: () => stays.openStay(stay.stayGuestId),
              },
            ]
          : [],
      ),
    );
    const anyKey: PaletteCommand[] = seesLocks
      ? [
          {
            id: "check-key",
            label: t("nav.keyCheck"),
            group: t("nav.desk"),
            icon: CircleQuestionMark,
            needsServer: true,
            run: () => stays.checkKey(null),
          },
        ]
      : [];
    const anyCode: PaletteCommand[] = issuesCodes
      ? [
          {
            id: "new-code",
            label: t("board.newCode"),
            group: t("nav.desk"),
            icon: Hash,
            needsServer: true,
            run: () => stays.newCode({ roomIds: [] }),
          },
        ]
      : [];
    return [...anyKey, ...anyCode, ...rooms, ...acts, ...guests];
  }, [board, actionsOf, navigate, seesGuests, seesLocks, issuesCodes, stays, t]);
}
