import type { PasscodeRow } from "@innkey/shared/schemas/access/passcodes";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useQuery } from "@tanstack/react-query";
import { Hash, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { CredentialChip, isUnderWay } from "@/entities/credential/credential-state.tsx";
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
import { periodText } from "./passcode-table.tsx";
import { usePasscodeActs } from "./use-passcode-acts.tsx";

const MAX_PASSCODES = 50;

/** Lists the codes of a stay, including revoked ones that a lock still has to delete. */
export function StayPasscodes({ stay }: { stay: StayDetail }) {
  const canIssue = useCan()("passcodes.issue");
  const stays = useStayActions();
  const acts = usePasscodeActs();
  const filter = { stayId: stay.id, pageSize: MAX_PASSCODES };
  const polling = { refetchInterval: BY_TIME_MILLISECONDS };
  const live = useQuery(trpc.passcodes.list.queryOptions({ ...filter, state: "live" }, polling));
  const ended = useQuery(trpc.passcodes.list.queryOptions({ ...filter, state: "ended" }, polling));
  const isOpen = (stay.state === "reserved" || stay.state === "checked_in") && !stay.expired;
  const endingPasscodes = (ended.data?.rows ?? []).filter(({ credentials }) => credentials.some(isUnderWay));
  if (live.data?.rows.length === 0 && endingPasscodes.length === 0 && !isOpen) return null;
  return (
    <Card>
      <CardHeading
        title={t("passcode.codes")}
        actions={
          canIssue &&
          isOpen && (
            <ActionButton size="sm" variant="ghost" onClick={() => stays.createPasscode({ stayId: stay.id })}>
              <Plus aria-hidden />
              {t("passcode.new")}
            </ActionButton>
          )
        }
      />
      <CardContent>
        {live.error && !live.data ? (
          <ErrorState error={live.error} onRetry={() => void live.refetch()} />
        ) : !live.data ? (
          <Skeleton className="h-12" />
        ) : live.data.rows.length + endingPasscodes.length === 0 ? (
          <p className="text-muted-foreground">{t("passcode.noneOfStay")}</p>
        ) : (
          <ul className="grid grid-cols-1 gap-3.5">
            {live.data.rows.map((row) => (
              <StayPasscode
                key={row.id}
                passcode={row}
                menu={<RowMenu row={row} actions={acts.actions(row, true)} />}
              />
            ))}
            {endingPasscodes.map((row) => (
              <StayPasscode key={row.id} passcode={row} />
            ))}
          </ul>
        )}
      </CardContent>
      {acts.dialog}
    </Card>
  );
}

function StayPasscode({ passcode, menu }: { passcode: PasscodeRow; menu?: ReactNode }) {
  const { timeZone } = useHotel();
  const { person, note, type, credentials } = passcode;
  return (
    <li className="flex items-start gap-3">
      <Hash aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 flex-wrap gap-x-2">
          <bdi className="font-medium break-words">{person}</bdi>
          {note && <bdi className="text-muted-foreground">{note}</bdi>}
        </p>
        <p className="text-sm text-pretty text-muted-foreground">
          {[t(`locks.passcodeType.${type}`), periodText(passcode, timeZone)].join(" · ")}
        </p>
        <ul className="mt-1 grid gap-1">
          {credentials.map((credential) => (
            <li key={credential.id} className="flex flex-wrap items-start gap-x-2 gap-y-1">
              <bdi className="text-sm font-medium">{credential.roomName}</bdi>
              <CredentialChip credential={credential} />
            </li>
          ))}
        </ul>
      </div>
      {menu}
    </li>
  );
}
