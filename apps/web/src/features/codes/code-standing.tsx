import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { isReady, isUnderWay } from "@/entities/credential/doors-chip.tsx";
import { DoorsList } from "@/entities/credential/doors-list.tsx";
import { windowText } from "@/entities/lock/lock-words.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { useTryAgain } from "./use-passcode-acts.tsx";

/** A reachable lock answers within a second or two, and someone is usually waiting for it. */
const REFRESH_MILLISECONDS = 1000;
/** Number of newest codes to search for the one just created. Other desks would have to create as many meanwhile. */
const AMONG = 50;

/** Shows the status of a new code at its doors until each lock has answered. */
export function CodeStatus({ passcodeId }: { passcodeId: number }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const can = useCan();
  const may = can("passcodes.view");
  const again = useTryAgain();
  const { data, isPending } = useQuery(
    trpc.passcodes.list.queryOptions(
      { state: "live", pageSize: AMONG },
      {
        enabled: may,
        refetchInterval: ({ state }) => {
          const row = state.data?.rows.find(({ id }) => id === passcodeId);
          return !row || row.credentials.some(isUnderWay) ? REFRESH_MILLISECONDS : false;
        },
      },
    ),
  );
  const passcode = data?.rows.find(({ id }) => id === passcodeId);
  if (!may) return null;
  if (!passcode) return isPending ? <Skeleton className="h-16" /> : null;
  const { type, credentials } = passcode;
  const words =
    type === "one_time"
      ? t("passcode.readyOnce")
      : credentials.every(isReady)
        ? t("passcode.ready")
        : credentials.some(isUnderWay)
          ? t("passcode.onItsWay")
          : t("passcode.someFailed");
  return (
    <section aria-labelledby="code-standing">
      <h3 id="code-standing" className="font-semibold">
        {t("passcode.standing")}
      </h3>
      <p role="status" className="text-pretty text-muted-foreground">
        {words}
      </p>
      <p className="mb-2 text-sm text-muted-foreground">
        {type === "one_time" ? t("passcode.untilUsed") : windowText(passcode.validFrom, passcode.validTo, timeZone)}
      </p>
      <DoorsList credentials={credentials} once={type === "one_time"} />
      {can("locks.retry") && credentials.some(({ state }) => state === "failed") && (
        <Button size="sm" className="mt-2" pending={again.trying} onClick={() => void again.tryAgain(passcode)}>
          <RefreshCw aria-hidden />
          {t("locks.mend.retry_lock")}
        </Button>
      )}
    </section>
  );
}
