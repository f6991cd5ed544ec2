import { useMutation, useQuery } from "@tanstack/react-query";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { Clock } from "lucide-react";
import { Fragment, memo, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { KeyOnHook } from "@/ui/drawings.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";
import { useIsPrinting } from "@/ui/printing.tsx";
import { type GrantValue, isTemporary, type OperatorRow } from "./operator-form.ts";
import { roomGroupsOf } from "./room-grants.tsx";

/** Loads the people with the staff role and renders them. Only their permissions are granted individually. */
export function StaffMembers({ children }: { children: (people: OperatorRow[]) => ReactNode }) {
  const { data, error, refetch } = useQuery(trpc.staff.list.queryOptions());
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-96" />;
  const people = data.filter(({ role }) => role === "staff").toSorted((a, b) => a.name.localeCompare(b.name));
  if (people.length === 0) {
    return <EmptyState drawing={KeyOnHook} title={t("staff.noStaff")} description={t("staff.noStaffText")} />;
  }
  return children(people);
}

/** State of one checkbox in the grid. */
interface BoxState {
  checked: boolean;
  /** Name of the permission or room, for screen readers. */
  subject: string;
  /** Text of the period if the grant is temporary. */
  period?: string | null;
}

type PeopleBoxProps = BoxState & {
  person: OperatorRow;
  rowId: string;
  disabled: boolean;
  /** Must be stable: a new function would render thousands of checkboxes again. */
  onToggle: (person: OperatorRow, rowId: string, on: boolean) => void;
};

const PeopleBox = memo(function PeopleBox({
  person,
  rowId,
  subject,
  period = null,
  checked,
  disabled,
  onToggle,
}: PeopleBoxProps) {
  const description = period ? `${subject}, ${period}` : subject;
  return (
    <span className="relative inline-flex align-middle" title={period ?? undefined}>
      <CheckboxInput
        value={checked}
        disabled={disabled}
        aria-label={t("staff.cell", { name: person.name, what: description })}
        onChange={(on) => onToggle(person, rowId, on)}
      />
      {period && <Clock aria-hidden className="absolute start-full top-0.5 ms-1 size-3.5 text-brass-ink" />}
    </span>
  );
});

interface GridRow {
  id: string;
  label: ReactNode;
}
interface GridSection {
  id: string;
  label: string;
  rows: readonly GridRow[];
}

type PeopleGridProps = {
  label: string;
  corner: string;
  people: readonly OperatorRow[];
  sections: readonly GridSection[];
  disabled: boolean;
  boxOf: (person: OperatorRow, rowId: string) => BoxState;
  onToggle: (person: OperatorRow, rowId: string, on: boolean) => void;
  /** Name of a row, for screen readers. */
  rowName: (rowId: string) => string;
  isChecked: (person: OperatorRow, rowId: string) => boolean;
  /** Sets a whole row or column. */
  onToggleMany: (people: readonly OperatorRow[], rowIds: readonly string[], on: boolean) => void;
};

/** Returns the state of a box that stands for many: all, none, or some of them. */
function stateOfAll(count: number, total: number): boolean | "indeterminate" {
  if (count === 0) return false;
  return count === total || "indeterminate";
}

const ROW_PIXELS = 37;
/** Fewer rows are all drawn, so that the browser's own search finds each of them. */
const MAX_DRAWN_ROWS = 80;
/** Rows that are drawn before and after those in view. */
const OVERSCAN = 12;

/** A section's heading, or one of its rows. */
type GridLine = { id: string; heading: string } | { id: string; row: GridRow };

const linesOf = (sections: readonly GridSection[]): GridLine[] =>
  sections.flatMap(({ id, label, rows }) => [
    { id: `section ${id}`, heading: label },
    ...rows.map((row) => ({ id: `row ${row.id}`, row })),
  ]);

/**
 * Draws the lines in view. The line that had the focus last stays drawn when it is scrolled out of view, because a
 * removed element would lose the focus, also while it moves from one box of the line to the next.
 */
function useLinesInView(lines: readonly GridLine[]) {
  const scrollBox = useRef<HTMLElement>(null);
  const [lastFocusedIndex, setLastFocusedIndex] = useState<number | null>(null);
  const isPrinting = useIsPrinting();
  const drawsAll = isPrinting || lines.length <= MAX_DRAWN_ROWS;
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (lastFocusedIndex === null || lastFocusedIndex >= lines.length || indexes.includes(lastFocusedIndex))
        return indexes;
      return [...indexes, lastFocusedIndex].sort((a, b) => a - b);
    },
    [lastFocusedIndex, lines.length],
  );
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scrollBox.current,
    getItemKey: (index) => lines[index]?.id ?? index,
    estimateSize: () => ROW_PIXELS,
    overscan: drawsAll ? lines.length : OVERSCAN,
    rangeExtractor,
  });
  return { scrollBox, setLastFocusedIndex, virtualizer };
}

