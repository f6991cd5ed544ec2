import { airCardInput, type StayCardRow } from "@innkey/shared/schemas/access/cards";
import * as f from "@innkey/shared/schemas/fields";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CreditCard, Nfc, Radio, RefreshCw, ShieldAlert, Undo2 } from "lucide-react";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { z } from "zod";
import { readCard, useReaderSettings, useReading } from "@/entities/card-reader/card-reader.ts";
import { ReaderFailure } from "@/entities/card-reader/card-reader-status.tsx";
import {
  CardStateChip,
  CredentialChip,
  hasExpired,
  PendingRevocationsLink,
} from "@/entities/credential/credential-state.tsx";
import { useLockActs } from "@/entities/lock/use-lock-acts.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatNumber, formatShort, joinItems } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { uidOf } from "@/readers/protocol/hex.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { RowMenu } from "@/ui/table/table-rows.tsx";
import { isLive, useCardActs } from "./use-card-acts.ts";

type CardNumberInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange"> & {
  value: string;
  onChange: (number: string) => void;
};

/**
 * Input for a card's number, which is read by the desk's card reader, by a reader that acts as a keyboard, or typed by
 * hand.
 */
function CardNumberInput({ value, onChange, ...props }: CardNumberInputProps) {
  const { source } = useReaderSettings();
  const { busy, card, failure, warning } = useReading();
  const [hasRequested, setHasRequested] = useState(false);
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const openedAt = useRef(Date.now());

  useEffect(() => {
    if (card && card.at >= openedAt.current) latestOnChange.current(card.uid);
  }, [card]);

  return (
    <div className="grid gap-2">
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          <Input
            {...props}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            dir="ltr"
            className="font-mono rtl:text-end"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </div>
        {source !== "keyboard" && (
          <ActionButton
            variant="outline"
            pending={busy}
            needsServer={false}
            onClick={() => {
              setHasRequested(true);
              void readCard();
            }}
            className="h-10 lg:h-9"
          >
            <Nfc aria-hidden />
            {t("shell.readCard")}
          </ActionButton>
        )}
      </div>
      {source === "keyboard" && <p className="text-sm text-muted-foreground">{t("reader.keyboardReady")}</p>}
      {hasRequested && failure && <ReaderFailure failure={failure} />}
      {hasRequested && warning === "impatient" && (
        <p className="text-sm text-muted-foreground">{t("reader.warning.impatient")}</p>
      )}
    </div>
  );
}

/**
 * Form for a card that opens a stay's door by its number. The number may be typed in any notation that readers show.
 */
const airCardForm = z.object({ stayId: f.id, uid: z.string(), note: f.text(100) }).transform((values, ctx) => {
  const parsed = airCardInput.safeParse({ ...values, uid: uidOf(values.uid) ?? values.uid });
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues)
    ctx.issues.push({ code: "custom", path, message: values.uid === "" ? f.v.required : message, input: values });
  return z.NEVER;
});

/**
 * Adds a card, bracelet or phone that opens a stay's door by its number. Nothing is written to it; the number is sent
 * to the lock.
 */
