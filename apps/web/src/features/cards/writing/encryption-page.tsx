import { type NewProfileInput, newProfileInput, type ProfileRow } from "@innkey/shared/schemas/access/cards";
import { v } from "@innkey/shared/schemas/fields";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { z } from "zod";
import { confirm } from "@/lib/confirm.ts";
import { formatNumber, formatShort, joinItems } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel, useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { Disclosure } from "@/ui/disclosure.tsx";
import { KeyOnHook } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { NumberInput } from "@/ui/form/text-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Progress } from "@/ui/primitives/progress.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn } from "@/ui/table/table-model.ts";

const number = z.int({ error: v.required });

/** One form for both ciphers, so the values stay when the person switches between them. */
const newKeysForm = z
  .object({
    cipher: z.enum(["aes", "des-cbc"]),
    /** AES: sectors as typed, separated by commas. */
    sectors: z.string(),
    /** The following fields apply to DES only. */
    sector: number,
    block: number,
    keyType: z.enum(["A", "B"]),
    siteCode: number.nullable(),
    sectorKey: z.string(),
    desKey: z.string(),
    desIv: z.string(),
  })
  .transform((values, ctx) => {
    const sectors = values.sectors.split(/[\s,;，、،]+/).filter(Boolean);
    const parsed = newProfileInput.safeParse({ ...values, sectors: sectors.map(Number) });
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) {
      const [name] = path;
      const isMissing = name !== undefined && [null, ""].includes(values[name as keyof typeof values] as string | null);
      ctx.issues.push({
        code: "custom",
        path: path.slice(0, 1),
        message: isMissing ? v.required : message,
        input: values,
      });
    }
    return z.NEVER;
  });

const FIRST_SECTORS = { sectors: [1, 2, 3, 4, 5], block: 0, keyType: "A" } as const;

type NewKeysDialogProps = {
  /** Card keys in use. The form starts with their sectors, block and key type. */
  inUse: ProfileRow | undefined;
  onClose: () => void;
};

/** Creates new card keys for the hotel, or takes over the keys of existing locks. */
function NewKeysDialog({ inUse, onClose }: NewKeysDialogProps) {
  const { sectors: usedSectors, block, keyType } = inUse ?? FIRST_SECTORS;
  const [sector = 1] = usedSectors;
  const sectors = (usedSectors.length > 1 ? usedSectors : FIRST_SECTORS.sectors).join(", ");
  const form = useZodForm(newKeysForm, {
    defaultValues: {
      cipher: "aes",
      sectors,
      sector,
      block,
      keyType,
      siteCode: null,
      sectorKey: "",
      desKey: "",
      desIv: "",
    },
  });
  const close = useGuardedClose(form, onClose);
  const create = useMutation(trpc.cards.newProfile.mutationOptions({ meta: { shownInForm: true } }));
  const cipher = form.watch("cipher");

  async function submit(input: NewProfileInput): Promise<void> {
    const count = inUse?.locksTotal ?? 0;
    const confirmed = await confirm({
      title: t("encryption.sureTitle"),
      description: t("encryption.sureText", { total: formatNumber(count) }),
      confirmLabel: t("encryption.make"),
      tone: "danger",
    });
    if (!confirmed) return;
    const { locks } = await create.mutateAsync(input);
    toast.success(t("encryption.done", { total: formatNumber(locks) }));
    onClose();
  }

  return (
    <FormDialog
      form={form}
      title={t("encryption.newKeys")}
      description={t("encryption.newKeysText")}
      submitLabel={t("encryption.make")}
      onClose={close}
      onSubmit={submit}
      className="gap-5"
    >
      <Field form={form} name="cipher" label={t("encryption.cipher")} layout="group" required>
        {(control) => (
          <RadioInput
            {...control}
            className="grid gap-3"
            options={[
              { value: "aes", label: t("encryption.aes"), hint: t("encryption.aesHint") },
              { value: "des-cbc", label: t("encryption.des"), hint: t("encryption.desHint") },
            ]}
          />
        )}
      </Field>
      {cipher === "des-cbc" && (
        <>
          <Callout tone="warning" title={t("encryption.weakTitle")}>
            <p>{t("encryption.weakText")}</p>
          </Callout>
          <DesFields form={form} />
        </>
      )}
      {cipher === "aes" ? (
        <Disclosure label={t("reader.advanced")}>
          <PlaceFields form={form} cipher={cipher} />
        </Disclosure>
      ) : (
        <PlaceFields form={form} cipher={cipher} />
      )}
    </FormDialog>
  );
}

/** Where on the card the locks look; the values that stand there fit new locks. */
function PlaceFields({ form, cipher }: { form: ZodForm<typeof newKeysForm>; cipher: NewProfileInput["cipher"] }) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {cipher === "aes" ? (
        <Field form={form} name="sectors" label={t("encryption.sectors")} hint={t("encryption.sectorsHint")} required>
          {(control) => <Input {...control} dir="ltr" className="rtl:text-end" autoComplete="off" />}
        </Field>
      ) : (
        <Field form={form} name="sector" label={t("encryption.sector")} hint={t("encryption.sectorHint")} required>
          {(control) => <NumberInput {...control} inputMode="numeric" />}
        </Field>
      )}
      <Field form={form} name="block" label={t("encryption.block")} hint={t("encryption.blockHint")} required>
        {(control) => <NumberInput {...control} inputMode="numeric" />}
      </Field>
      <Field form={form} name="keyType" label={t("encryption.keyType")} layout="group" required>
        {(control) => (
          <Segmented
            {...control}
            options={[
              { value: "A", label: t("reader.block.keyA") },
              { value: "B", label: t("reader.block.keyB") },
            ]}
          />
        )}
      </Field>
    </div>
  );
}

