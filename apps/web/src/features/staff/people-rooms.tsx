import { useQuery } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import { ErrorState } from "@/components/error-state.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { formatDateTime } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { boardQuery } from "../board/board-query.ts";
import { type GrantValue, isTemporary } from "./grant-value.ts";
import type { OperatorRow } from "./operator-form.ts";
import { PeopleGrid } from "./people-grid.tsx";
import { PermitBar } from "./permit-bar.tsx";
import { roomGroupsOf } from "./room-groups.ts";
import { StaffMembers } from "./staff-members.tsx";
import { type PermitEdits, usePermitEdits } from "./use-permit-edits.ts";

/** Which rooms each member of staff works in, changed in place; a clock marks what is for a time. */
export function PeopleRooms() {
  const { t } = useTranslation();
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
  return (
    <StaffMembers>
      {(people) => (
        <>
          <PeopleGrid
            label={t("staff.roomsTab")}
            corner={t("guest.room")}
            people={people}
            sections={sections}
            cell={(person, id) => <Cell person={person} roomId={Number(id)} name={names.get(id) ?? id} edits={edits} />}
          />
          <PermitBar edits={edits} />
        </>
      )}
    </StaffMembers>
  );
}

type CellProps = { person: OperatorRow; roomId: number; name: string; edits: PermitEdits };

function Cell({ person, roomId, name, edits }: CellProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const manage = useCan()("staff.manage");
  const grant = edits.draftOf(person).grants.find((one) => one.roomId === roomId);
  const period = grant && isTemporary(grant) ? periodText(t, grant, timeZone) : null;
  const what = [t("board.roomNamed", { name }), period].filter(Boolean).join(", ");
  return (
    <span className="inline-flex items-center gap-1" title={period ?? undefined}>
      <Checkbox
        value={grant !== undefined}
        disabled={!manage}
        aria-label={t("staff.cell", { name: person.name, what })}
        onChange={(on) => edits.toggleRoom(person, roomId, on)}
      />
      {period && <Clock aria-hidden className="size-3.5 text-brass-ink" />}
    </span>
  );
}

/** "from 3 Mar 2027, 10:00 until 5 Mar 2027, 18:00" */
export function periodText(t: Translate, { startsAt, endsAt }: GrantValue, timeZone: string): string {
  return [
    startsAt && t("staff.since", { date: formatDateTime(startsAt, timeZone) }),
    endsAt && t("staff.until", { date: formatDateTime(endsAt, timeZone) }),
  ]
    .filter(Boolean)
    .join(" ");
}
