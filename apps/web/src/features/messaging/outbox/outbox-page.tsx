import type { outboxRow } from "@innkey/shared/schemas/messaging";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, CircleAlert, Copy, Hand, Hourglass, type LucideIcon, Mail, MessageSquareText } from "lucide-react";
import type { z } from "zod";
import { formatDateTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Callout } from "@/ui/callout.tsx";
import { QuietBell } from "@/ui/drawings.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";

type Message = z.infer<typeof outboxRow>;

const STYLES: Record<Message["state"], { tone: StatusTone; icon: LucideIcon }> = {
  queued: { tone: "info", icon: Hourglass },
  sent: { tone: "success", icon: Check },
  failed: { tone: "danger", icon: CircleAlert },
  to_hand_over: { tone: "info", icon: Hand },
};

/** Lists SMS and mail that are queued, sent or failed. */
export function OutboxPage() {
  const outbox = useQuery(trpc.outbox.list.queryOptions());
  return (
    <>
      <PageHeader title={t("nav.outbox")} description={t("outbox.text")} />
      {outbox.data?.embedded && (
        <Callout tone="info" title={t("outbox.embeddedTitle")} className="mb-4">
          {t("outbox.embeddedText")}
        </Callout>
      )}
      <Card aria-busy={outbox.isPending}>
        {outbox.error && !outbox.data ? (
          <ErrorState error={outbox.error} onRetry={() => void outbox.refetch()} />
        ) : !outbox.data ? (
          <div className="grid gap-4 p-5">
            {[0, 1, 2].map((line) => (
              <Skeleton key={line} className="h-16" />
            ))}
          </div>
        ) : outbox.data.rows.length === 0 ? (
          <EmptyState drawing={QuietBell} title={t("outbox.none")} description={t("outbox.noneText")} />
        ) : (
          <ul aria-label={t("nav.outbox")} className="divide-y">
            {outbox.data.rows.map((message) => (
              <MessageItem key={message.id} message={message} />
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}

function MessageItem({ message }: { message: Message }) {
  const { timeZone } = useHotel();
  const canSeeStays = useCan()("stays.view");
  const Icon = message.channel === "mail" ? Mail : MessageSquareText;
  const code = /(?<!\d)\d{6}(?!\d)/.exec(message.body)?.[0];

  async function copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      toast.success(t("outbox.copied"));
    } catch {
      toast.error(t("outbox.copyFailed"));
    }
  }

  return (
    <li className="flex gap-4 px-4 py-4 sm:px-5">
      <Icon
        aria-label={t(`outbox.channel.${message.channel}`)}
        className="mt-1 size-4 shrink-0 text-muted-foreground"
      />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <bdi className="ltr-run font-medium">{message.recipient}</bdi>
          <StatusChip {...STYLES[message.state]} size="sm">
            {t(`outbox.state.${message.state}`)}
          </StatusChip>
          <span className="text-sm text-muted-foreground sm:ms-auto">
            {formatDateTime(message.sentAt ?? message.createdAt, timeZone)}
          </span>
        </div>
        {message.subject && <p className="mt-1 font-medium">{message.subject}</p>}
        {message.body && (
          <p className="mt-0.5 max-w-prose whitespace-pre-wrap break-words text-muted-foreground">{message.body}</p>
        )}
        {message.stayGuestId !== null && canSeeStays && (
          <p className="mt-0.5">
            <Link
              to="/room/thetouristsDetails"
              search={{ id: message.stayGuestId }}
              className="underline decoration-border underline-offset-4 hover:decoration-current"
            >
              {t("outbox.readAtStay")}
            </Link>
          </p>
        )}
        {message.lastError && <p className="mt-1 text-sm font-medium text-danger">{message.lastError}</p>}
        {code && (
          <div className="mt-2 flex items-center gap-2">
            <bdi className="ltr-run rounded-md bg-sunken px-3 py-1 text-lg font-semibold tracking-[0.2em]">{code}</bdi>
            <Button size="sm" variant="ghost" onClick={() => void copy(code)}>
              <Copy aria-hidden />
              {t("outbox.copyCode")}
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}
