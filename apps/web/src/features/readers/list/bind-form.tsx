import type { EncoderHolder, EncoderRow } from "@innkey/shared/schemas/encoders";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Building2, Link2, UserRound } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { CustomerCombobox } from "@/entities/customer/customer-combobox.tsx";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Combobox } from "@/ui/primitives/combobox.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";

const ICONS = { operator: UserRound, customer: Building2 };
type Kind = EncoderHolder["kind"];

/** Assigns the reader to a staff member or a customer. It asks for confirmation before it replaces another holder. */
export function BindForm({ encoder }: { encoder: EncoderRow }) {
  const { t } = useTranslation();
  const can = useCan();
  const field = useId();
  const [kind, setKind] = useState<Kind>("operator");
  const [chosen, setChosen] = useState<number | null>(null);
  const bind = useMutation(trpc.encoders.bind.mutationOptions({ onSettled: refreshEverything }));
  const kinds = (["operator", "customer"] as const).filter((one) => one === "operator" || can("customers.view"));
  const { id, name, holder: before } = encoder;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (chosen === null) return;
    const holder = { kind, id: chosen };
    const same = before?.kind === kind && before.id === chosen;
    const save = async (): Promise<void> => {
      await bind.mutateAsync({ id, holder, replaces: before && { kind: before.kind, id: before.id } });
      setChosen(null);
      toast.success(t("encoder.boundDone", { name }));
    };
    if (!before || same) return save().catch(() => undefined);
    await confirm({
      title: t("encoder.replaceTitle", { holder: before.name }),
      description: t("encoder.replaceText", { name, holder: before.name }),
      confirmLabel: t("encoder.bind"),
      tone: "danger",
      action: save,
    });
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-4 border-t pt-5">
      <Segmented
        aria-label={t("encoder.holderKind")}
        className="w-full sm:w-auto"
        value={kind}
        onChange={(next) => {
          setKind(next);
          setChosen(null);
        }}
        options={kinds.map((value) => ({ value, label: t(`encoder.holder.${value}`), icon: ICONS[value] }))}
      />
      <div>
        <Label htmlFor={field}>{t(`encoder.holder.${kind}`)}</Label>
        {kind === "operator" ? (
          <OperatorCombobox id={field} value={chosen} onChange={setChosen} />
        ) : (
          <CustomerCombobox
            id={field}
            name="customer"
            value={chosen}
            onChange={(next) => setChosen(typeof next === "number" ? next : null)}
          />
        )}
      </div>
      <div>
        <Button type="submit" variant="primary" disabled={chosen === null} pending={bind.isPending}>
          <Link2 aria-hidden />
          {t("encoder.bind")}
        </Button>
      </div>
    </form>
  );
}

type OperatorComboboxProps = { id: string; value: number | null; onChange: (operatorId: number | null) => void };

/** Lists the staff members who are not frozen. */
function OperatorCombobox(props: OperatorComboboxProps) {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(trpc.staff.list.queryOptions());
  const options = (data ?? []).flatMap(({ operatorId, name, role, frozen }) =>
    frozen ? [] : [{ value: operatorId, label: name, detail: t(`shell.role.${role}`) }],
  );
  return <Combobox {...props} clearable loading={isPending} options={options} />;
}
