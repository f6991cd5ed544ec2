import type { faceGrantsInput } from "@innkey/shared/schemas/faces";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { z } from "zod";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { GrantLine } from "./grant-line.tsx";

const REFRESH_MILLISECONDS = 5000;

type GrantsCardProps = {
  of: z.infer<typeof faceGrantsInput>;
  /** What it says when there are none; without it the card is not there then. */
  none: string | null;
  actions?: ReactNode;
};

/** The faces that open one door, or that a stay has. */
export function GrantsCard({ of, none, actions }: GrantsCardProps) {
  const { t } = useTranslation();
  const grants = useQuery(trpc.faces.grants.queryOptions(of, { refetchInterval: REFRESH_MILLISECONDS }));
  if (none === null && grants.data?.length === 0) return null;
  return (
    <Card>
      <CardHeader title={t("nav.faces")} actions={actions} />
      <CardBody>
        {grants.error && !grants.data ? (
          <ErrorState error={grants.error} onRetry={() => void grants.refetch()} />
        ) : !grants.data ? (
          <Skeleton className="h-12" />
        ) : grants.data.length === 0 ? (
          <p className="text-muted-foreground">{none}</p>
        ) : (
          <ul className="grid grid-cols-1 gap-3.5">
            {grants.data.map((grant) => (
              <GrantLine key={grant.id} grant={grant} named={of.roomId === undefined} />
            ))}
          </ul>
        )}
      </CardBody>
    </Card>
  );
}
