import type { faceGrants, faceGrantsInput } from "@innkey/shared/schemas/access/faces";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useQuery } from "@tanstack/react-query";
import { ScanFace, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import type { z } from "zod";
import { CredentialChip } from "@/entities/credential/credential-state.tsx";
import { windowText } from "@/entities/lock/lock-labels.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { RowMenu } from "@/ui/table/table-rows.tsx";
import { FacePicture, useFaceActs } from "./face-tile.tsx";

type GrantsCardProps = {
  filter: z.infer<typeof faceGrantsInput>;
  /** Text to show when there are no faces. If null, the card is hidden then. */
  emptyText: string | null;
  actions?: ReactNode;
};

/** Lists the faces that open one door, or those of one stay. */
export function GrantsCard({ filter, emptyText, actions }: GrantsCardProps) {
  const grants = useQuery(trpc.faces.grants.queryOptions(filter, { refetchInterval: BY_TIME_MILLISECONDS }));
  if (emptyText === null && grants.data?.length === 0) return null;
  return (
    <Card>
      <CardHeading title={t("nav.faces")} actions={actions} />
      <CardContent>
        {grants.error && !grants.data ? (
          <ErrorState error={grants.error} onRetry={() => void grants.refetch()} />
        ) : !grants.data ? (
          <Skeleton className="h-12" />
        ) : grants.data.length === 0 ? (
          <p className="text-muted-foreground">{emptyText}</p>
        ) : (
          <ul className="grid grid-cols-1 gap-3.5">
            {grants.data.map((grant) => (
              <GrantLine key={grant.id} grant={grant} showsDoor={filter.roomId === undefined} />
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  );
}

type GrantLineProps = { grant: z.infer<typeof faceGrants>[number]; showsDoor: boolean };

/** One face at one door. With `showsDoor`, the line names the door. */
function GrantLine({ grant, showsDoor }: GrantLineProps) {
  const { timeZone } = useHotel();
  const canWithdraw = useCan()("faces.manage") && grant.state !== "revoking";
  const acts = useFaceActs();
  return (
    <li className="flex items-start gap-3">
      <FacePicture url={grant.imageUrl} note={grant.label} className="size-11 rounded-md border" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">
          <bdi>{grant.label}</bdi>
        </p>
        <p className="text-sm text-muted-foreground">
          {showsDoor && grant.roomName && (
            <>
              <bdi>{grant.roomName}</bdi> ·{" "}
            </>
          )}
          {windowText(grant.validFrom, grant.validTo, timeZone)}
        </p>
        <CredentialChip credential={grant} className="mt-1" />
      </div>
      {canWithdraw && (
        <RowMenu
          row={grant}
          actions={[{ label: t("face.withdraw"), icon: Undo2, danger: true, onSelect: acts.askToWithdraw }]}
        />
      )}
    </li>
  );
}

/** Lists the faces that open a stay's door. */
export function StayFaces({ stay }: { stay: StayDetail }) {
  const canManage = useCan()("faces.manage");
  const stays = useStayActions();
  const isOpen = (stay.state === "reserved" || stay.state === "checked_in") && !stay.expired;
  return (
    <GrantsCard
      filter={{ stayId: stay.id }}
      emptyText={isOpen ? t("face.noneOfStay") : null}
      actions={
        canManage &&
        isOpen && (
          <ActionButton size="sm" variant="ghost" onClick={() => stays.addFace(stay.id)}>
            <ScanFace aria-hidden />
            {t("face.add")}
          </ActionButton>
        )
      }
    />
  );
}
