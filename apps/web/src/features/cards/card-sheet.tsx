import type { MasterCardRow } from "@innkey/shared/schemas/access/cards";
import { Link } from "@tanstack/react-router";
import { CardStateChip } from "@/entities/credential/card-state.tsx";
import { CredentialChip } from "@/entities/credential/credential-chip.tsx";
import { RiskLink } from "@/entities/credential/risk-link.tsx";
import { windowText } from "@/entities/lock/lock-words.ts";
import { formatDateTime } from "@/lib/format.ts";
import { textOf, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { SheetPanel } from "@/ui/dialog/panel.tsx";
import { Fact } from "@/ui/fact.tsx";
import { Sheet } from "@/ui/primitives/sheet.tsx";
import type { RowAction } from "@/ui/table/columns.ts";

type CardSheetProps = { card: MasterCardRow; actions: readonly RowAction<MasterCardRow>[]; onClose: () => void };

/** Details of one card: who made it, how long it is valid, and its status at each lock. */
export function CardSheet({ card, actions, onClose }: CardSheetProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetPanel
        title={<bdi>{card.note || card.uid}</bdi>}
        description={t(`locks.cardKind.${card.kind}`)}
        footer={
          actions.length > 0 &&
          actions.map(({ label, icon: Icon, danger, needsServer = true, onSelect }) => (
            <ActionButton
              key={label}
              size="sm"
              variant={danger ? "ghost-destructive" : "outline"}
              needsServer={needsServer}
              onClick={() => onSelect(card)}
            >
              {Icon && <Icon aria-hidden />}
              {label}
            </ActionButton>
          ))
        }
      >
        <div className="grid grid-cols-1 gap-5">
          <div className="flex flex-wrap items-center gap-2">
            <CardStateChip card={card} />
            {card.revokeReason && (
              <span className="text-sm text-muted-foreground">
                {textOf(`locks.revokeReason.${card.revokeReason}`, {}, "locks.revokeReason.by_hand")}
              </span>
            )}
          </div>
          {card.tooShort && <Callout tone="warning" title={t("card.olderGeneration")} />}
          {card.state === "revoking" && (
            <Callout tone="warning" title={t("card.mayStillOpenDoors")} actions={<RiskLink />} />
          )}
          <dl className="grid gap-4 sm:grid-cols-2">
            <Fact label={t("card.number")}>
              <bdi className="font-mono" dir="ltr">
                {card.uid}
              </bdi>
            </Fact>
            <Fact label={t("card.valid")}>
              {card.validTo ? windowText(card.validFrom, card.validTo, timeZone) : t("card.permanent")}
            </Fact>
            <Fact label={t("card.lastUsed")}>
              {card.usedAt ? formatDateTime(card.usedAt, timeZone) : t("card.neverUsed")}
            </Fact>
            <Fact label={t("card.issuedBy")}>
              <bdi>{card.operatorName ?? "–"}</bdi>, {formatDateTime(card.createdAt, timeZone)}
            </Fact>
          </dl>
          {card.kind === "management" && <Locks card={card} />}
        </div>
      </SheetPanel>
    </Sheet>
  );
}

function Locks({ card }: { card: MasterCardRow }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="card-locks">
      <h3 id="card-locks" className="mb-2 font-semibold">
        {t("card.doors")}
      </h3>
      {card.credentials.length === 0 ? (
        <p className="text-muted-foreground">{t("card.noLockYet")}</p>
      ) : (
        <ul className="divide-y rounded-md border">
          {card.credentials.map((credential) => (
            <li key={credential.id} className="flex items-start gap-3 px-4 py-2.5">
              <span className="min-w-14 font-medium">
                {credential.roomId === null ? (
                  "–"
                ) : (
                  <Link
                    to="/room/$roomId"
                    params={{ roomId: credential.roomId }}
                    className="rounded-sm hover:underline"
                  >
                    <bdi>{credential.roomName}</bdi>
                  </Link>
                )}
              </span>
              <CredentialChip credential={credential} className="flex-1" />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