/** Takes the place of the lines that aren't drawn. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <TableRow aria-hidden>
      <TableCell className="p-0" style={{ height }} />
    </TableRow>
  );
}

/** Grid of permissions or rooms by staff member. Headings and names stay in view while it scrolls. */
export function PeopleGrid(props: PeopleGridProps) {
  const { label, corner, people, sections, disabled, boxOf, onToggle, rowName, isChecked, onToggleMany } = props;
  const rowIds = sections.flatMap(({ rows }) => rows.map(({ id }) => id));
  const latestOnToggle = useRef(onToggle);
  useEffect(() => {
    latestOnToggle.current = onToggle;
  });
  const toggle = useCallback<PeopleGridProps["onToggle"]>((...args) => latestOnToggle.current(...args), []);
  const lines = linesOf(sections);
  const { scrollBox, setLastFocusedIndex, virtualizer } = useLinesInView(lines);
  const drawn = virtualizer.getVirtualItems();
  return (
    <Card className="overflow-hidden">
      <section
        ref={scrollBox}
        aria-label={label}
        className="max-h-[70dvh] overflow-auto"
        tabIndex={people.length > 3 ? 0 : undefined}
      >
        <Table
          spacing="compact"
          className="w-max min-w-full border-separate border-spacing-0 [--edge-x:--spacing(4)]"
          aria-label={label}
          aria-rowcount={lines.length + 1}
        >
          <TableHeader>
            <TableRow aria-rowindex={1}>
              <TableHead className="sticky start-0 top-0 z-20 border-b bg-sunken">{corner}</TableHead>
              {people.map((person) => (
                <TableHead
                  key={person.operatorId}
                  className="sticky top-0 z-10 max-w-36 border-b bg-sunken py-2 text-center"
                >
                  <span className="block truncate">
                    <bdi>{person.name}</bdi>
                  </span>
                  {person.frozen && <span className="block font-normal">{t("staff.frozen")}</span>}
                  <CheckboxInput
                    className="mx-auto mt-1"
                    value={stateOfAll(rowIds.filter((id) => isChecked(person, id)).length, rowIds.length)}
                    disabled={disabled}
                    aria-label={t("staff.columnAll", { name: person.name })}
                    onChange={(on) => onToggleMany([person], rowIds, on)}
                  />
                </TableHead>
              ))}
            </TableRow>
          </TableHeader>
          <TableBody lines={false}>
            {drawn.map(({ index, key, start }, at) => {
              const line = lines[index];
              const shared = { ref: virtualizer.measureElement, "data-index": index, "aria-rowindex": index + 2 };
              if (!line) return null;
              return (
                <Fragment key={key}>
                  <Gap height={start - (drawn[at - 1]?.end ?? 0)} />
                  {"heading" in line ? (
                    <TableRow {...shared}>
                      <TableHead
                        scope="rowgroup"
                        colSpan={people.length + 1}
                        className="pt-4 pb-1 text-sm font-semibold"
                      >
                        <span className="sticky start-4">{line.heading}</span>
                      </TableHead>
                    </TableRow>
                  ) : (
                    <TableRow {...shared} className="hover:bg-hover/50" onFocus={() => setLastFocusedIndex(index)}>
                      <TableHead scope="row" className="sticky start-0 z-[5] max-w-[50vw] min-w-40 bg-card font-normal">
                        <span className="flex items-center gap-2.5">
                          <CheckboxInput
                            value={stateOfAll(
                              people.filter((person) => isChecked(person, line.row.id)).length,
                              people.length,
                            )}
                            disabled={disabled}
                            aria-label={t("staff.rowAll", { what: rowName(line.row.id) })}
                            onChange={(on) => onToggleMany(people, [line.row.id], on)}
                          />
                          <span className="min-w-0">{line.row.label}</span>
                        </span>
                      </TableHead>
                      {people.map((person) => (
                        <TableCell key={person.operatorId} className="text-center">
                          <PeopleBox
                            {...boxOf(person, line.row.id)}
                            person={person}
                            rowId={line.row.id}
                            disabled={disabled}
                            onToggle={toggle}
                          />
                        </TableCell>
                      ))}
                    </TableRow>
                  )}
                </Fragment>
              );
            })}
            <Gap height={virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0)} />
          </TableBody>
        </Table>
      </section>
    </Card>
  );
}

/** Unsaved permissions and room grants of one person. */
interface Draft {
  capabilities: readonly string[];
  grants: readonly GrantValue[];
  allRooms: boolean;
}

const serializeDraft = ({ capabilities, grants, allRooms }: Draft): string =>
  JSON.stringify([
    allRooms,
    capabilities.toSorted(),
    grants
      .map(({ roomId, startsAt, endsAt }) => [roomId, startsAt ?? null, endsAt ?? null] as const)
      .toSorted((a, b) => a[0] - b[0]),
  ]);

