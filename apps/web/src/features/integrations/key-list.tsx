import { API_SCOPES, type ApiScope } from "@innkey/shared/capabilities";
import { DAY_MS } from "@innkey/shared/durations";
import { instant, v } from "@innkey/shared/schemas/fields";
import { createKeyInput, type KeyCreated, type KeyRow } from "@innkey/shared/schemas/messaging";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, Clock } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { z } from "zod";
import { areasOf } from "@/lib/capability-areas.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatDateTime, formatList, formatNumber, formatRelative, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { failureText, RestError, send } from "@/lib/rest.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { SecretDialog } from "@/ui/dialog/secret-dialog.tsx";
import { KeyOnHook } from "@/ui/drawings.tsx";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { ChoiceFields } from "./choice-fields.tsx";

const STATE_STYLES = {
  live: { tone: "success", icon: CircleCheck },
  expired: { tone: "expired", icon: Clock },
  revoked: { tone: "neutral", icon: Ban },
} as const;

function useApiKeyColumns(): DataColumn<KeyRow>[] {
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<KeyRow>[] => [
      {
        id: "name",
        header: t("third.name"),
        fixed: true,
        card: "title",
        cell: ({ name, keyId }) => (
          <span className="block min-w-0">
            <span className="block truncate font-medium">
              <bdi>{name}</bdi>
            </span>
            <bdi className="block truncate font-mono text-xs font-normal text-muted-foreground">ik_{keyId}_…</bdi>
          </span>
        ),
      },
      {
        id: "state",
        header: t("third.state"),
        card: "status",
        cell: ({ state }) => (
          <StatusChip {...STATE_STYLES[state]} size="sm">
            {t(`third.keyState.${state}`)}
          </StatusChip>
        ),
      },
      {
        id: "scopes",
        header: t("third.mayDo"),
        className: "min-w-56 max-w-sm",
        cell: ({ scopes }) => (
          <span className="line-clamp-3 text-sm whitespace-normal">
            {formatList(
              API_SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => t(`staff.capability.${scope}`)),
            )}
          </span>
        ),
      },
      {
        id: "expires",
        header: t("third.expires"),
        className: "whitespace-nowrap",
        cell: ({ expiresAt }) => (expiresAt ? formatShort(expiresAt, timeZone) : t("third.expiry.never")),
      },
      {
        id: "lastUsed",
        header: t("third.lastUsed"),
        cell: ({ lastUsedAt, lastUsedAddress }) =>
          lastUsedAt ? (
            <span className="block">
              <time
                dateTime={lastUsedAt}
                title={formatDateTime(lastUsedAt, timeZone)}
                className="block whitespace-nowrap"
              >
                {formatRelative(lastUsedAt)}
              </time>
              <bdi className="block font-mono text-xs text-muted-foreground">{lastUsedAddress}</bdi>
            </span>
          ) : (
            <span className="text-muted-foreground">{t("third.neverUsed")}</span>
          ),
      },
      {
        id: "created",
        header: t("third.created"),
        cell: ({ createdAt, operatorName }) => (
          <span className="block">
            <span className="block whitespace-nowrap">{formatShort(createdAt, timeZone)}</span>
            <bdi className="block truncate text-sm text-muted-foreground">{operatorName}</bdi>
          </span>
        ),
      },
    ],
    [timeZone],
  );
}

