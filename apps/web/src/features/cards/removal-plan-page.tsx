import type { RemovalDoor, RemovalPlan } from "@innkey/shared/schemas/access/removal-plan";
import { REMOVAL_STEPS } from "@innkey/shared/words";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BatteryWarning, Clock, ListX, type LucideIcon, Printer, RadioTower, WifiOff } from "lucide-react";
import { useCallback, useState } from "react";
import { lockErrorText, nextTryText, percentText } from "@/entities/lock/lock-labels.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatDateTime, formatFullDateTime, formatList, formatNumber, formatRelative } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { Disclosure } from "@/ui/disclosure.tsx";
import { CardOverReader } from "@/ui/drawings.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState, ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { PaperTable, PaperTitle } from "@/ui/paper.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Progress } from "@/ui/primitives/progress.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";

type Step = RemovalDoor["step"];

const ICONS: Record<Step, LucideIcon> = {
  wait: Clock,
  retry: RadioTower,
  battery: BatteryWarning,
  reach: WifiOff,
  check: ListX,
};

interface Floor<Door> {
  floor: number | null;
  doors: Door[];
}

/** Groups doors by floor; they are in this order already. */
function floorsOf<Door extends { floor: number | null }>(doors: readonly Door[]): Floor<Door>[] {
  const floors: Floor<Door>[] = [];
  for (const door of doors) {
    const last = floors.at(-1);
    if (last && last.floor === door.floor) last.doors.push(door);
    else floors.push({ floor: door.floor, doors: [door] });
  }
  return floors;
}

const floorName = (floor: number | null): string =>
  floor === null ? t("nav.commonDoors") : t("card.plan.floor", { floor: formatNumber(floor) });

const stepsOf = ({ left }: RemovalPlan): { step: Step; doors: RemovalDoor[] }[] =>
  REMOVAL_STEPS.map((step) => ({ step, doors: left.filter((door) => door.step === step) })).filter(
    ({ doors }) => doors.length > 0,
  );

/** What is left to do until no lock accepts a revoked staff card or master key card any more. Goes empty by itself. */
export function RemovalPlanPage({ cardId }: { cardId: number | undefined }) {
  const can = useCan();
  const [isPrinting, setIsPrinting] = useState(false);
  const stopPrinting = useCallback(() => setIsPrinting(false), []);
  const input = { cardId: cardId ?? 0 };
  const plan = useQuery(
    trpc.cards.removalPlan.queryOptions(input, {
      enabled: cardId !== undefined,
      refetchInterval: BY_TIME_MILLISECONDS,
    }),
  );
  const retry = useMutation(
    trpc.cards.retryRemoval.mutationOptions({
      onSuccess: () => toast.success(t("card.plan.retried")),
      onSettled: () => void plan.refetch(),
    }),
  );
  if (plan.error && !plan.data) return <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />;
  if (cardId === undefined)
    return (
      <>
        <PageHeader title={t("card.plan.title")} />
        <EmptyState drawing={CardOverReader} title={t("card.plan.none")} description={t("card.plan.noneText")} />
      </>
    );
  if (!plan.data) return <PageSkeleton />;
  const { note, uid, left } = plan.data;
  return (
    <>
      <PageHeader
        title={t("card.plan.title")}
        description={
          <bdi>
            {note} · {uid}
          </bdi>
        }
        actions={
          <>
            <Button variant="outline" onClick={() => setIsPrinting(true)}>
              <Printer aria-hidden />
              {t("board.print")}
            </Button>
            {left.length > 0 && can("locks.retry") && (
              <ActionButton pending={retry.isPending} onClick={() => retry.mutate(input)}>
                <RadioTower aria-hidden />
                {t("card.plan.retryAll")}
              </ActionButton>
            )}
          </>
        }
      />
      <div className="grid max-w-4xl gap-6">
        <Standing plan={plan.data} />
        {stepsOf(plan.data).map(({ step, doors }, index) => (
          <StepCard key={step} number={index + 1} step={step} kind={plan.data.kind} doors={doors} />
        ))}
        {plan.data.confirmed.length > 0 && (
          <Disclosure label={t("card.plan.confirmed", { total: formatNumber(plan.data.confirmed.length) })}>
            <dl className="grid gap-2">
              {floorsOf(plan.data.confirmed).map(({ floor, doors }) => (
                <div key={floor ?? "none"}>
                  <dt className="text-sm font-medium">{floorName(floor)}</dt>
                  <dd className="text-sm text-muted-foreground">
                    <bdi>{formatList(doors.map(({ name }) => name || "–"))}</bdi>
                  </dd>
                </div>
              ))}
            </dl>
          </Disclosure>
        )}
      </div>
      {isPrinting && <PlanSheet plan={plan.data} onPrinted={stopPrinting} />}
    </>
  );
}

/** Returns when the card is over by itself at the last of its doors. */
function endText({ kind, left, endsAt }: RemovalPlan, timeZone: string): string {
  if (left.length === 0) return "";
  if (!endsAt) return t("card.plan.neverEnds");
  const when = formatDateTime(endsAt, timeZone);
  return kind === "block_out" ? t("card.plan.endsAtBlock", { when }) : t("card.plan.endsAt", { when });
}

