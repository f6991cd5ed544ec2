import type { StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import { Check, Nfc, Undo2 } from "lucide-react";
import { useId } from "react";
import type { KeysAfter } from "@/entities/stay/stay-actions.tsx";
import { guestNameOf, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { undoCheckIn } from "@/entities/stay/undo-check-in.ts";
import { undoCheckOut } from "@/entities/stay/undo-check-out.ts";
import { formatDateTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { DoorNotice } from "./door-notice.tsx";
import { IdCards } from "./id-cards.tsx";
import { KeysByGuest } from "./keys-by-guest.tsx";
import { QuickCodeButton, QuickCodeResult, useQuickCode } from "./quick-code.tsx";
import { StayKeysDialog } from "./stay-keys-dialog.tsx";
import { StayZones } from "./stay-zones.tsx";
import { cardsToWrite, type KeyWriting, useFocusAfterWriting, useKeyWriting } from "./use-key-writing.ts";
import { Writing } from "./writing.tsx";

type KeysDialogProps = { stayId: number; after: KeysAfter; done?: string | undefined; onClose: () => void };

/**
 * The keys of a stay by guest, where each stands, and the cards to write now. Every act that changes keys ends here,
 * and whatever is left can be done later.
 */
export function KeysDialog({ stayId, after, done, onClose }: KeysDialogProps) {
  return (
    <StayKeysDialog stayId={stayId} title={t("keys.heading")} continues onClose={onClose}>
      {(stay, keys) => <KeysContent stay={stay} keys={keys} after={after} done={done} onClose={onClose} />}
    </StayKeysDialog>
  );
}

/** Guests who came with a code only are not asked again whether they want a card. */
function cardsMissingFor(after: KeysAfter, { keys }: StayKeys): "all" | "added" | "none" {
  if (after === "guest") return "added";
  return after === "extension" || (after === "move" && keys.length > 0) ? "none" : "all";
}

type KeysContentProps = Omit<KeysDialogProps, "stayId"> & { stay: StayDetail; keys: StayKeys };

function KeysContent({ stay, keys, after, done, onClose }: KeysContentProps) {
  const { timeZone } = useHotel();
  const mayWrite = useCan()("cards.issue") && keys.state === "checked_in" && !stay.expired;
  const writesCards = mayWrite && keys.door?.readsCards === true;
  const writing = useKeyWriting(stay.id, writesCards ? cardsToWrite(keys, cardsMissingFor(after, keys)) : []);
  const code = useQuickCode(keys);
  const primary = useFocusAfterWriting(writing);
  const [next] = writing.queue;
  const { busy } = writing;

  return (
    <DialogPanel
      title={t("keys.title", { room: keys.room.name })}
      description={done ?? t("card.opensUntil", { until: formatDateTime(keys.opensUntil, timeZone) })}
      continues={done !== undefined}
      onInteractOutside={(event) => busy && event.preventDefault()}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        primary.current?.focus();
      }}
      footer={
        next ? (
          <>
            <Button variant="outline" onClick={onClose}>
              {t("keys.later")}
            </Button>
            <ActionButton
              ref={primary}
              pending={busy}
              className="max-w-full min-w-0 shrink"
              onClick={() => writing.writeFor(next)}
            >
              <Nfc aria-hidden />
              <span className="truncate">{next.name ? t("keys.writeFor", { name: next.name }) : t("card.write")}</span>
            </ActionButton>
          </>
        ) : (
          <>
            {after === "departure" && stay.checkOutUndo && (
              <UndoButton act={() => undoCheckOut(stay)} onDone={onClose} />
            )}
            {after === "arrival" && stay.checkInUndo && (
              <UndoButton
                act={() => undoCheckIn(stay.id, { guest: guestNameOf(stay), room: stay.room.name })}
                onDone={onClose}
              />
            )}
            <Button ref={primary} onClick={onClose}>
              <Check aria-hidden />
              {t("keys.finish")}
            </Button>
          </>
        )
      }
    >
      <div className="grid grid-cols-1 gap-4">
        {after === "departure" ? <HandBack keys={keys} /> : <StayFacts stay={stay} />}
        <DoorNotice keys={keys} code={code} />
        <KeysByGuest keys={keys} writing={writing} canWrite={writesCards} />
        {after !== "departure" && <StayZones keys={keys} />}
        {mayWrite && keys.wantsIdCard && <IdCards keys={keys} />}
        <QuickCodeResult code={code} />
        {writesCards && (
          <Writing keys={keys} writing={writing} code={code}>
            {after === "cards" && <DisableOldCards writing={writing} />}
          </Writing>
        )}
        {!writesCards && keys.state === "checked_in" && (
          <div>
            <QuickCodeButton code={code} />
          </div>
        )}
      </div>
    </DialogPanel>
  );
}

/** Takes back the check-in or check-out that was just done. */
function UndoButton({ act, onDone }: { act: () => Promise<string>; onDone: () => void }) {
  const undo = useMutation({ mutationFn: act });
  return (
    <ActionButton
      variant="outline"
      pending={undo.isPending}
      onClick={() =>
        undo.mutate(undefined, {
          onSuccess: (done) => {
            toast.success(done);
            onDone();
          },
        })
      }
    >
      <Undo2 aria-hidden />
      {t("common.undo")}
    </ActionButton>
  );
}

/** Asks for the encoded cards of a party that leaves; cards by number are the guests' own. */
function HandBack({ keys }: { keys: StayKeys }) {
  const cards = keys.keys.filter(({ kind }) => kind === "card");
  const mayOpen = keys.keys.filter(({ state }) => state === "may_open");
  return (
    <>
      {cards.length > 0 && (
        <Callout tone="info" title={t("keys.askBack", { count: cards.length })}>
          <p>{t("keys.askBackText")}</p>
        </Callout>
      )}
      <p role="status" className={mayOpen.length > 0 ? "font-medium text-expired" : "font-medium text-vacant"}>
        {mayOpen.length > 0 ? t("keys.mayOpen", { count: mayOpen.length }) : t("keys.allBlocked")}
      </p>
    </>
  );
}

function DisableOldCards({ writing }: { writing: KeyWriting }) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <CheckboxInput
        id={id}
        value={writing.disableOldCards}
        onChange={writing.setDisableOldCards}
        disabled={writing.busy}
        aria-describedby={`${id}-hint`}
      />
      <div>
        <label htmlFor={id}>{t("card.disableOld")}</label>
        <p id={`${id}-hint`} className="text-sm text-muted-foreground">
          {t("card.disableOldHint")}
        </p>
      </div>
    </div>
  );
}
