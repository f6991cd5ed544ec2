import type { CardReaderHolder, CardReaderRow } from "@innkey/shared/schemas/access/card-readers";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Building2, Link2, Unlink, UserRound } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { OnlineChip } from "@/entities/card-reader/card-reader-status.tsx";
import { CustomerCombobox } from "@/entities/customer/customer-combobox.tsx";
import { confirm } from "@/lib/confirm.ts";
import { formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { usePageName } from "@/lib/page-title.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
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

/** Assigns the reader to a staff member or a customer. It asks for confirmation before it replaces another holder. */
function BindForm({ cardReader }: { cardReader: CardReaderRow }) {
  const can = useCan();
  const field = useId();
  const [kind, setKind] = useState<Kind>("operator");
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const bind = useMutation(trpc.cardReaders.bind.mutationOptions());
  const kinds = (["operator", "customer"] as const).filter(
    (holderKind) => holderKind === "operator" || can("customers.view"),
  );
  const { id, name, holder: before } = cardReader;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (selectedId === null) return;
    const holder = { kind, id: selectedId };
    const same = before?.kind === kind && before.id === selectedId;
    const save = async (): Promise<void> => {
      await bind.mutateAsync({ id, holder, replaces: before && { kind: before.kind, id: before.id } });
      setSelectedId(null);
      toast.success(t("cardReader.boundDone", { name }));
    };
    if (!before || same) return save().catch(() => undefined);
    await confirm({
      title: t("cardReader.replaceTitle", { holder: before.name }),
      description: t("cardReader.replaceText", { name, holder: before.name }),
      confirmLabel: t("cardReader.bind"),
      tone: "danger",
      action: save,
    });
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-4 border-t pt-5">
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

/** Assigns a card reader to one staff member or one customer. */
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
  const { name, deviceNo, type, holder, lastSeenAt, note, online } = cardReader;
  return (
    <div className="mx-auto max-w-4xl">
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
          <CardHeading
            title={t("cardReader.boundTo")}
            actions={
              manage &&
              holder && (
                <ActionButton size="sm" variant="ghost-destructive" onClick={() => acts.askToUnbind(cardReader)}>
                  <Unlink aria-hidden />
                  {t("cardReader.unbind")}
                </ActionButton>
              )
            }
          />
          <CardContent className="grid gap-5">
            <div className="font-medium">
              <HolderName holder={holder} />
            </div>
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
    </div>
  );
}
