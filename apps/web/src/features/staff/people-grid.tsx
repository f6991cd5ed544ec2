import { useQuery } from "@tanstack/react-query";
import { Clock, UserRound } from "lucide-react";
import { Fragment, memo, type ReactNode, useCallback, useEffect, useRef } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { CheckboxInput } from "@/ui/form/checkbox-input.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import type { OperatorRow } from "./operator-form.ts";

/** Loads the people with the staff role and renders them. Only their permissions are granted individually. */
export function StaffMembers({ children }: { children: (people: OperatorRow[]) => ReactNode }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(trpc.staff.list.queryOptions());
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-96" />;
  const people = data.filter(({ role }) => role === "staff").toSorted((a, b) => a.name.localeCompare(b.name));
  if (people.length === 0) {
    return <EmptyState icon={UserRound} title={t("staff.noStaff")} description={t("staff.noStaffText")} />;
  }
  return children(people);
}

/** State of one checkbox in the grid. */
export interface BoxState {
  checked: boolean;
  /** Name of the permission or room, for screen readers. */
  what: string;
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
  what,
  period = null,
  checked,
  disabled,
  onToggle,
}: PeopleBoxProps) {
  const { t } = useTranslation();
  const description = period ? `${what}, ${period}` : what;
  return (
    <span className="inline-flex items-center gap-1 align-middle" title={period ?? undefined}>
      <CheckboxInput
        value={checked}
        disabled={disabled}
        aria-label={t("staff.cell", { name: person.name, what: description })}
        onChange={(on) => onToggle(person, rowId, on)}
      />
      {period && <Clock aria-hidden className="size-3.5 text-brass-ink" />}
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
};

/** Grid of permissions or rooms by staff member. Headings and names stay in view while it scrolls. */
export function PeopleGrid({ label, corner, people, sections, disabled, boxOf, onToggle }: PeopleGridProps) {
  const { t } = useTranslation();
  const latest = useRef(onToggle);
  useEffect(() => {
    latest.current = onToggle;
  });
  const toggle = useCallback<PeopleGridProps["onToggle"]>((...tick) => latest.current(...tick), []);
  return (
    <Card className="overflow-hidden">
      <section aria-label={label} className="max-h-[70dvh] overflow-auto" tabIndex={people.length > 3 ? 0 : undefined}>
        <table className="w-max min-w-full border-separate border-spacing-0" aria-label={label}>
          <thead>
            <tr>
              <th
                scope="col"
                className="sticky start-0 top-0 z-20 border-b bg-sunken px-4 py-2 text-start text-xs font-medium text-muted-foreground"
              >
                {corner}
              </th>
              {people.map((person) => (
                <th
                  key={person.operatorId}
                  scope="col"
                  className="sticky top-0 z-10 max-w-36 border-b bg-sunken px-3 py-2 text-center text-xs font-medium text-muted-foreground"
                >
                  <span className="block truncate">
                    <bdi>{person.name}</bdi>
                  </span>
                  {person.frozen && <span className="block font-normal">{t("staff.frozen")}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sections.map((section) => (
              <Fragment key={section.id}>
                <tr>
                  <th
                    scope="rowgroup"
                    colSpan={people.length + 1}
                    className="px-4 pt-4 pb-1 text-start text-sm font-semibold"
                  >
                    <span className="sticky start-4">{section.label}</span>
                  </th>
                </tr>
                {section.rows.map((row) => (
                  <tr key={row.id} className="hover:bg-hover/50">
                    <th
                      scope="row"
                      className="sticky start-0 z-[5] max-w-[50vw] min-w-40 bg-card px-4 py-1.5 text-start font-normal"
                    >
                      {row.label}
                    </th>
                    {people.map((person) => (
                      <td key={person.operatorId} className="px-3 py-1.5 text-center">
                        <PeopleBox
                          {...boxOf(person, row.id)}
                          person={person}
                          rowId={row.id}
                          disabled={disabled}
                          onToggle={toggle}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
