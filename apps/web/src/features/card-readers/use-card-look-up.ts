import { useEffect } from "react";
import { cardReader } from "@/entities/card-reader/card-reader.ts";
import { usedReaderNumber } from "@/entities/card-reader/card-reader-presence.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { t } from "@/lib/i18n.ts";
import { queryClient } from "@/lib/query-client.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";

/**
 * Opens the stay of a card that was read, or reports that no present guest has it (source: specification, section 4).
 */
export function useCardLookUp(onGuestShown?: () => void): void {
  const { openStay } = useStayActions();
  const allowed = useCan()("stays.view");
  useEffect(() => {
    if (!allowed) return;
    return cardReader.onCard(async ({ uid }) => {
      try {
        const [guest] = await queryClient.fetchQuery(
          trpc.cards.lookUp.queryOptions({ number: uid, reader: usedReaderNumber() }, { staleTime: 0 }),
        );
        if (guest) {
          openStay(guest.stayGuestId, guest.otherInformation);
          onGuestShown?.();
        } else toast.info(t("card.noGuest"));
      } catch (error) {
        toast.error(failureText(failureOf(error)));
      }
    });
  }, [allowed, openStay, onGuestShown]);
}
