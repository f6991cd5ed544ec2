import { useQuery } from "@tanstack/react-query";
import { UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
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
