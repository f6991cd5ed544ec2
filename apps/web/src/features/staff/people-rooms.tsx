import { useQuery } from "@tanstack/react-query";
import { boardQuery } from "@/entities/room/board-query.ts";
import { formatDateTime } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { type GrantValue, isTemporary } from "./operator-form.ts";
import { type BoxState, PeopleGrid, StaffMembers } from "./people-grid.tsx";

import { PermitBar, usePermitEdits } from "./permit-bar.tsx";
import { roomGroupsOf } from "./room-groups.ts";

/** Edits the rooms of all staff members in a grid. A clock marks temporary grants. */
export function PeopleRooms() {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const manage = useCan()("staff.manage");
  const edits = usePermitEdits();
  const board = useQuery(boardQuery);
  if (board.error && !board.data) return <ErrorState error={board.error} onRetry={() => void board.refetch()} />;
  if (!board.data) return <Skeleton className="h-96" />;
  const groups = roomGroupsOf(board.data, t("stay.noGroup"));
  const names = new Map(board.data.rooms.map(({ id, name }) => [String(id), name]));
  const sections = groups.map(({ id, name, rooms }) => ({
    id: String(id),
    label: name,
    rooms,
    rows: rooms.map((room) => ({ id: String(room.id), label: <bdi>{room.name}</bdi> })),
  }));
  const boxOf = (grant: GrantValue | undefined, id: string): BoxState => ({
    checked: grant !== undefined,
    what: t("board.roomNamed", { name: names.get(id) ?? id }),
    period: grant && isTemporary(grant) ? periodText(t, grant, timeZone) : null,
  });
  return (
    <StaffMembers>
      {(people) => (
        <>
          <PeopleGrid
            label={t("staff.roomsTab")}
            corner={t("guest.room")}
            people={people}
            sections={sections}
            disabled={!manage}
            boxOf={(person, id) => boxOf(edits.grantsOf(person).get(Number(id)), id)}
            onToggle={(person, id, on) => edits.toggleRoom(person, Number(id), on)}
          />
          <PermitBar edits={edits} />
        </>
      )}
    </StaffMembers>
  );
}

/** Returns e.g. "from 3 Mar 2027, 10:00 until 5 Mar 2027, 18:00". */
export function periodText(t: Translate, { startsAt, endsAt }: GrantValue, timeZone: string): string {
  return [
    startsAt && t("staff.since", { date: formatDateTime(startsAt, timeZone) }),
    endsAt && t("staff.until", { date: formatDateTime(endsAt, timeZone) }),
  ]
    .filter(Boolean)
    .join(" ");
}
