import type { CardRow } from "@innkey/shared/schemas/access/cards";
import { useMutation } from "@tanstack/react-query";
import { confirm } from "@/lib/confirm.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";

type Card = Pick<CardRow, "id" | "uid" | "kind" | "overTheAir">;
type Reason = "by_hand" | "lost";

/** Returns which text says what ending a card means. An emergency card or a card to show a room is like a staff card. */
function endingText(kind: Card["kind"], overTheAir: boolean) {
  if (overTheAir) return "air";
  return kind === "emergency" || kind === "one_shot" ? "management" : kind;
}

/** Actions that end a card, shared by the card lists and the guest's page. */
export function useCardActs() {
  const revoke = useMutation(trpc.cards.revoke.mutationOptions());

  async function revokeCard({ id, uid, kind }: Card, reason: Reason): Promise<void> {
    const { state } = await revoke.mutateAsync({ cardId: id, reason });
    const isOver = state === "revoked";
    if (kind === "block_out")
      toast.success(isOver ? t("card.blockOutDone", { uid }) : t("card.blockOutWaits", { uid }));
    else toast.success(isOver ? t("card.endedDone", { uid }) : t("card.endedWaits", { uid }));
  }

  function askToRevoke(card: Card, reason: Reason, onRevoked?: () => void): void {
    const { uid, kind, overTheAir } = card;
    const isLost = reason === "lost";
    const lossText = kind === "block_out" ? t("card.blockOutLostText") : t("card.lostText");
    void confirm({
      title: isLost ? t("card.lostTitle", { uid }) : t("card.takeBackTitle", { uid }),
      description: isLost ? lossText : t(`card.takeBackTextOf.${endingText(kind, overTheAir)}`),
      confirmLabel: isLost ? t("card.lost") : t("card.takeBack"),
      tone: "danger",
      action: async () => {
        await revokeCard(card, reason);
        onRevoked?.();
      },
    });
  }

  return {
    askToTakeBack: (card: Card) => askToRevoke(card, "by_hand"),
    askAboutLoss: (card: Card, onRevoked?: () => void) => askToRevoke(card, "lost", onRevoked),
  };
}

/** Checks whether a card is pending or active, so that it can be revoked. */
export function isLive({ state }: Pick<CardRow, "state">): boolean {
  return state === "pending" || state === "active";
}
