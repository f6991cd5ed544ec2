import type { KeyVerdict } from "@innkey/shared/schemas/locks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyInQuestion } from "@/entities/stay/stay-actions.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { Dialog, DialogContent } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { KeyAnswer } from "./key-answer.tsx";
import { KeyQuestion } from "./key-question.tsx";

/** We keep refreshing so that a solved problem disappears by itself. */
const REFRESH_MILLISECONDS = 3000;

/** Explains why a key doesn't work and how to solve it. Without a given key, it first asks which one. */
export function KeyCheck({ of, onClose }: { of: KeyInQuestion; onClose: () => void }) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(of);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t("nav.keyCheck")} description={of ? undefined : t("locks.check.text")}>
        <div className="grid gap-5">
          {!of && <KeyQuestion value={isAsking} onAsk={setIsAsking} />}
          {isAsking && <Answered key={JSON.stringify(isAsking)} of={isAsking} onClose={onClose} />}
        </div>
      </DialogContent>
    </Dialog>
  );
}

function Answered({ of, onClose }: { of: NonNullable<KeyInQuestion>; onClose: () => void }) {
  const explained = useQuery(
    trpc.locks.explain.queryOptions(of, {
      staleTime: 0,
      refetchInterval: REFRESH_MILLISECONDS,
      placeholderData: keepPreviousData,
    }),
  );
  const verdict: KeyVerdict | undefined = explained.data;
  return (
    <div aria-live="polite" className="min-h-36">
      {verdict ? (
        <KeyAnswer verdict={verdict} onRetried={() => void explained.refetch()} onClose={onClose} />
      ) : explained.error ? (
        <ErrorState error={explained.error} onRetry={() => void explained.refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-36" />
      )}
    </div>
  );
}