/** Holds unsaved permission changes of several people until they are saved together or discarded. */
export function usePermitEdits() {
  const [drafts, setDrafts] = useState<ReadonlyMap<number, Draft>>(new Map());
  const permit = useMutation(trpc.staff.permit.mutationOptions());
  const draftOf = (person: OperatorRow): Draft => drafts.get(person.operatorId) ?? person;

  function change(people: readonly OperatorRow[], draft: (person: OperatorRow) => Partial<Draft>): void {
    const next = new Map(drafts);
    for (const person of people) {
      const changed = { ...draftOf(person), ...draft(person) };
      if (serializeDraft(changed) === serializeDraft(person)) next.delete(person.operatorId);
      else next.set(person.operatorId, changed);
    }
    setDrafts(next);
  }

  const grants = new Map<number, ReadonlyMap<number, GrantValue>>();
  /** Returns a person's grants by room. The map is built once per person and render. */
  function grantsOf(person: OperatorRow): ReadonlyMap<number, GrantValue> {
    const cached = grants.get(person.operatorId);
    if (cached) return cached;
    const built = new Map(draftOf(person).grants.map((grant) => [grant.roomId, grant]));
    grants.set(person.operatorId, built);
    return built;
  }

  return {
    draftOf,
    grantsOf,
    changed: drafts.size,
    saving: permit.isPending,
    setCapabilities(people: readonly OperatorRow[], names: readonly string[], on: boolean): void {
      change(people, (person) => {
        const others = draftOf(person).capabilities.filter((capability) => !names.includes(capability));
        return { capabilities: on ? [...others, ...names] : others };
      });
    },
    /** Adds or removes rooms. Adding one again restores the period it had. `all`: the rooms are all of the hotel's. */
    setRooms(people: readonly OperatorRow[], roomIds: readonly number[], on: boolean, all = false): void {
      const chosen = new Set(roomIds);
      change(people, (person) => {
        const draft = draftOf(person);
        const others = draft.grants.filter(({ roomId }) => !chosen.has(roomId));
        if (!on) return { grants: others, allRooms: false };
        if (all) return { grants: roomIds.map((roomId) => ({ roomId })), allRooms: true };
        const earlier = new Map(person.grants.map((grant) => [grant.roomId, grant]));
        const grants = [...others, ...roomIds.map((roomId) => earlier.get(roomId) ?? { roomId })];
        return { grants, allRooms: person.allRooms && grants.length === person.grants.length };
      });
    },
    discard: (): void => setDrafts(new Map()),
    async save(): Promise<void> {
      const people = [...drafts].map(([operatorId, { capabilities, grants, allRooms }]) => ({
        operatorId,
        capabilities: [...capabilities],
        grants: [...grants],
        allRooms,
      }));
      await permit.mutateAsync({ people });
      setDrafts(new Map());
      toast.success(t("staff.permitsSaved"));
    },
  };
}

type PermitEdits = ReturnType<typeof usePermitEdits>;

/** Buttons to save or discard, visible while there are unsaved changes. */
export function PermitBar({ edits }: { edits: PermitEdits }) {
  if (edits.changed === 0) return null;
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-4 flex flex-wrap items-center justify-end gap-2 border-t bg-background px-4 py-3 lg:mx-0 lg:px-0">
      <span aria-live="polite" className="me-auto text-sm text-muted-foreground">
        {t("staff.changed", { formatted: formatNumber(edits.changed) })}
      </span>
      <Button variant="outline" disabled={edits.saving} onClick={edits.discard}>
        {t("stay.discard")}
      </Button>
      <ActionButton pending={edits.saving} onClick={() => void edits.save().catch(() => undefined)}>
        {t("common.save")}
      </ActionButton>
    </div>
  );
}

/** Edits the rooms of all staff members in a grid. A clock marks temporary grants. */
export function PeopleRooms() {
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
    subject: t("board.roomNamed", { name: names.get(id) ?? id }),
    period: grant && isTemporary(grant) ? periodText(grant, timeZone) : null,
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
            onToggle={(person, id, on) => edits.setRooms([person], [Number(id)], on)}
            rowName={(id) => t("board.roomNamed", { name: names.get(id) ?? id })}
            isChecked={(person, id) => edits.grantsOf(person).has(Number(id))}
            onToggleMany={(chosen, ids, on) => edits.setRooms(chosen, ids.map(Number), on, ids.length === names.size)}
          />
          <PermitBar edits={edits} />
        </>
      )}
    </StaffMembers>
  );
}

/** Returns e.g. "from 3 Mar 2027, 10:00 until 5 Mar 2027, 18:00". */
export function periodText({ startsAt, endsAt }: GrantValue, timeZone: string): string {
  return [
    startsAt && t("staff.since", { date: formatDateTime(startsAt, timeZone) }),
    endsAt && t("staff.until", { date: formatDateTime(endsAt, timeZone) }),
  ]
    .filter(Boolean)
    .join(" ");
}
