import type { StayKey, StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import { Check, Nfc, ShieldAlert } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { useState } from "react";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { CardOverReader } from "@/ui/drawings.tsx";
import { EmptyState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { DoorNotice } from "./door-notice.tsx";
import { KeysByGuest } from "./keys-by-guest.tsx";
import { QuickCodeButton, QuickCodeResult, useQuickCode } from "./quick-code.tsx";
import { StayKeysDialog } from "./stay-keys-dialog.tsx";
import { useFocusAfterWriting, useKeyWriting } from "./use-key-writing.ts";
import { Writing } from "./writing.tsx";

type LostCardDialogProps = { stayId: number; cardId?: number | undefined; onClose: () => void };

/** Blocks a lost card and writes another one for its guest, in one step. */
export function LostCardDialog({ stayId, cardId, onClose }: LostCardDialogProps) {
  return (
    <StayKeysDialog stayId={stayId} title={t("keys.lostCard")} continues={false} onClose={onClose}>
      {(stay, keys) => <LostCard stay={stay} keys={keys} cardId={cardId} onClose={onClose} />}
    </StayKeysDialog>
  );
}

const isLiveCard = ({ kind, state }: StayKey): boolean =>
  (kind === "card" || kind === "airCard") && state !== "may_open" && state !== "ended";

type LostCardProps = { stay: StayDetail; keys: StayKeys; cardId: number | undefined; onClose: () => void };

function LostCard({ stay, keys, cardId, onClose }: LostCardProps) {
  const writesCards = useCan()("cards.issue") && keys.door?.readsCards === true && !stay.expired;
  const actions = useStayActions();
  const [lost, setLost] = useState<StayKey>();
  const cards = keys.keys.filter(isLiveCard);
  const hasNoCard = cards.length === 0 && !lost;
  const [chosenId, setChosenId] = useState(cardId ?? (cards.length === 1 ? cards[0]?.id : undefined));
  const card = lost ?? cards.find(({ id }) => id === chosenId);
  const nameOf = (id: number | null): string | null =>
    keys.guests.find(({ stayGuestId }) => stayGuestId === id)?.name ?? null;
  const replacement = card && {
    key: `lost:${card.id}`,
    holderId: card.stayGuestId,
    name: nameOf(card.stayGuestId),
  };
  const revoke = useMutation(trpc.cards.revoke.mutationOptions());
  const writing = useKeyWriting(stay.id, replacement && writesCards ? [replacement] : []);
  const code = useQuickCode(keys);
  const primary = useFocusAfterWriting(writing);
  const [next] = writing.queue;

  async function block(): Promise<boolean> {
    if (lost) return true;
    if (!card) return false;
    try {
      await revoke.mutateAsync({ cardId: card.id, reason: "lost" });
    } catch {
      // The mutation has shown its failure, and the card can be reported once more.
      return false;
    }
    setLost(card);
    return true;
  }

  async function blockAndWrite(): Promise<void> {
    if ((await block()) && next) writing.writeFor(next);
  }

  return (
    <DialogPanel
      title={t("keys.lostCard")}
      description={hasNoCard ? undefined : t(writesCards ? "keys.lostText" : "keys.onlyBlockText")}
      onInteractOutside={(event) => writing.busy && event.preventDefault()}
      onOpenAutoFocus={(event) => {
        if (!primary.current) return;
        event.preventDefault();
        primary.current.focus();
      }}
      footer={
        lost && !next ? (
          <Button ref={primary} onClick={onClose}>
            <Check aria-hidden />
            {t("keys.finish")}
          </Button>
        ) : (
          <>
            <Button variant="outline" onClick={onClose}>
              {lost ? t("keys.later") : t("common.cancel")}
            </Button>
            {hasNoCard && writesCards && (
              <ActionButton ref={primary} onClick={() => actions.writeCard(stay.id)}>
                <Nfc aria-hidden />
                {t("card.write")}
              </ActionButton>
            )}
            {!lost && !hasNoCard && (
              <ActionButton variant="outline" disabled={!card} pending={revoke.isPending} onClick={() => void block()}>
                <ShieldAlert aria-hidden />
                {t("keys.onlyBlock")}
              </ActionButton>
            )}
            {next && (
              <ActionButton
                ref={primary}
                pending={revoke.isPending || writing.busy}
                onClick={() => void blockAndWrite()}
              >
                <Nfc aria-hidden />
                {lost ? t("card.write") : t("keys.blockAndWrite")}
              </ActionButton>
            )}
          </>
        )
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <StayFacts stay={stay} />
        <DoorNotice keys={keys} code={code} />
        {lost ? (
          <KeysByGuest keys={keys} writing={writing} canWrite={false} />
        ) : hasNoCard ? (
          <EmptyState
            drawing={CardOverReader}
            title={t("card.none")}
            action={<QuickCodeButton code={code} />}
            className="py-6"
          />
        ) : (
          <CardChoice cards={cards} value={chosenId} onChange={setChosenId} nameOf={nameOf} />
        )}
        <QuickCodeResult code={code} />
        {writesCards && card && <Writing keys={keys} writing={writing} code={code} />}
      </div>
    </DialogPanel>
  );
}

type CardChoiceProps = {
  cards: readonly StayKey[];
  value: number | undefined;
  onChange: (cardId: number) => void;
  nameOf: (stayGuestId: number | null) => string | null;
};

/** Asks which card is lost, by guest. */
function CardChoice({ cards, value, onChange, nameOf }: CardChoiceProps) {
  return (
    <RadioGroup.Root
      aria-label={t("keys.whichCard")}
      value={value === undefined ? "" : String(value)}
      onValueChange={(id) => onChange(Number(id))}
      className="grid gap-1.5"
    >
      {cards.map(({ id, label, stayGuestId }) => (
        <RadioGroup.Item
          key={id}
          value={String(id)}
          className="flex min-h-11 items-center justify-between gap-3 rounded-md border border-border bg-card px-3 py-2 text-start hover:border-input data-[state=checked]:border-brass data-[state=checked]:bg-brass-soft data-[state=checked]:text-brass-ink"
        >
          <bdi className="min-w-0 truncate font-medium">{nameOf(stayGuestId) ?? t("keys.others")}</bdi>
          <bdi dir="ltr" className="font-mono">
            {label}
          </bdi>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
