import type { StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import { useMutation } from "@tanstack/react-query";
import { IdCard } from "lucide-react";
import { useState } from "react";
import { withOwnReader } from "@/entities/card-reader/card-reader.ts";
import { usedReaderNumber } from "@/entities/card-reader/card-reader-presence.ts";
import { ReaderFailure } from "@/entities/card-reader/card-reader-status.tsx";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import type { CardReader, ReaderDevice } from "@/readers/card-reader.ts";
import { ReaderError } from "@/readers/reader-error.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";

/** Reads a card twice, woken anew in between: some identity cards answer with another number each time. */
async function readTwice(reader: CardReader & ReaderDevice): Promise<[string, string]> {
  const { uid } = await reader.readUid();
  await reader.resetAntenna().catch((error: unknown) => {
    if (!(error instanceof ReaderError) || error.kind !== "unsupported") throw error;
  });
  const { uid: again } = await reader.readUid();
  return [uid, again];
}

const isLive = ({ kind, state }: StayKeys["keys"][number]): boolean =>
  kind === "idCard" && state !== "ended" && state !== "may_open";

/**
 * Reads the identity cards of guests who want to open the door with theirs. Until one is read, it opens nothing, and
 * this says so.
 */
export function IdCards({ keys }: { keys: StayKeys }) {
  const [guestId, setGuestId] = useState<number>();
  const add = useMutation(trpc.cards.addIdCard.mutationOptions({ meta: { shownInForm: true } }));
  const read = useMutation({
    meta: { shownInForm: true },
    mutationFn: async (stayGuestId: number) => {
      setGuestId(stayGuestId);
      const readings = await withOwnReader(readTwice);
      await add.mutateAsync({ stayId: keys.stayId, stayGuestId, readings, reader: usedReaderNumber() });
    },
    onSuccess: () => toast.success(t("keys.idCardDone")),
  });
  const cards = keys.keys.filter(isLive);
  const waiting = keys.guests.filter(({ stayGuestId }) => !cards.some((card) => card.stayGuestId === stayGuestId));
  if (waiting.length === 0 || keys.door === null) return null;
  return (
    <Callout
      tone={cards.length === 0 ? "warning" : "info"}
      title={cards.length === 0 ? t("keys.idCardWaits") : t("keys.idCardMore")}
    >
      <p>{t("keys.idCardText")}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {waiting.map(({ stayGuestId, name }) => (
          <ActionButton
            key={stayGuestId}
            variant="outline"
            size="sm"
            className="max-w-full min-w-0"
            disabled={read.isPending}
            pending={read.isPending && guestId === stayGuestId}
            onClick={() => read.mutate(stayGuestId)}
          >
            <IdCard aria-hidden />
            <span className="truncate">{t("keys.readIdCard", { name })}</span>
          </ActionButton>
        ))}
      </div>
      <div aria-live="polite" className="mt-2 empty:mt-0">
        {read.error instanceof ReaderError ? (
          <ReaderFailure failure={read.error} />
        ) : (
          read.error && <p className="font-medium text-danger">{failureText(failureOf(read.error))}</p>
        )}
      </div>
    </Callout>
  );
}