/** Returns what is left: a block-out card opens no door, but it may still block some. */
function leftText({ kind, left }: RemovalPlan): string {
  const total = formatNumber(left.length);
  return kind === "block_out" ? t("card.plan.leftBlock", { total }) : t("card.plan.left", { total });
}

const stepText = (step: Step, kind: RemovalPlan["kind"]): string =>
  step === "reach" && kind === "block_out" ? t("card.plan.reachBlock") : t(`card.plan.step.${step}.text`);

const confirmedText = ({ confirmed, locks }: RemovalPlan): string =>
  t("card.plan.progress", { confirmed: formatNumber(confirmed.length), total: formatNumber(locks) });

function Standing({ plan }: { plan: RemovalPlan }) {
  const { timeZone } = useHotel();
  const { left, confirmed, locks, ended, revokedAt, reason } = plan;
  const isOver = left.length === 0;
  return (
    <Callout tone={isOver ? "success" : "warning"} title={isOver ? t("card.plan.over") : leftText(plan)}>
      <Progress
        className="my-1.5"
        aria-label={confirmedText(plan)}
        value={locks === 0 ? 100 : (100 * (confirmed.length + ended)) / locks}
      />
      <p>
        {confirmedText(plan)}
        {ended > 0 && ` · ${t("card.plan.ended", { total: formatNumber(ended) })}`}
      </p>
      <p>
        {reason && textOf(`locks.revokeReason.${reason}`, {}, "locks.revokeReason.by_hand")}
        {" · "}
        {formatDateTime(revokedAt, timeZone)}
      </p>
      {!isOver && <p>{endText(plan, timeZone)}</p>}
    </Callout>
  );
}

type StepCardProps = { number: number; step: Step; kind: RemovalPlan["kind"]; doors: readonly RemovalDoor[] };

function StepCard({ number, step, kind, doors }: StepCardProps) {
  const Icon = ICONS[step];
  return (
    <section aria-labelledby={`plan-${step}`} className="rounded-lg border bg-card">
      <header className="flex items-start gap-3 border-b px-4 py-3">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-expired" />
        <div className="min-w-0 flex-1">
          <h2 id={`plan-${step}`} className="font-semibold">
            {formatNumber(number)}. {t(`card.plan.step.${step}.title`)}
          </h2>
          <p className="text-sm text-pretty text-muted-foreground">{stepText(step, kind)}</p>
        </div>
        <span className="text-sm font-medium tabular-nums">{formatNumber(doors.length)}</span>
      </header>
      <div className="divide-y">
        {floorsOf(doors).map(({ floor, doors: onFloor }) => (
          <div key={floor ?? "none"} className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[8rem_1fr]">
            <h3 className="text-sm font-medium">{floorName(floor)}</h3>
            <ul className="grid gap-1 text-sm">
              {onFloor.map((door) => (
                <li key={door.lockId} className="flex flex-wrap gap-x-3">
                  <DoorName door={door} />
                  <span className="text-muted-foreground">{doorText(door)}</span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

function DoorName({ door: { roomId, name, step } }: { door: RemovalDoor }) {
  const className = "min-w-14 font-medium";
  if (step === "check")
    return (
      <Link to="/risk" className={className}>
        <bdi>{name || t("locks.risk.lockRemoved")}</bdi>
      </Link>
    );
  if (roomId === null) return <bdi className={className}>{name || "–"}</bdi>;
  return (
    <Link to="/room/$roomId" params={{ roomId }} className={className}>
      <bdi>{name}</bdi>
    </Link>
  );
}

/** Returns what is known of the lock: since when it is silent, its battery, its next try and its last error. */
function doorText({ step, lastSeenAt, power, nextTryAt, error }: RemovalDoor): string {
  const isAway = step === "battery" || step === "reach";
  return [
    isAway && (lastSeenAt ? t("locks.seen", { when: formatRelative(lastSeenAt) }) : t("locks.links.neverSeen")),
    isAway && power !== null && percentText(power),
    step === "wait" && nextTryText(nextTryAt, true),
    lockErrorText(error),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The plan on paper, to be ticked on the way. */
function PlanSheet({ plan, onPrinted }: { plan: RemovalPlan; onPrinted: () => void }) {
  const { name, timeZone } = useHotel();
  usePrinting(true, onPrinted);
  return (
    <PrintSheet>
      <PaperTitle
        title={`${name} · ${t("card.plan.title")}`}
        detail={`${plan.note} · ${plan.uid} · ${formatFullDateTime(new Date().toISOString(), timeZone)}`}
      />
      <p className="mb-3">{[confirmedText(plan), endText(plan, timeZone)].filter(Boolean).join(" · ")}</p>
      {stepsOf(plan).map(({ step, doors }, index) => (
        <section key={step}>
          <h2 className="font-semibold">
            {formatNumber(index + 1)}. {t(`card.plan.step.${step}.title`)}
          </h2>
          <p className="mb-1 text-sm">{stepText(step, plan.kind)}</p>
          {floorsOf(doors).map(({ floor, doors: onFloor }) => (
            <PaperTable
              key={floor ?? "none"}
              columns={[floorName(floor), t("paper.note"), t("paper.done")]}
              rows={onFloor.map((door) => [door.name || t("locks.risk.lockRemoved"), doorText(door), "☐"])}
            />
          ))}
        </section>
      ))}
    </PrintSheet>
  );
}