export function KeyList({ create }: { create: ReactNode }) {
  const columns = useApiKeyColumns();
  const { data, error, refetch } = useQuery(trpc.integrations.keys.queryOptions());
  const revoke = useMutation(trpc.integrations.revokeKey.mutationOptions());

  function askToRevoke({ id, name }: KeyRow): void {
    void confirm({
      title: t("third.revokeTitle", { name }),
      description: t("third.revokeText"),
      confirmLabel: t("third.revoke"),
      tone: "danger",
      action: async () => {
        await revoke.mutateAsync({ id });
        toast.success(t("third.revoked", { name }));
      },
    });
  }

  function actions({ state }: KeyRow): RowAction<KeyRow>[] {
    return state === "revoked" ? [] : [{ label: t("third.revoke"), icon: Ban, danger: true, onSelect: askToRevoke }];
  }

  return (
    <DataTable
      label={t("third.tab.keys")}
      columns={columns}
      rows={data}
      rowId={({ id }) => String(id)}
      error={error}
      onRetry={() => void refetch()}
      actions={actions}
      empty={{ drawing: KeyOnHook, title: t("third.noKeys"), description: t("third.noKeysText"), action: create }}
    />
  );
}

/** Name under which other programs store the token that the gateway issues at login. */
const STORAGE_KEY = "card_token";

/** Error with the gateway's reason for a refusal, in the user's language. */
class GatewayRefusal extends Error {}

/**
 * Calls the gateway as a program that has only a key would.
 * @throws GatewayRefusal
 */
async function callGateway<T>(path: string, init: RequestInit): Promise<T> {
  const response = await send(path, init);
  const answer: unknown = await response.json().catch(() => null);
  // An answer in another format doesn't come from the gateway.
  if (typeof answer !== "object" || answer === null || !("msg" in answer)) throw new GatewayRefusal(t("third.tryOff"));
  const { code, msg, data } = answer as { code: number; msg: string; data: T };
  if (code !== 200) throw new GatewayRefusal(msg);
  return data;
}

/**
 * Logs in at the gateway with a key, as another program would. Returns the number of rooms that the key can see.
 * @throws GatewayRefusal
 */
async function tryAtGateway(keyToken: string, hotelId: number, signal: AbortSignal): Promise<number> {
  const [, key, secret] = /^(ik_[0-9a-f]+)_(.+)$/.exec(keyToken) ?? [];
  const { token } = await callGateway<{ token: string }>("/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key, secret }),
    signal,
  });
  signal.throwIfAborted();
  sessionStorage.setItem(STORAGE_KEY, token);
  const rooms = await callGateway<unknown[]>(`/linQuan/getRoomListByHotelId?hotelId=${hotelId}`, {
    headers: { authorization: `Bearer ${sessionStorage.getItem(STORAGE_KEY)}` },
    signal,
  });
  return rooms.length;
}

const forgetCardToken = (): void => sessionStorage.removeItem(STORAGE_KEY);

function refusalText(error: unknown): string {
  if (error instanceof GatewayRefusal) return error.message;
  return failureText(error instanceof RestError ? error.failure : { code: "internal" });
}

type Attempt = { state: "none" | "trying" } | { state: "works"; rooms: number } | { state: "refused"; reason: string };

/** Tries a new key before it is handed over. The gateway's token is discarded when this closes. */
function TryKey({ token }: { token: string }) {
  const { id: hotelId } = useHotel();
  const [attempt, setAttempt] = useState<Attempt>({ state: "none" });
  const controller = useRef<AbortController>(undefined);

  useEffect(
    () => () => {
      controller.current?.abort();
      forgetCardToken();
    },
    [],
  );

  async function tryKey(): Promise<void> {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setAttempt({ state: "trying" });
    try {
      setAttempt({ state: "works", rooms: await tryAtGateway(token, hotelId, signal) });
    } catch (error) {
      if (!signal.aborted) setAttempt({ state: "refused", reason: refusalText(error) });
    }
  }

  return (
    <div className="grid gap-3">
      <ActionButton
        variant="outline"
        className="justify-self-start"
        pending={attempt.state === "trying"}
        onClick={() => void tryKey()}
      >
        {t("third.try")}
      </ActionButton>
      {attempt.state === "works" && (
        <Callout
          tone="success"
          title={t("third.tried", { count: attempt.rooms, formatted: formatNumber(attempt.rooms) })}
        />
      )}
      {attempt.state === "refused" && (
        <Callout tone="danger" title={t("third.tryRefused")}>
          {attempt.reason}
        </Callout>
      )}
    </div>
  );
}

