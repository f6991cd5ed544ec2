import type { FirstSteps } from "@innkey/shared/schemas/overview/first-steps";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { type ReactNode, useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { cn } from "@/lib/cn.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Progress } from "@/ui/primitives/progress.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { type RoomDialog, RoomDialogs } from "./room-dialogs.tsx";

const STEPS = ["rooms", "prices", "reader", "locks", "staff", "checkIn"] as const;
type Step = (typeof STEPS)[number];

/** Returns which steps are done, by the hotel's data. */
function doneSteps(facts: FirstSteps): Record<Step, boolean> {
  return {
    rooms: facts.rooms > 0,
    prices: facts.rooms > 0 && facts.roomsWithoutPrice === 0,
    reader: facts.cardReaders > 0,
    locks: facts.locks > 0 && facts.locksSetUp === facts.locks,
    staff: facts.colleagues > 0,
    checkIn: facts.hasCheckedIn,
  };
}

/** Returns how far each step is, as numbers. */
function factOf(step: Step, facts: FirstSteps): string | null {
  const { rooms, roomsWithoutPrice, cardReaders, locks, locksSetUp, colleagues } = facts;
  const ofTotal = (count: number, total: number): string =>
    t("getReady.ofTotal", { done: formatNumber(count), total: formatNumber(total) });
  const counts: Record<Step, string | null> = {
    rooms: formatNumber(rooms),
    prices: rooms > 0 ? ofTotal(rooms - roomsWithoutPrice, rooms) : null,
    reader: formatNumber(cardReaders),
    locks: locks > 0 ? ofTotal(locksSetUp, locks) : null,
    staff: formatNumber(colleagues),
    checkIn: null,
  };
  return counts[step];
}

/** What a new hotel needs before its first guest, in order, with what is done already. */
export function GetReadyScreen() {
  const can = useCan();
  if (!can("hotel.manage")) return <NoPermission />;
  return <GetReady />;
}

function GetReady() {
  const { data, error, refetch } = useQuery(trpc.home.firstSteps.queryOptions());
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const done = data && doneSteps(data);
  const count = done ? STEPS.filter((step) => done[step]).length : 0;
  return (
    <>
      <PageHeader
        title={t("nav.getReady")}
        description={count === STEPS.length ? t("getReady.allDone") : t("getReady.text")}
        actions={<CloseButton isDone={count === STEPS.length} />}
      />
      {data && done ? (
        <div className="grid max-w-3xl gap-4">
          <div className="flex items-center gap-3">
            <Progress value={(count / STEPS.length) * 100} aria-label={t("getReady.progress")} className="flex-1" />
            <span className="text-sm text-muted-foreground tabular-nums">
              {t("getReady.ofTotal", { done: formatNumber(count), total: formatNumber(STEPS.length) })}
            </span>
          </div>
          <StepList facts={data} done={done} />
        </div>
      ) : (
        <Skeleton className="h-96 max-w-3xl" />
      )}
    </>
  );
}

function StepList({ facts, done }: { facts: FirstSteps; done: Record<Step, boolean> }) {
  const [dialog, setDialog] = useState<RoomDialog | null>(null);
  const unpriced = (useQuery(boardQuery).data?.rooms ?? []).filter(({ usualMinor }) => usualMinor === null);
  const next = STEPS.find((step) => !done[step]);
  const linkTo = (step: Step, to: string): ReactNode => (
    <Button variant={step === next ? "default" : "outline"} size="sm" asChild>
      <Link to={to}>{t(`getReady.act.${step}`)}</Link>
    </Button>
  );
  const actOf: Record<Step, ReactNode> = {
    rooms: (
      <ActionButton
        variant={next === "rooms" ? "default" : "outline"}
        size="sm"
        onClick={() => setDialog({ kind: "series" })}
      >
        {t("getReady.act.rooms")}
      </ActionButton>
    ),
    prices:
      unpriced.length > 0 ? (
        <ActionButton
          variant={next === "prices" ? "default" : "outline"}
          size="sm"
          onClick={() => setDialog({ kind: "prices", roomIds: unpriced.map(({ id }) => id) })}
        >
          {t("getReady.act.prices")}
        </ActionButton>
      ) : (
        linkTo("prices", "/priceTemplates")
      ),
    reader: linkTo("reader", "/reader"),
    locks: linkTo("locks", "/locks"),
    staff: linkTo("staff", "/staff"),
    checkIn: linkTo("checkIn", "/room"),
  };
  return (
    <>
      <Card className="overflow-hidden">
        <ol className="divide-y">
          {STEPS.map((step, index) => (
            <li
              key={step}
              aria-current={step === next ? "step" : undefined}
              className={cn("flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5", step === next && "bg-selected")}
            >
              <span
                className={cn(
                  "grid size-7 shrink-0 place-items-center rounded-full border text-sm font-medium tabular-nums",
                  done[step] ? "border-transparent bg-vacant-soft text-vacant" : "text-muted-foreground",
                )}
              >
                {done[step] ? <Check aria-hidden className="size-4" /> : formatNumber(index + 1)}
                {done[step] && <span className="sr-only">{t("getReady.done")}</span>}
              </span>
              <span className="min-w-48 flex-1">
                <span className="font-medium">{t(`getReady.step.${step}`)}</span>
                <span className="ms-2 text-sm text-muted-foreground tabular-nums">{factOf(step, facts)}</span>
                <span className="block text-sm text-muted-foreground">{t(`getReady.stepText.${step}`)}</span>
              </span>
              {actOf[step]}
            </li>
          ))}
        </ol>
      </Card>
      <RoomDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}

/** Takes the list out of the menu; before everything is done it asks first. */
function CloseButton({ isDone }: { isDone: boolean }) {
  const navigate = useNavigate();
  const close = useMutation(trpc.hotel.closeFirstSteps.mutationOptions());

  async function closeList(): Promise<void> {
    const isSure =
      isDone ||
      (await confirm({
        title: t("getReady.closeTitle"),
        description: t("getReady.closeText"),
        confirmLabel: t("getReady.close"),
      }));
    if (!isSure) return;
    await close.mutateAsync();
    await navigate({ to: "/room" });
  }

  return (
    <ActionButton
      variant={isDone ? "default" : "outline"}
      pending={close.isPending}
      onClick={() => void closeList().catch(() => undefined)}
    >
      {t("getReady.close")}
    </ActionButton>
  );
}
