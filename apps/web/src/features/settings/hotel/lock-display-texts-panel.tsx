import {
  type LockDisplayTextInput,
  type LockDisplayTextResult,
  type LockDisplayTextState,
  lockDisplayTextInput,
  NOTICE_REFUSALS,
} from "@innkey/shared/schemas/messaging";
import type { Board } from "@innkey/shared/schemas/property/rooms";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, CircleX, Clock, Eraser, type LucideIcon, Send } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { lockErrorText, nextTryText } from "@/entities/lock/lock-labels.ts";
import { boardQuery, collator } from "@/entities/room/board-query.ts";
import { RoomChoice } from "@/entities/room/room-choice.tsx";
import { confirm } from "@/lib/confirm.ts";
import { formatList, formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { ClosedDoor } from "@/ui/drawings.tsx";
import { CheckboxInput, Segmented } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, FormActions, useZodForm } from "@/ui/form/form.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";

const STYLES: Record<NonNullable<LockDisplayTextState["state"]>, { tone: StatusTone; icon: LucideIcon }> = {
  queued: { tone: "neutral", icon: Clock },
  sent: { tone: "info", icon: Send },
  acknowledged: { tone: "success", icon: CircleCheck },
  failed: { tone: "danger", icon: CircleX },
  expired: { tone: "danger", icon: CircleX },
  superseded: { tone: "neutral", icon: Ban },
};

/** Lists the text sent to each lock's display, and whether the lock has confirmed it. */
function DisplayTextTable() {
  const { data, error, refetch } = useQuery(trpc.hotel.notices.queryOptions());
  const clear = useMutation(trpc.hotel.sendNotice.mutationOptions());
  const columns = useMemo(
    (): DataColumn<LockDisplayTextState>[] => [
      {
        id: "room",
        header: t("notices.room"),
        fixed: true,
        card: "title",
        cell: (row) => <bdi className="font-medium">{row.roomName}</bdi>,
      },
      {
        id: "text",
        header: t("notices.label"),
        cell: (row) =>
          row.text ? (
            <bdi className="line-clamp-2 text-pretty">{row.text}</bdi>
          ) : (
            <span className="text-muted-foreground">{t("notices.nothing")}</span>
          ),
      },
      { id: "state", header: t("notices.state"), card: "status", cell: (row) => <DisplayTextStatus row={row} /> },
    ],
    [],
  );
  const actions = (row: LockDisplayTextState): RowAction<LockDisplayTextState>[] =>
    row.text === "" || row.cannot
      ? []
      : [
          {
            label: t("notices.clearOne"),
            icon: Eraser,
            onSelect: ({ roomId }) => clear.mutate({ to: { kind: "rooms", roomIds: [roomId] }, text: "" }),
          },
        ];
  // Rows with a text come first, because a large hotel has many locks without one.
  const rows = useMemo(
    () => data?.toSorted((a, b) => hasText(a) - hasText(b) || collator.compare(a.roomName, b.roomName)),
    [data],
  );
  return (
    <DataTable
      label={t("notices.tab")}
      columns={columns}
      rows={rows}
      rowId={(row) => String(row.roomId)}
      error={error}
      onRetry={() => void refetch()}
      actions={actions}
      empty={{ drawing: ClosedDoor, title: t("notices.empty"), description: t("notices.emptyText") }}
    />
  );
}

const hasText = ({ text, state }: LockDisplayTextState): number => (text === "" && !state ? 1 : 0);

function DisplayTextStatus({
  row: { cannot, state, text, at, error, nextTryAt, online },
}: {
  row: LockDisplayTextState;
}) {
  if (cannot) return <span className="text-sm text-muted-foreground">{t(`notices.reason.${cannot}`)}</span>;
  if (!state || !at) return <span className="text-sm text-muted-foreground">{t("notices.never")}</span>;
  const isCleared = state === "acknowledged" && text === "";
  const reasons = [lockErrorText(error), nextTryText(nextTryAt, online)].filter(Boolean).join(" ");
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
      <StatusChip {...STYLES[state]} size="sm">
        {isCleared ? t("notices.cleared") : t(`notices.standing.${state}`)}
      </StatusChip>
      <span className="text-xs text-muted-foreground">{formatRelative(at)}</span>
      {reasons && <span className="basis-full text-xs text-muted-foreground">{reasons}</span>}
    </span>
  );
}

type Recipients = LockDisplayTextInput["to"];
type RecipientFieldsProps = {
  board: Board | undefined;
  value: Recipients;
  /** Reason why the chosen recipients are not valid. */
  message: string | undefined;
  onChange: (to: Recipients) => void;
};

const EMPTY: Record<Recipients["kind"], Recipients> = {
  all: { kind: "all" },
  groups: { kind: "groups", groupIds: [] },
  rooms: { kind: "rooms", roomIds: [] },
};