const DES_KEYS = [
  { name: "sectorKey", digits: 12 },
  { name: "desKey", digits: 16 },
  { name: "desIv", digits: 16 },
] as const;

/** Keys of locks that support only DES. They are copied from the locks' papers and never shown again. */
function DesFields({ form }: { form: ZodForm<typeof newKeysForm> }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field form={form} name="siteCode" label={t("encryption.siteCode")} hint={t("encryption.siteCodeHint")} required>
        {(control) => <NumberInput {...control} inputMode="numeric" />}
      </Field>
      {DES_KEYS.map(({ name, digits }) => (
        <Field
          key={name}
          form={form}
          name={name}
          label={t(`encryption.${name}`)}
          hint={t("encryption.hexHint", { digits: formatNumber(digits) })}
          required
        >
          {(control) => (
            <Input
              {...control}
              dir="ltr"
              className="font-mono rtl:text-end"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

function useKeyColumns(): DataColumn<ProfileRow>[] {
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<ProfileRow>[] => [
      {
        id: "since",
        header: t("encryption.since"),
        fixed: true,
        card: "title",
        className: "whitespace-nowrap",
        cell: ({ createdAt }) => <span className="font-medium">{formatShort(createdAt, timeZone)}</span>,
      },
      {
        id: "state",
        header: t("card.stateLabel"),
        card: "status",
        cell: ({ retiredAt }) =>
          retiredAt === null ? (
            <StatusChip tone="success" icon={CircleCheck} size="sm">
              {t("encryption.inUse")}
            </StatusChip>
          ) : (
            <span className="inline-flex flex-wrap items-center gap-x-2">
              <StatusChip tone="neutral" icon={CircleDashed} size="sm">
                {t("encryption.retired")}
              </StatusChip>
              <span className="text-xs text-muted-foreground max-lg:hidden">{formatShort(retiredAt, timeZone)}</span>
            </span>
          ),
      },
      { id: "cipher", header: t("encryption.cipher"), cell: ({ cipher }) => (cipher === "aes" ? "AES" : "DES") },
      {
        id: "locks",
        header: t("encryption.locks"),
        cell: ({ locksConfirmed, locksTotal }) => {
          if (locksTotal === 0) return <span className="text-muted-foreground">{t("encryption.noLocks")}</span>;
          const label = t("encryption.ofLocks", {
            confirmed: formatNumber(locksConfirmed),
            total: formatNumber(locksTotal),
          });
          return (
            <span className="inline-grid min-w-36 gap-1">
              <span className="text-sm tabular-nums">{label}</span>
              <Progress value={(100 * locksConfirmed) / locksTotal} aria-label={label} />
            </span>
          );
        },
      },
      {
        id: "cards",
        header: t("encryption.cards"),
        align: "end",
        cell: ({ cards }) => <span className="tabular-nums">{formatNumber(cards)}</span>,
      },
      {
        id: "place",
        header: t("encryption.place"),
        hidden: true,
        cell: ({ sectors, block }) => (
          <bdi className="tabular-nums">
            {joinItems(sectors.map((sector) => formatNumber(sector)))} / {formatNumber(block)}
          </bdi>
        ),
      },
      {
        id: "keyType",
        header: t("encryption.keyType"),
        hidden: true,
        cell: ({ keyType }) => (keyType === "A" ? t("reader.block.keyA") : t("reader.block.keyB")),
      },
      {
        id: "siteCode",
        header: t("encryption.siteCode"),
        hidden: true,
        align: "end",
        cell: ({ siteCode }) => <bdi className="tabular-nums">{siteCode}</bdi>,
      },
    ],
    [timeZone],
  );
}

/**
 * Keys that cards are written with; only for staff members with explicit authority over them (source: specification,
 * section 6).
 */
export function EncryptionPage() {
  const { apiKeyAuth } = useMe();
  const allowed = useCan()("encryption.manage") && apiKeyAuth;
  return allowed ? <KeyGenerations /> : <NoPermission />;
}

function KeyGenerations() {
  const columns = useKeyColumns();
  const [isAdding, setIsAdding] = useState(false);
  const profiles = useQuery(trpc.cards.profiles.queryOptions());
  const add = (
    <ActionButton onClick={() => setIsAdding(true)}>
      <Plus aria-hidden />
      {t("encryption.newKeys")}
    </ActionButton>
  );
  return (
    <>
      <PageHeader
        title={t("encryption.title")}
        description={t("encryption.text")}
        actions={profiles.data?.length !== 0 && add}
      />
      <DataTable
        label={t("encryption.generations")}
        columns={columns}
        rows={profiles.data}
        rowId={({ id }) => String(id)}
        error={profiles.error}
        onRetry={() => void profiles.refetch()}
        empty={{ drawing: KeyOnHook, title: t("encryption.none"), description: t("encryption.noneText"), action: add }}
      />
      {isAdding && <NewKeysDialog inUse={profiles.data?.[0]} onClose={() => setIsAdding(false)} />}
    </>
  );
}
