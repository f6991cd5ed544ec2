import { MAX_PAPER_ROWS, type PaperRow } from "@innkey/shared/schemas/overview/outage";
import { useQuery } from "@tanstack/react-query";
import { ListChecks, RefreshCw } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { api } from "@/lib/api.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { type KeptRow, keepPaper, readKeptPaper } from "@/lib/offline/kept-paper.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { useCan, useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { EmptyLedger } from "@/ui/drawings.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState } from "@/ui/page-state.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { PaperForm } from "./paper-form.tsx";
import { PaperList, type RowState } from "./paper-list.tsx";

/** Where the desk enters what it did on paper while the server was off. */
export function AfterOutagePage() {
  const can = useCan();
  if (!can("stays.manage")) return <NoPermission />;
  return (
    <>
      <PageHeader title={t("nav.afterOutage")} description={t("afterOutage.text")} />
      <Paper />
    </>
  );
}

function Paper() {
  const { rows, states, isBusy, add, remove, check, apply } = usePaper();
  const { data: board } = useQuery(boardQuery);
  const names = useMemo(() => new Map((board?.rooms ?? []).map(({ id, name }) => [id, name])), [board]);
  const waiting = rows.filter(({ stayId }) => stayId === null);
  const ready = waiting.filter(({ id }) => isReady(states.get(id)));
  const isFull = rows.length >= MAX_PAPER_ROWS;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[24rem_minmax(0,1fr)]">
      <Card>
        <CardHeading title={t("afterOutage.new")} description={t("afterOutage.newText")} />
        <CardContent className="grid gap-3">
          <PaperForm disabled={isFull} onAdd={add} />
          {isFull && (
            <p className="text-sm text-muted-foreground">
              {t("afterOutage.full", { count: formatNumber(MAX_PAPER_ROWS) })}
            </p>
          )}
        </CardContent>
      </Card>
      <Card>
        <CardHeading
          title={t("afterOutage.rows")}
          description={t("afterOutage.rowsText")}
          actions={
            waiting.length > 0 && (
              <>
                <ActionButton variant="outline" pending={isBusy} onClick={() => void check()}>
                  <RefreshCw aria-hidden />
                  {t("afterOutage.check")}
                </ActionButton>
                <ActionButton disabled={ready.length === 0} pending={isBusy} onClick={() => void apply(ready)}>
                  <ListChecks aria-hidden />
                  {t("afterOutage.apply", { count: formatNumber(ready.length) })}
                </ActionButton>
              </>
            )
          }
        />
        {rows.length === 0 ? (
          <CardContent>
            <EmptyState drawing={EmptyLedger} title={t("afterOutage.none")} />
          </CardContent>
        ) : (
          <PaperList
            rows={rows}
            states={states}
            nameOf={(roomId) => names.get(roomId) ?? String(roomId)}
            onRemove={remove}
          />
        )}
      </Card>
    </div>
  );
}

const isReady = (state: RowState | undefined): boolean => state?.conflicts.length === 0 && state.refusal === null;

/** The rows of this person, which the browser keeps, and what was found out about them. */
function usePaper() {
  const me = useMe();
  const owner = useMemo(() => ({ hotelId: me.hotel.id, operatorId: me.operatorId }), [me.hotel.id, me.operatorId]);
  const [rows, setRows] = useState(() => readKeptPaper(owner));
  const [states, setStates] = useState<ReadonlyMap<string, RowState>>(new Map());
  const [isBusy, setIsBusy] = useState(false);
  const latestCheck = useRef(0);

  const checkRows = useCallback(async (all: readonly KeptRow[]): Promise<void> => {
    const number = ++latestCheck.current;
    const waiting = all.filter(({ stayId }) => stayId === null);
    if (waiting.length === 0) return;
    setIsBusy(true);
    try {
      const checked = await api.afterOutage.check.mutate({ rows: waiting.map(({ row }) => row) });
      if (number !== latestCheck.current) return;
      setStates(new Map(waiting.map(({ id }, index) => [id, { conflicts: checked[index] ?? [], refusal: null }])));
    } catch (error) {
      toast.error(failureText(failureOf(error)));
    } finally {
      if (number === latestCheck.current) setIsBusy(false);
    }
  }, []);

  const firstRows = useRef(rows);
  useEffect(() => void checkRows(firstRows.current), [checkRows]);

  const change = (next: KeptRow[]): void => {
    keepPaper(owner, next);
    setRows(next);
  };

  /** Applies one row after the other; what was applied is kept at once, so that a reload doesn't apply it again. */
  async function apply(ready: readonly KeptRow[]): Promise<void> {
    setIsBusy(true);
    let current = rows;
    const refusals = new Map<string, RowState>();
    for (const { id, row } of ready) {
      try {
        const { stayId, conflicts } = await api.afterOutage.enter.mutate(row);
        if (stayId === null) refusals.set(id, { conflicts, refusal: null });
        current = current.map((entry) => (entry.id === id ? { ...entry, stayId } : entry));
        change(current);
      } catch (error) {
        refusals.set(id, { conflicts: [], refusal: failureText(failureOf(error)) });
      }
    }
    setIsBusy(false);
    await checkRows(current);
    // What the act itself refused, the check doesn't know.
    setStates((before) => new Map([...before, ...[...refusals].filter(([, { refusal }]) => refusal !== null)]));
  }

  return {
    rows,
    states,
    isBusy,
    add: (row: PaperRow) => {
      const next = [...rows, { id: crypto.randomUUID(), row, stayId: null }];
      change(next);
      void checkRows(next);
    },
    remove: (id: string) => {
      const next = rows.filter((entry) => entry.id !== id);
      change(next);
      void checkRows(next);
    },
    check: () => checkRows(rows),
    apply,
  };
}