/** Chooses all locks, room groups, or single rooms. */
function RecipientFields({ board, value, message, onChange }: RecipientFieldsProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={message ? `${id}-message` : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{t("notices.to")}</legend>
      <Segmented
        aria-label={t("notices.to")}
        className="w-full sm:w-auto"
        value={value.kind}
        onChange={(kind) => onChange(EMPTY[kind])}
        options={[
          { value: "all", label: t("notices.all") },
          { value: "groups", label: t("notices.groups"), disabled: board?.groups.length === 0 },
          { value: "rooms", label: t("notices.rooms") },
        ]}
      />
      <div className="mt-3">
        {value.kind === "groups" && board && <Groups board={board} value={value.groupIds} onChange={onChange} />}
        {value.kind === "rooms" &&
          (board ? (
            <RoomChoice
              board={board}
              value={new Set(value.roomIds)}
              onChange={(rooms) => onChange({ kind: "rooms", roomIds: [...rooms] })}
            />
          ) : (
            <Skeleton className="h-40" />
          ))}
      </div>
      {message && (
        <p id={`${id}-message`} role="alert" className="mt-1.5 text-sm font-medium text-danger">
          {message}
        </p>
      )}
    </fieldset>
  );
}

function Groups({ board, value, onChange }: { board: Board; value: number[]; onChange: (to: Recipients) => void }) {
  const id = useId();
  return (
    <ul className="grid gap-2 sm:grid-cols-2">
      {board.groups
        .toSorted((a, b) => a.sort - b.sort)
        .map((group) => (
          <li key={group.id} className="flex min-h-9 items-center gap-2.5">
            <CheckboxInput
              id={`${id}${group.id}`}
              value={value.includes(group.id)}
              onChange={(on) =>
                onChange({
                  kind: "groups",
                  groupIds: on ? [...value, group.id] : value.filter((groupId) => groupId !== group.id),
                })
              }
            />
            <label htmlFor={`${id}${group.id}`} className="min-w-0 truncate">
              <bdi>{group.name}</bdi>
            </label>
          </li>
        ))}
    </ul>
  );
}

const MAX_TEXT_LENGTH = 200;

/** Sends one text to the displays of many locks, and shows the result for each. */
export function LockDisplayTextsPanel() {
  const board = useQuery(boardQuery);
  const [result, setResult] = useState<LockDisplayTextResult | null>(null);
  const send = useMutation(trpc.hotel.sendNotice.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(lockDisplayTextInput, { defaultValues: { to: { kind: "all" }, text: "" } });
  const [to, text] = form.watch(["to", "text"]);
  const isClearing = text.trim() === "";

  return (
    <div className="grid gap-5">
      <Card>
        <CardHeading title={t("notices.title")} description={t("notices.text")} />
        <CardContent>
          <Form
            form={form}
            onSubmit={async (values) => {
              const act = async (): Promise<void> => {
                setResult(await send.mutateAsync(values));
                form.setValue("text", "");
              };
              if (values.text !== "") return act();
              await confirm({
                title: t("notices.clearAsk"),
                description: t("notices.clearText"),
                confirmLabel: t("notices.clear"),
                tone: "danger",
                action: act,
              });
            }}
          >
            <RecipientFields
              board={board.data}
              value={to}
              message={form.formState.errors.to && t("validation.required")}
              onChange={(next) =>
                form.setValue("to", next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
              }
            />
            <Field form={form} name="text" label={t("notices.label")} hint={t("notices.hint")} quiet>
              {(control) => <Textarea {...control} maxLength={MAX_TEXT_LENGTH} rows={2} />}
            </Field>
            <FormActions>
              <ActionButton
                type="submit"
                variant={isClearing ? "outline" : "default"}
                pending={form.formState.isSubmitting}
              >
                {isClearing ? t("notices.clear") : t("notices.send")}
              </ActionButton>
            </FormActions>
          </Form>
          {result && <SendResult result={result} />}
        </CardContent>
      </Card>
      <DisplayTextTable />
    </div>
  );
}

/** Shows how many locks the text is being sent to, and which rooms can't show it, by reason. */
function SendResult({ result: { told: sentCount, cannot } }: { result: LockDisplayTextResult }) {
  const reasons = NOTICE_REFUSALS.map((reason) => ({
    reason,
    rooms: cannot.filter((room) => room.reason === reason).map(({ roomName }) => roomName),
  })).filter(({ rooms }) => rooms.length > 0);
  return (
    <Callout
      className="mt-4"
      tone={sentCount === 0 ? "warning" : cannot.length > 0 ? "info" : "success"}
      title={sentCount === 0 ? t("notices.toldNone") : t("notices.told", { count: sentCount })}
    >
      {reasons.length > 0 && (
        <ul className="mt-1 grid gap-0.5 text-sm">
          {reasons.map(({ reason, rooms }) => (
            <li key={reason}>
              {t(`notices.reason.${reason}`)}: <bdi>{formatList(rooms)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Callout>
  );
}
