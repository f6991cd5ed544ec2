import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { desk } from "@/entities/reader/desk-reader.ts";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { api, trpc } from "@/lib/trpc.ts";

/** While this page is open, a room card on the reader ticks its party off and says so. */
export function useBreakfastCards(): void {
  const { t } = useTranslation();
  const client = useQueryClient();
  useEffect(
    () =>
      desk.onCard(async ({ uid }) => {
        try {
          const { roomName, party, ticked } = await api.breakfast.tickByCard.mutate({ number: uid });
          if (roomName === null) toast.info(t("breakfast.cardNobody"));
          else if (party === 0) toast.error(t("breakfast.cardNone", { room: roomName }));
          else if (ticked === 0) toast.info(t("breakfast.cardAgain", { room: roomName }));
          else toast.success(t("breakfast.cardTicked", { room: roomName, count: ticked }));
          await client.invalidateQueries(trpc.breakfast.list.pathFilter());
        } catch (error) {
          toast.error(failureText(failureOf(error)));
        }
      }),
    [client, t],
  );
}
