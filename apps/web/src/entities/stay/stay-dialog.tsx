import type { ErrorCode } from "@innkey/shared/errors";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { confirm } from "@/lib/confirm.ts";
import { formatMoney, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { type Failure, failureOf } from "@/lib/rest.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

/** Name of the stay on screen: that of its primary guest. */
export function guestNameOf(stay: Pick<StayDetail, "guests">): string {
  return (stay.guests.find((guest) => guest.primary) ?? stay.guests[0])?.name ?? "–";
}

/** Summary at the top of every stay dialog: guest, room, period. */
export function StayFacts({ stay }: { stay: StayDetail }) {
  const { timeZone } = useHotel();
  return (
    <div className="flex items-center gap-3.5 rounded-lg bg-sunken px-4 py-3">
      <span className="rounded-md border bg-card figures px-2.5 py-1 text-xl whitespace-nowrap">
        <span className="sr-only">{t("stay.room")} </span>
        <bdi>{stay.room.name}</bdi>
      </span>
      <div className="min-w-0">
        <p className="truncate font-medium">
          {guestNameOf(stay)}
          {stay.guests.length > 1 && (
            <span className="font-normal text-muted-foreground">
              {" "}
              {t("stay.andMore", { count: stay.guests.length - 1 })}
            </span>
          )}
        </p>
        <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted-foreground">
          {formatShort(stay.startsAt, timeZone)}
          <ArrowRight aria-hidden className="flip-rtl size-3.5" />
          {formatShort(stay.endsAt, timeZone)}
        </p>
      </div>
    </div>
  );
}

type StayDialogProps = {
  stayId: number;
  title: string;
  onClose: () => void;
  /** Renders the content once the stay has loaded. */
  children: (stay: StayDetail) => ReactNode;
};

/** Dialog about one stay. It always refetches, because amounts are calculated from it. */
export function StayDialog({ stayId, title, onClose, children }: StayDialogProps) {
  const stay = useQuery(trpc.stays.detail.queryOptions({ stayId }, { staleTime: 0 }));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      {stay.data ? (
        children(stay.data)
      ) : (
        <DialogPanel title={title}>
          {stay.error ? (
            <ErrorState error={stay.error} onRetry={() => void stay.refetch()} />
          ) : (
            <div className="grid gap-3">
              <Skeleton className="h-12" />
              <Skeleton className="h-32" />
            </div>
          )}
        </DialogPanel>
      )}
    </Dialog>
  );
}

/** For refusals that the clerk may overrule: asks, and returns the changed input, or null if the clerk declines. */
type Questions<Input> = Partial<Record<ErrorCode, (failure: Failure) => Promise<Partial<Input> | null>>>;

/**
 * Sends a request, and sends it again with the clerk's answers. Returns null if a question was declined; other failures
 * are thrown.
 */
export async function askAndRepeat<Input extends object, Output>(
  input: Input,
  send: (input: Input) => Promise<Output>,
  questions: Questions<Input>,
): Promise<Output | null> {
  let current = input;
  for (;;) {
    try {
      return await send(current);
    } catch (error) {
      const failure = failureOf(error);
      const ask = failure.code === "network" || failure.code === "timeout" ? undefined : questions[failure.code];
      if (!ask) throw error;
      const answer = await ask(failure);
      if (!answer) return null;
      current = { ...current, ...answer };
    }
  }
}

/** Asks the clerk to confirm. Returns `answer`, or null if the clerk declines. */
async function confirmOrNull<Answer>(
  answer: Answer,
  confirmation: Parameters<typeof confirm>[0],
): Promise<Answer | null> {
  return (await confirm(confirmation)) ? answer : null;
}

const textParam = (failure: Failure, name: string): string => String(failure.params?.[name] ?? "");
const amountParam = (failure: Failure, name: string): number => Number(failure.params?.[name] ?? 0);

export function askAlreadyIn(failure: Failure): Promise<{ confirmAlreadyIn: true } | null> {
  const params = { guestName: textParam(failure, "guestName"), roomName: textParam(failure, "roomName") };
  return confirmOrNull(
    { confirmAlreadyIn: true },
    {
      title: t("stay.alreadyInTitle", params),
      description: t("stay.alreadyInText", params),
      confirmLabel: t("stay.continueAnyway"),
    },
  );
}

export function askDirty(failure: Failure): Promise<{ confirmDirty: true } | null> {
  const params = { roomName: textParam(failure, "roomName") };
  return confirmOrNull(
    { confirmDirty: true },
    {
      title: t("stay.dirtyTitle", params),
      description: t("stay.dirtyText"),
      confirmLabel: t("stay.continueAnyway"),
    },
  );
}

/** `refresh` loads the current quote, so that its lines are visible behind the question. */
export async function askNewPrice(
  failure: Failure,
  currency: string,
  refresh: () => Promise<unknown>,
): Promise<number | null> {
  await refresh();
  const actualMinor = amountParam(failure, "actualMinor");
  const params = {
    before: formatMoney(amountParam(failure, "expectedMinor"), currency),
    now: formatMoney(actualMinor, currency),
  };
  return confirmOrNull(actualMinor, {
    title: t("stay.priceChangedTitle"),
    description: t("stay.priceChangedText", params),
    confirmLabel: t("stay.acceptPrice", params),
  });
}

export function askUnpaid(failure: Failure, currency: string): Promise<{ confirmUnpaid: true } | null> {
  const params = { amount: formatMoney(amountParam(failure, "amountMinor"), currency) };
  return confirmOrNull(
    { confirmUnpaid: true },
    {
      title: t("stay.unpaidTitle", params),
      description: t("stay.unpaidText"),
      confirmLabel: t("stay.checkOutUnpaid"),
      tone: "danger",
    },
  );
}
