import { readRoomSeries, type SeriesRoom } from "@innkey/shared/room-series";
import { roomSeriesInput } from "@innkey/shared/schemas/property/room-series";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { formatList, formatMoney, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { MoneyInput } from "@/ui/form/money-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";

/** Creates many rooms from their numbers, with a group and a price for all of them. */
export default function RoomSeriesDialog({ onClose }: { onClose: () => void }) {
  const { currency } = useHotel();
  const create = useMutation(trpc.rooms.createSeries.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(roomSeriesInput, {
    defaultValues: { numbers: "", group: "", prices: { usualMinor: null, weekendMinor: null } },
  });
  const close = useGuardedClose(form, onClose);
  const [numbers, group, usualMinor] = form.watch(["numbers", "group", "prices.usualMinor"]);
  const series = readRoomSeries(numbers);
  const rooms = series.problem ? [] : series.rooms;
  return (
    <FormDialog
      form={form}
      title={t("roomSeries.title")}
      description={t("roomSeries.text")}
      submitLabel={t("roomSeries.create")}
      onClose={close}
      onSubmit={async (values) => {
        await create.mutateAsync(values);
        toast.success(t("roomSeries.created", { names: formatList(spansOf(readRoomSeries(values.numbers).rooms)) }));
        onClose();
      }}
    >
      <Field form={form} name="numbers" label={t("roomSeries.numbers")} hint={t("roomSeries.numbersHint")} required>
        {(control) => <Input {...control} dir="auto" autoComplete="off" placeholder="101–120" maxLength={500} />}
      </Field>
      <Field form={form} name="group" label={t("groups.one")} hint={t("roomSeries.groupHint")} quiet>
        {(control) => <GroupNameInput {...control} value={control.value ?? ""} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="prices.usualMinor" label={t("prices.usual")} quiet>
          {(control) => <MoneyInput {...control} currency={currency} />}
        </Field>
        <Field
          form={form}
          name="prices.weekendMinor"
          label={t("prices.weekend")}
          hint={t("roomSeries.weekendHint")}
          quiet
        >
          {(control) => <MoneyInput {...control} currency={currency} />}
        </Field>
      </div>
      <SeriesPreview
        rooms={rooms}
        facts={[
          group ?? "",
          typeof usualMinor === "number" && usualMinor > 0
            ? t("room.perNight", { price: formatMoney(usualMinor, currency) })
            : "",
        ].filter((fact) => fact !== "")}
      />
    </FormDialog>
  );
}

type GroupNameInputProps = { value: string; onChange: (name: string) => void; id: string };

/** Chooses a group by name; a name that no group has can be chosen too. */
function GroupNameInput({ value, onChange, ...control }: GroupNameInputProps) {
  const groups = useQuery(trpc.groups.list.queryOptions());
  const [typed, setTyped] = useState("");
  const existing = (groups.data ?? []).map(({ name }) => name);
  const search = typed.trim().toLowerCase();
  const names = [...new Set([...existing, value, typed.trim().slice(0, 60)])].filter(
    (name) => name !== "" && (name === value || name.toLowerCase().includes(search)),
  );
  return (
    <Combobox
      {...control}
      clearable
      value={value === "" ? null : value}
      onChange={(name) => onChange(name ?? "")}
      onSearch={setTyped}
      placeholder={t("groups.none")}
      searchPlaceholder={t("roomSeries.findGroup")}
      options={names.map((name) => ({
        value: name,
        label: name,
        detail: existing.includes(name) ? undefined : t("roomSeries.newGroup"),
      }))}
    />
  );
}

/** Rooms that follow each other are shown as a range, as in "101–120". */
function spansOf(rooms: readonly SeriesRoom[]): string[] {
  const spans: SeriesRoom[][] = [];
  for (const room of rooms) {
    const span = spans.at(-1);
    const last = span?.at(-1);
    if (span && last && readRoomSeries(`${last.name}–${room.name}`).rooms.length === 2) span.push(room);
    else spans.push([room]);
  }
  return spans.map((span) => [...new Set([span[0]?.name, span.at(-1)?.name])].join("–"));
}

/** Shows which rooms will be created on which floor, and which of them there are already. */
function SeriesPreview({ rooms, facts }: { rooms: readonly SeriesRoom[]; facts: string[] }) {
  const board = useQuery(boardQuery).data;
  const existing = new Set(board?.rooms.map(({ name }) => name));
  const taken = rooms.filter(({ name }) => existing.has(name));
  const floors = [...new Set(rooms.map(({ floor }) => floor))];
  return (
    <section aria-label={t("roomSeries.preview")} aria-live="polite" className="rounded-md bg-sunken p-4 text-sm">
      {rooms.length === 0 ? (
        <p className="text-muted-foreground">{t("roomSeries.previewEmpty")}</p>
      ) : (
        <>
          <p className="font-medium">
            {[t("roomSeries.rooms", { formatted: formatNumber(rooms.length) }), ...facts].join(" · ")}
          </p>
          <ul className="mt-1.5 grid gap-1 text-muted-foreground">
            {floors.map((floor) => (
              <li key={floor}>
                {floor !== 0 && `${t("room.onFloor", { floor: formatNumber(floor) })} · `}
                <bdi>{formatList(spansOf(rooms.filter((room) => room.floor === floor)))}</bdi>
              </li>
            ))}
          </ul>
          {taken.length > 0 && (
            <p className="mt-2 flex items-start gap-2 text-danger">
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span>{t("roomSeries.taken", { names: formatList(spansOf(taken)) })}</span>
            </p>
          )}
        </>
      )}
    </section>
  );
}