const EXPIRIES = ["days30", "days90", "days365", "date", "never"] as const;
const DAYS = { days30: 30, days90: 90, days365: 365 } as const;

/** Form for a key. The expiry is a number of days from now, an instant, or none. */
const keyForm = createKeyInput
  .omit({ expiresAt: true })
  .extend({ expiry: z.enum(EXPIRIES), endsAt: instant.nullable() })
  .transform(({ expiry, endsAt, ...key }, ctx) => {
    if (expiry === "never") return { ...key, expiresAt: null };
    if (expiry !== "date") return { ...key, expiresAt: new Date(Date.now() + DAYS[expiry] * DAY_MS).toISOString() };
    if (endsAt === null || Date.parse(endsAt) <= Date.now()) {
      const message = endsAt === null ? v.required : v.endPast;
      ctx.issues.push({ code: "custom", path: ["endsAt"], message, input: endsAt });
      return z.NEVER;
    }
    return { ...key, expiresAt: endsAt };
  });

/** Creates an API key with a name, scopes and expiry, then shows it once. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const [createdKey, setCreatedKey] = useState<(KeyCreated & { name: string; scopes: ApiScope[] }) | null>(null);
  const form = useZodForm(keyForm, { defaultValues: { name: "", scopes: [], expiry: "days90", endsAt: null } });
  const close = useGuardedClose(form, onClose);
  const create = useMutation(trpc.integrations.createKey.mutationOptions({ meta: { shownInForm: true }, gcTime: 0 }));
  const expiry = form.watch("expiry");

  if (createdKey) {
    const example = `curl ${location.origin}/api/board \\\n  -H "Authorization: Bearer ${createdKey.token}"`;
    return (
      <SecretDialog
        title={t("third.keyFor", { name: createdKey.name })}
        label={t("third.key")}
        value={createdKey.token}
        onClose={onClose}
      >
        <section aria-label={t("third.example")}>
          <h3 className="mb-1 font-semibold">{t("third.example")}</h3>
          <pre dir="ltr" className="rounded-md bg-sunken px-4 py-3 font-mono text-sm break-all whitespace-pre-wrap">
            {example}
          </pre>
        </section>
        {createdKey.scopes.includes("rooms.view") && <TryKey token={createdKey.token} />}
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={t("third.newKey")}
      width="lg"
      submitLabel={t("third.makeKey")}
      startAt="name"
      onClose={close}
      className="gap-5"
      onSubmit={async (key) => {
        const created = await create.mutateAsync(key);
        setCreatedKey({ ...created, name: key.name, scopes: key.scopes });
      }}
    >
      <Field form={form} name="name" label={t("third.name")} hint={t("third.keyNameHint")} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={80} dir="auto" />}
      </Field>
      <Field form={form} name="scopes" label={t("third.mayDo")} layout="group" required>
        {({ ref: _ref, name: _name, disabled: _disabled, required: _required, ...control }) => (
          <ChoiceFields
            {...control}
            areas={areasOf(API_SCOPES).map(({ area, names }) => ({
              label: t(`staff.area.${area}`),
              choices: names.map((name) => ({ value: name, label: t(`staff.capability.${name}`) })),
            }))}
          />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field form={form} name="expiry" label={t("third.expires")} required>
          {(control) => (
            <SelectInput
              {...control}
              options={EXPIRIES.map((value) => ({ value, label: t(`third.expiry.${value}`) }))}
            />
          )}
        </Field>
        {expiry === "date" && (
          <Field form={form} name="endsAt" label={t("third.expiryDate")} required>
            {(control) => <HotelDateTimeInput {...control} />}
          </Field>
        )}
      </div>
      {expiry === "never" && <Callout tone="warning" title={t("third.neverText")} />}
    </FormDialog>
  );
}
