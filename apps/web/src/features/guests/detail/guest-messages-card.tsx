import type { GuestMessageRow } from "@innkey/shared/schemas/guest-messages";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Ban, Check, CircleAlert, Clock, Copy, Hand, Hourglass, type LucideIcon, Printer, Send } from "lucide-react";
import { useCallback, useId, useState } from "react";
import { copyText } from "@/lib/browser/copy-text.ts";
import { formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { SwitchInput } from "@/ui/form/choice-input.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";

const STYLES: Record<GuestMessageRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
  waiting: { tone: "neutral", icon: Clock },
  queued: { tone: "info", icon: Hourglass },
  sent: { tone: "success", icon: Check },
  failed: { tone: "danger", icon: CircleAlert },
  to_hand_over: { tone: "info", icon: Hand },
  handed_over: { tone: "success", icon: Check },
  skipped: { tone: "neutral", icon: Ban },
};

/** What the guest was written about this stay and where each message stands; sends one by hand. */
export function GuestMessagesCard({ guest }: { guest: StayDetail["guests"][number] }) {
  const { stayGuestId, mobile, email } = guest;
  const canSend = useCan()("stays.manage");
  const { data } = useQuery(trpc.guestMessages.list.queryOptions({ stayGuestId }));
  const { data: link } = useQuery(trpc.guestLinks.state.queryOptions({ stayGuestId }));
  const send = useMutation(trpc.guestMessages.send.mutationOptions());
  const optOut = useMutation(trpc.guestMessages.optOut.mutationOptions());
  const [opened, setOpened] = useState<GuestMessageRow | null>(null);
  const id = useId();
  if (!data || (data.rows.length === 0 && !canSend)) return null;
  const maySend = canSend && !data.optedOut && data.sendable.length > 0;
  return (
    <Card>
      <CardHeading
        title={t("guestMessages.tab")}
        description={t(data.canReach ? "guestMessages.cardText" : "guestMessages.cannotReach")}
        actions={
          maySend && (
            <DropdownMenu>
              <DropdownMenuTrigger asChild>
                <Button size="sm" variant="outline" disabled={send.isPending}>
                  <Send aria-hidden />
                  {t("passcode.send")}
                </Button>
              </DropdownMenuTrigger>
              <DropdownMenuContent align="end">
                {data.sendable.map((event) => (
                  <DropdownMenuItem
                    key={event}
                    onSelect={() =>
                      send.mutate(
                        { stayGuestId, event, contacts: { mobile, email } },
                        { onSuccess: () => toast.success(t("guestMessages.sending")) },
                      )
                    }
                  >
                    {t(`guestMessages.event.${event}`)}
                  </DropdownMenuItem>
                ))}
              </DropdownMenuContent>
            </DropdownMenu>
          )
        }
      />
      <CardContent className="grid gap-4">
        {link?.contactUnconfirmed && (
          <Callout tone="warning" title={t("guestMessages.unconfirmed")}>
            {t("guestMessages.unconfirmedText")}
          </Callout>
        )}
        {data.rows.length > 0 && (
          <ul aria-label={t("guestMessages.tab")} className="divide-y">
            {data.rows.map((message) => (
              <MessageItem key={message.id} message={message} onOpen={() => setOpened(message)} />
            ))}
          </ul>
        )}
        {canSend && (
          <div className="flex items-center gap-3">
            <SwitchInput
              id={id}
              value={data.optedOut}
              disabled={optOut.isPending}
              onChange={(optedOut) => optOut.mutate({ stayGuestId, optedOut })}
            />
            <Label htmlFor={id}>{t("guestMessages.optOut")}</Label>
          </div>
        )}
      </CardContent>
      {opened && <MessageDialog message={opened} onClose={() => setOpened(null)} />}
    </Card>
  );
}

function MessageItem({ message, onOpen }: { message: GuestMessageRow; onOpen: () => void }) {
  const { timeZone } = useHotel();
  const { event, state, skip, channel, recipient, operatorName } = message;
  const at = message.sentAt ?? (state === "waiting" ? message.dueAt : message.createdAt);
  const way = [channel && t(`outbox.channel.${channel}`), recipient].filter(Boolean).join(" · ");
  return (
    <li className="grid gap-1 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{t(`guestMessages.event.${event}`)}</span>
        <StatusChip {...STYLES[state]} size="sm">
          {t(`outbox.state.${state}`)}
        </StatusChip>
        <span className="ms-auto text-sm text-muted-foreground">{formatShort(at, timeZone)}</span>
      </div>
      {way && (
        <p className="text-sm text-muted-foreground">
          <bdi>{way}</bdi>
          {operatorName && (
            <>
              {" · "}
              <bdi>{operatorName}</bdi>
            </>
          )}
        </p>
      )}
      {skip && <p className="text-sm text-muted-foreground">{t(`guestMessages.skip.${skip}`)}</p>}
      {message.error && <p className="text-sm font-medium text-danger">{message.error}</p>}
      {message.hasText && (
        <Button size="sm" variant="outline" className="mt-1 justify-self-start" onClick={onOpen}>
          {t("guestMessages.show")}
        </Button>
      )}
    </li>
  );
}

/** The text of a message: to read, to copy, to print as a slip, and to be handed over. */
function MessageDialog({ message, onClose }: { message: GuestMessageRow; onClose: () => void }) {
  const { id, event, state } = message;
  const can = useCan();
  const { data: text, error, refetch } = useQuery(trpc.guestMessages.read.queryOptions({ id }));
  const reveal = useMutation(trpc.guestMessages.reveal.mutationOptions());
  const handOver = useMutation(trpc.guestMessages.handOver.mutationOptions());
  const [isPrinting, setIsPrinting] = useState(false);
  usePrinting(
    isPrinting,
    useCallback(() => setIsPrinting(false), []),
  );
  const shown = reveal.data ?? text;
  const canHandOver = can("stays.manage") && (state === "to_hand_over" || state === "failed");
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t(`guestMessages.event.${event}`)}
        footer={
          <>
            {shown?.masked && can("passcodes.issue") && (
              <ActionButton
                variant="ghost"
                className="sm:me-auto"
                pending={reveal.isPending}
                onClick={() => reveal.mutate({ id })}
              >
                {t("passcode.show")}
              </ActionButton>
            )}
            {shown && (
              <>
                <Button variant="outline" onClick={() => void copyText(`${shown.subject}\n\n${shown.body}`)}>
                  <Copy aria-hidden />
                  {t("guestInfo.copy")}
                </Button>
                <Button variant="outline" onClick={() => setIsPrinting(true)}>
                  <Printer aria-hidden />
                  {t("guestInfo.print")}
                </Button>
              </>
            )}
            {canHandOver && (
              <ActionButton
                pending={handOver.isPending}
                onClick={() => handOver.mutate({ id }, { onSuccess: onClose })}
              >
                {t("guestMessages.handedOver")}
              </ActionButton>
            )}
          </>
        }
      >
        {shown ? (
          <div dir="auto">
            <p className="font-medium">{shown.subject}</p>
            <p className="mt-2 whitespace-pre-wrap wrap-anywhere">{shown.body}</p>
          </div>
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton className="h-40" />
        )}
      </DialogPanel>
      {isPrinting && shown && (
        <PrintSheet>
          <div dir="auto" className="max-w-[80mm]">
            <p className="text-lg font-semibold">{shown.subject}</p>
            <p className="mt-3 whitespace-pre-wrap">{shown.body}</p>
          </div>
        </PrintSheet>
      )}
    </Dialog>
  );
}
