import type { LockDetail } from "@innkey/shared/schemas/access/locks";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { RecordSearch } from "@/entities/unlock/record-search.ts";
import { ConnectDialog } from "@/features/locks/links/broker-access.tsx";
import { LockCommands, LockCredentials, LockFacts, LockUnmanaged } from "@/features/locks/lock-cards.tsx";
import { LockDialog } from "@/features/locks/lock-dialog.tsx";
import { LockDisplayTextDialog } from "@/features/locks/lock-display-text-dialog.tsx";
import { type LockDialogKind, LockHeader } from "@/features/locks/lock-header.tsx";
import { ReplaceDialog } from "@/features/locks/replace-dialog.tsx";
import { ReplacedLockHeader } from "@/features/locks/replaced-lock-header.tsx";
import { RecordList } from "@/features/unlocks/record-list.tsx";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { t } from "@/lib/i18n.ts";
import { usePageName } from "@/lib/page-title.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { missingSubject } from "@/ui/missing-subject.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";

/** Shows one lock: its state, its credentials and its commands; of one that was replaced, only what it left. */
export function LockScreen({ lockId }: { lockId: number }) {
  const can = useCan();
  const [dialog, setDialog] = useState<LockDialogKind | null>(null);
  const {
    data: lock,
    error,
    refetch,
  } = useQuery(trpc.locks.detail.queryOptions({ lockId }, { refetchInterval: BY_TIME_MILLISECONDS }));
  usePageName(lock && (lock.roomName ? t("locks.ofRoom", { room: lock.roomName }) : lock.mac));

  if (error && !lock) {
    const missing = missingSubject("lock", "/locks", t("nav.locks"));
    return <ErrorState error={error} onRetry={() => void refetch()} missing={missing} />;
  }
  if (!lock) return <PageSkeleton />;
  // The dialogs stay where they are when the lock is replaced, because one shows what to enter into the new lock.
  return (
    <>
      {lock.replacedBy ? (
        <ReplacedLockHeader mac={lock.mac} successor={lock.replacedBy} />
      ) : (
        <LockHeader lock={lock} onDialog={setDialog} />
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-5">
          {lock.unmanaged.length > 0 && <LockUnmanaged lock={lock} />}
          {!lock.replacedBy && <LockCredentials lock={lock} />}
          {can("unlocks.view") && <LockDoors lockId={lock.id} />}
          <LockCommands lockId={lock.id} online={lock.online} />
        </div>
        <LockFacts lock={lock} />
      </div>
      <Dialogs lock={lock} dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}

type DialogsProps = { lock: LockDetail; dialog: LockDialogKind | null; onClose: () => void };

function Dialogs({ lock, dialog, onClose }: DialogsProps) {
  if (dialog === "edit") return <LockDialog lock={lock} onClose={onClose} />;
  if (dialog === "replace") return <ReplaceDialog lock={lock} onClose={onClose} />;
  if (dialog === "connect") return <ConnectDialog lock={lock} onClose={onClose} />;
  if (dialog === "displayText" && lock.roomId !== null)
    return <LockDisplayTextDialog roomId={lock.roomId} onClose={onClose} />;
  return null;
}

/** Shows the records of one lock, from all rooms it was in. */
function LockDoors({ lockId }: { lockId: number }) {
  const [search, setSearch] = useState<RecordSearch>({});
  const subject = useMemo(() => ({ lockId }), [lockId]);
  return (
    <RecordList
      subject={subject}
      search={search}
      onSearch={(patch) => setSearch((old) => ({ ...old, ...patch }))}
      emptyText={{ title: t("room.noUnlocks"), description: t("room.noUnlocksText") }}
      toolbar={<h2 className="w-full text-lg font-semibold">{t("nav.doorRecords")}</h2>}
    />
  );
}
