import { signedMinor } from "@innkey/shared/folio";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { ChevronDown, CircleCheck, Plus, Undo2, X } from "lucide-react";
import { useState } from "react";
import { entryParts } from "@/entities/stay/extra-charge.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { MoneyRow, QuoteLines } from "@/entities/stay/stay-money.tsx";
import { cn } from "@/lib/cn.ts";
import { formatMoney, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { CancelChargeDialog, PayDialog, PayOutDialog, RefundDialog } from "../money-dialogs.tsx";
import { ReceiptButton } from "../receipts/receipt-dialog.tsx";
import { ENTRY_ICONS, entryTitle } from "./entry-style.ts";

/** Shows the stay's balance, with the amounts it is made of below. */
export function MoneyCard({ stay }: { stay: StayDetail }) {
  const { currency } = useHotel();
  const can = useCan();
  const stays = useStayActions();
  const [isPaying, setIsPaying] = useState(false);
  const [isPayingOut, setIsPayingOut] = useState(false);
  const { chargedMinor, paidMinor, owedMinor, depositHeldMinor, unusedMinor } = stay.money;
  const seesFolio = can("folio.view");
  const settled = owedMinor === 0 && seesFolio;
  const label = owedMinor > 0 ? t("guest.owes") : owedMinor < 0 ? t("guest.credit") : t("guest.settled");

  return (
    <Card>
      <CardHeading
        title={t("guest.money")}
        actions={
          stay.state !== "cancelled" &&
          stay.state !== "no_show" &&
          can("stays.manage") && (
            <ActionButton size="sm" variant="ghost" onClick={() => stays.addExtra(stay.id)}>
              <Plus aria-hidden />
              {t("board.addExtra")}
            </ActionButton>
          )
        }
      />
      <CardContent className="grid gap-4">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div>
            <p
              className={cn(
                "text-sm text-muted-foreground",
                settled && "flex items-center gap-1.5 font-medium text-vacant",
              )}
            >
              {settled && <CircleCheck aria-hidden className="size-4" />}
              {label}
            </p>
            <p className={cn("figures text-2xl", owedMinor > 0 && "text-expired")}>
              {formatMoney(settled ? chargedMinor : Math.abs(owedMinor), currency)}
            </p>
          </div>
          {owedMinor < 0 && can("folio.refund") && (
            <ActionButton variant="outline" onClick={() => setIsPayingOut(true)}>
              {t("folio.payOutCredit")}
            </ActionButton>
          )}
          {owedMinor > 0 && can("stays.manage") && (
            <ActionButton variant="outline" onClick={() => setIsPaying(true)}>
              {t("guest.pay")}
            </ActionButton>
          )}
        </div>
        <dl className="grid gap-2 border-t pt-4">
          {seesFolio && <MoneyRow label={t("stay.charged")} minor={chargedMinor} />}
          {seesFolio && <MoneyRow label={t("stay.paid")} minor={paidMinor} />}
          <MoneyRow label={t("stay.depositHeld")} minor={depositHeldMinor} />
          {unusedMinor > 0 && <MoneyRow label={t("guest.unused")} minor={unusedMinor} />}
        </dl>
      </CardContent>
      {isPayingOut && <PayOutDialog stayId={stay.id} creditMinor={-owedMinor} onClose={() => setIsPayingOut(false)} />}
      {isPaying && <PayDialog stayId={stay.id} owedMinor={owedMinor} onClose={() => setIsPaying(false)} />}
    </Card>
  );
}

type FolioEntry = StayDetail["entries"][number];

/** Lists all money entries of the stay, newest first. Charges expand to their lines. */
export function FolioCard({ stay }: { stay: StayDetail }) {
  const [entryToRefund, setEntryToRefund] = useState<FolioEntry | null>(null);
  const [chargeToCancel, setChargeToCancel] = useState<FolioEntry | null>(null);
  const entries = stay.entries.toSorted((a, b) => b.id - a.id);
  return (
    <Card>
      <CardHeading
        title={t("folio.ofStay")}
        actions={<ReceiptButton stayId={stay.id} nationality={stay.guests[0]?.nationality ?? null} />}
      />
      <ul className="divide-y border-t">
        {entries.map((entry) => (
          <EntryItem
            key={entry.id}
            entry={entry}
            onRefund={() => setEntryToRefund(entry)}
            onCancel={() => setChargeToCancel(entry)}
          />
        ))}
      </ul>
      {entryToRefund && <RefundDialog entry={entryToRefund} onClose={() => setEntryToRefund(null)} />}
      {chargeToCancel && <CancelChargeDialog entry={chargeToCancel} onClose={() => setChargeToCancel(null)} />}
    </Card>
  );
}

type EntryItemProps = { entry: FolioEntry; onRefund: () => void; onCancel: () => void };

function EntryItem({ entry, onRefund, onCancel }: EntryItemProps) {
  const { currency, timeZone } = useHotel();
  const can = useCan();
  const [isOpen, setIsOpen] = useState(false);
  const Icon = ENTRY_ICONS[entry.type];
  const isExtra = entry.type === "extra";
  const facts = [
    entryParts(entry, currency),
    formatShort(entry.createdAt, timeZone),
    entry.channel && t(`stay.channel.${entry.channel}`),
    entry.operatorName,
  ];
  return (
    <li className="px-5 py-3">
      <div className="flex items-start gap-3">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{entryTitle(entry)}</p>
          <p className="text-sm text-muted-foreground">{facts.filter(Boolean).join(" · ")}</p>
          {entry.note && !isExtra && <p className="mt-0.5 text-sm break-words">{entry.note}</p>}
        </div>
        <span className="shrink-0 font-medium">{formatMoney(signedMinor(entry), currency)}</span>
        <div className="-my-1.5 -me-2 flex">
          {entry.lines.length > 0 && (
            <IconButton
              icon={ChevronDown}
              size="icon-sm"
              label={t("folio.lines")}
              aria-expanded={isOpen}
              className="aria-expanded:rotate-180 aria-expanded:bg-transparent"
              onClick={() => setIsOpen(!isOpen)}
            />
          )}
          {isExtra && entry.refundableMinor > 0 && can("folio.refund") && (
            <IconButton icon={X} needsServer size="icon-sm" label={t("folio.cancelCharge")} onClick={onCancel} />
          )}
          {!isExtra &&
            entry.refundableMinor > 0 &&
            (can("folio.refund") || (entry.type === "deposit" && can("stays.manage"))) && (
              <IconButton icon={Undo2} needsServer flip size="icon-sm" label={t("folio.refund")} onClick={onRefund} />
            )}
        </div>
      </div>
      {isOpen && (
        <div className="mt-2.5 ms-7 rounded-md bg-sunken p-3 text-sm">
          <QuoteLines lines={entry.lines} label={t("folio.lines")} />
        </div>
      )}
    </li>
  );
}