function AirCardDialog({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const form = useZodForm(airCardForm, { defaultValues: { stayId: stay.id, uid: "", note: "" } });
  const add = useMutation(trpc.cards.addOverTheAir.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("card.air.title")}
      description={t("card.air.text")}
      submitLabel={t("card.air.submit")}
      startAt="uid"
      onClose={onClose}
      onSubmit={async (input) => {
        await add.mutateAsync(input);
        toast.success(t("card.air.done", { room: stay.room.name }));
        onClose();
      }}
    >
      <StayFacts stay={stay} />
      <Field form={form} name="uid" label={t("card.number")} required>
        {(control) => <CardNumberInput {...control} />}
      </Field>
      <Field form={form} name="note" label={t("card.note")} hint={t("card.air.noteHint")}>
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}

type StayCardLineProps = {
  card: StayCardRow;
  canEnd: boolean;
  onWriteAgain?: (() => void) | undefined;
  /** Blocks the card and writes another one; without it, the card is only blocked. */
  onReplace?: (() => void) | undefined;
};

/** One card of a stay: what it is, its status, and the actions it needs. */
function StayCardLine({ card, canEnd, onWriteAgain, onReplace }: StayCardLineProps) {
  const { timeZone } = useHotel();
  const acts = useCardActs();
  const { overTheAir, state, usedAt, validTo, revokeReason } = card;
  const Icon = overTheAir ? Radio : CreditCard;
  const isEnded = state === "revoking" || state === "revoked";
  const facts = [
    overTheAir && t("card.air.kind"),
    joinItems([card.roomName, ...card.otherDoors.map(({ name }) => name)].filter((name) => name !== null)),
    validTo && t("card.until", { when: formatShort(validTo, timeZone) }),
    usedAt && t("card.usedWhen", { when: formatShort(usedAt, timeZone) }),
    isEnded && revokeReason && textOf(`locks.revokeReason.${revokeReason}`, {}, "locks.revokeReason.by_hand"),
  ];
  return (
    <li className="flex items-start gap-3">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="font-mono font-medium" dir="ltr">
            {card.uid}
          </bdi>
          {card.holder && <bdi className="font-medium">{card.holder.name}</bdi>}
          {card.note && (
            <span dir="auto" className="name-run min-w-0 truncate">
              {card.note}
            </span>
          )}
          {(!overTheAir || isEnded) && <CardStateChip card={card} />}
        </p>
        <p className="text-sm text-pretty text-muted-foreground">{facts.filter(Boolean).join(" · ")}</p>
        {overTheAir && !isEnded && <Doors card={card} />}
        {card.rewrite && (
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm font-medium text-expired">
            {t(`card.rewrite.${card.rewrite}`)}
            {onWriteAgain && (
              <ActionButton variant="outline" size="sm" onClick={onWriteAgain}>
                <Nfc aria-hidden />
                {t("card.writeAgain")}
              </ActionButton>
            )}
          </p>
        )}
        {state === "revoking" && !hasExpired(card) && (
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-expired">
            {t("card.mayStillOpen")} <PendingRevocationsLink />
          </p>
        )}
      </div>
      {canEnd && (
        <RowMenu
          row={card}
          actions={[
            { label: t("card.lost"), icon: ShieldAlert, danger: true, onSelect: onReplace ?? acts.askAboutLoss },
            { label: t("card.takeBack"), icon: Undo2, danger: true, onSelect: acts.askToTakeBack },
          ]}
        />
      )}
    </li>
  );
}

/** Status of a card that opens by its number, at each lock. */
function Doors({ card }: { card: StayCardRow }) {
  const mayRetry = useCan()("locks.retry");
  const locks = useLockActs();
  return (
    <ul className="mt-1 grid gap-1">
      {card.credentials.map((credential) => (
        <li key={credential.id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {card.credentials.length > 1 && <bdi className="text-sm font-medium">{credential.roomName}</bdi>}
          <CredentialChip credential={credential} />
          {credential.state === "failed" && mayRetry && (
            <ActionButton
              variant="outline"
              size="sm"
              pending={locks.isRetrying}
              onClick={() => locks.tryNow({ id: credential.lockId })}
            >
              <RefreshCw aria-hidden />
              {t("locks.mend.retry_lock")}
            </ActionButton>
          )}
        </li>
      ))}
    </ul>
  );
}

type StayCardsProps = {
  stay: StayDetail;
  /** True on the card station, where cards are written right beside this list. */
  atStation?: boolean;
};

/** Lists the cards of a stay with their status. */
export function StayCards({ stay, atStation = false }: StayCardsProps) {
  const canIssue = useCan()("cards.issue");
  const actions = useStayActions();
  const [isAdding, setIsAdding] = useState(false);
  const cards = useQuery(
    trpc.cards.ofStay.queryOptions({ stayId: stay.id }, { refetchInterval: BY_TIME_MILLISECONDS }),
  );
  const isOpen = (stay.state === "reserved" || stay.state === "checked_in") && !stay.expired;
  const canAdd = canIssue && isOpen;
  if (cards.data?.length === 0 && !isOpen && stay.state !== "checked_in") return null;
  const count = cards.data?.filter((card) => card.state === "active" && !hasExpired(card)).length ?? 0;
  return (
    <Card>
      <CardHeading
        title={t("card.cards")}
        description={count > 0 && t("card.liveCount", { total: formatNumber(count) })}
        actions={
          <>
            {canAdd && (
              <ActionButton size="sm" variant="ghost" onClick={() => setIsAdding(true)}>
                <Radio aria-hidden />
                {t("card.air.add")}
              </ActionButton>
            )}
            {canAdd && !atStation && stay.state === "checked_in" && (
              <ActionButton variant="outline" size="sm" onClick={() => actions.writeCard(stay.id)}>
                <CreditCard aria-hidden />
                {t("card.newCard")}
              </ActionButton>
            )}
          </>
        }
      />
      <CardContent>
        {cards.error && !cards.data ? (
          <ErrorState error={cards.error} onRetry={() => void cards.refetch()} />
        ) : !cards.data ? (
          <Skeleton className="h-12" />
        ) : cards.data.length === 0 ? (
          <p className="text-muted-foreground">{t("card.none")}</p>
        ) : (
          <ul className="grid grid-cols-1 gap-3.5">
            {cards.data.map((card) => (
              <StayCardLine
                key={card.id}
                card={card}
                canEnd={canIssue && isLive(card)}
                onWriteAgain={canAdd && !atStation ? () => actions.writeCard(stay.id) : undefined}
                onReplace={
                  canAdd && !atStation && stay.state === "checked_in" && !card.overTheAir
                    ? () => actions.replaceLostCard(stay.id, card.id)
                    : undefined
                }
              />
            ))}
          </ul>
        )}
      </CardContent>
      {isAdding && <AirCardDialog stay={stay} onClose={() => setIsAdding(false)} />}
    </Card>
  );
}
