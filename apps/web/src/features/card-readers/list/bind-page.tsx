import type { CardReaderHolder, CardReaderRow } from "@innkey/shared/schemas/access/card-readers";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Building2, Link2, Unlink, UserRound } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { OnlineChip } from "@/entities/card-reader/card-reader-status.tsx";
import { CustomerCombobox } from "@/entities/customer/customer-combobox.tsx";
import { formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { usePageName } from "@/lib/page-title.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { CardHeading, Fact } from "@/ui/card-parts.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { HolderName, useCardReaderActs } from "./card-reader-holder.tsx";

const ICONS = { operator: UserRound, customer: Building2 };
type Kind = CardReaderHolder["kind"];

/** Adds a staff member or a customer to those who may use the reader. */
function BindForm({ cardReader }: { cardReader: CardReaderRow }) {
  const can = useCan();
  const field = useId();
  const [kind, setKind] = useState<Kind>("operator");
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const bind = useMutation(
    trpc.cardReaders.bind.mutationOptions({
      onSuccess: () => {
        setSelectedId(null);
        toast.success(t("cardReader.boundDone", { name }));
      },
    }),
  );
  const kinds = (["operator", "customer"] as const).filter(
    (holderKind) => holderKind === "operator" || can("customers.view"),
  );
  const { id, name } = cardReader;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (selectedId !== null) bind.mutate({ id, holder: { kind, id: selectedId } });
  }

  return (
    <form onSubmit={submit} className="grid gap-4 border-t pt-5">
      <Segmented
        aria-label={t("cardReader.holderKind")}
        className="w-full sm:w-auto"
        value={kind}
        onChange={(next) => {
          setKind(next);
          setSelectedId(null);
        }}
        options={kinds.map((value) => ({ value, label: t(`cardReader.holder.${value}`), icon: ICONS[value] }))}
      />
      <div>
        <Label htmlFor={field}>{t(`cardReader.holder.${kind}`)}</Label>
        {kind === "operator" ? (
          <OperatorCombobox id={field} value={selectedId} onChange={setSelectedId} />
        ) : (
          <CustomerCombobox
            id={field}
            name="customer"
            value={selectedId}
            onChange={(next) => setSelectedId(typeof next === "number" ? next : null)}
          />
        )}
      </div>
      <div>
        <ActionButton type="submit" disabled={selectedId === null} pending={bind.isPending}>
          <Link2 aria-hidden />
          {t("cardReader.bind")}
        </ActionButton>
      </div>
    </form>
  );
}

type OperatorComboboxProps = { id: string; value: number | null; onChange: (operatorId: number | null) => void };

/** Lists the staff members who are not frozen. */
function OperatorCombobox(props: OperatorComboboxProps) {
  const { data, isPending } = useQuery(trpc.staff.list.queryOptions());
  const options = (data ?? []).flatMap(({ operatorId, name, role, frozen }) =>
    frozen ? [] : [{ value: operatorId, label: name, detail: t(`shell.role.${role}`) }],
  );
  return <Combobox {...props} clearable loading={isPending} options={options} />;
}

/** Shows who may use a card reader, and adds or removes people. */
export function BindPage({ cardReaderId }: { cardReaderId: number }) {
  const mayView = useCan()("cardReaders.view");
  const cardReader = useQuery(trpc.cardReaders.detail.queryOptions({ id: cardReaderId }, { enabled: mayView }));
  usePageName(cardReader.data?.name);
  if (!mayView) return <NoPermission />;
  if (cardReader.error && !cardReader.data) {
    return <ErrorState error={cardReader.error} onRetry={() => void cardReader.refetch()} />;
  }
  if (!cardReader.data) return <PageSkeleton />;
  return <Loaded cardReader={cardReader.data} />;
}

function Loaded({ cardReader }: { cardReader: CardReaderRow }) {
  const manage = useCan()("cardReaders.manage");
  const acts = useCardReaderActs();
  const { name, deviceNo, type, holders, lastSeenAt, note, online } = cardReader;
  return (
    <>
      <PageHeader
        title={
          <span dir="auto" className="name-run">
            {name}
          </span>
        }
        status={<OnlineChip online={online} size="md" />}
        description={manage ? t("cardReader.bindText") : undefined}
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-5">
        <Card>
          <CardHeading title={t("cardReader.boundTo")} description={t("cardReader.boundText")} />
          <CardContent className="grid gap-5">
            {holders.length === 0 ? (
              <p className="text-muted-foreground">{t("cardReader.everybody")}</p>
            ) : (
              <ul className="grid gap-1">
                {holders.map((holder) => (
                  <li
                    key={`${holder.kind} ${holder.id}`}
                    className="flex min-h-9 items-center justify-between gap-3 font-medium"
                  >
                    <HolderName holder={holder} />
                    {manage && (
                      <IconButton
                        icon={Unlink}
                        size="icon-sm"
                        needsServer
                        label={t("cardReader.unbindOne", { name: holder.name })}
                        onClick={() => acts.askToUnbind(cardReader, holder)}
                      />
                    )}
                  </li>
                ))}
              </ul>
            )}
            {manage && <BindForm cardReader={cardReader} />}
          </CardContent>
        </Card>
        <Card>
          <CardHeading title={t("cardReader.one")} />
          <CardContent>
            <dl className="grid gap-3.5">
              <Fact label={t("cardReader.deviceNo")}>
                <bdi className="ltr-run font-mono">{deviceNo}</bdi>
              </Fact>
              <Fact label={t("cardReader.type")}>{t("reader.type", { number: type })}</Fact>
              <Fact label={t("cardReader.lastSeen")}>
                {lastSeenAt ? formatRelative(lastSeenAt) : t("cardReader.never")}
              </Fact>
              <Fact label={t("cardReader.note")}>
                {note && (
                  <span dir="auto" className="whitespace-pre-wrap">
                    {note}
                  </span>
                )}
              </Fact>
            </dl>
          </CardContent>
        </Card>
      </div>
    </>
  );
}
