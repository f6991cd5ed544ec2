import { readDoorList } from "@innkey/shared/locks/door-list";
import * as f from "@innkey/shared/schemas/fields";
import type { Board } from "@innkey/shared/schemas/property/rooms";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CirclePlus } from "lucide-react";
import { z } from "zod";
import { boardQuery } from "@/entities/room/board-query.ts";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";

/** 500 lines of the longest names and addresses. */
const MAX_TEXT = 40_000;
const listForm = z.object({ text: f.requiredText(MAX_TEXT) });

/** One line of the list, with what would happen to it. */
interface PlannedDoor {
  line: number;
  roomName: string;
  mac: string | null;
  /** null: it can be assigned, or is already */
  problem: string | null;
  isDone: boolean;
}

/** Compares the list with the rooms and locks of the hotel, as the server will. */
function planDoors(
  text: string,
  board: Board,
  locks: readonly { mac: string; roomId: number | null }[],
): PlannedDoor[] {
  const rooms = new Map(board.rooms.map((room) => [room.name, room]));
  const roomIdOf = new Map(locks.map(({ mac, roomId }) => [mac, roomId]));
  const used = new Set<string>();
  return readDoorList(text).map(({ line, roomName, mac }) => {
    const room = rooms.get(roomName);
    const owner = mac === null ? null : (roomIdOf.get(mac) ?? null);
    const isDone = room !== undefined && owner === room.id;
    const twice = [roomName, mac ?? ""].find((name) => name !== "" && used.has(name));
    used.add(roomName).add(mac ?? "");
    const problem = (): string | null => {
      if (mac === null) return t("validation.mac");
      if (twice !== undefined) return t("validation.roomTwice", { name: twice });
      if (!room) return t("validation.noSuchRoom");
      if (isDone) return null;
      if (room.lock) return t("validation.doorHasLock");
      return owner === null ? null : t("validation.macTaken");
    };
    return { line, roomName, mac, problem: problem(), isDone };
  });
}

/** Puts locks on the doors of many rooms from a pasted list. */
export function DoorListDialog({ onClose }: { onClose: () => void }) {
  const board = useQuery(boardQuery);
  const locks = useQuery(trpc.locks.list.queryOptions());
  const assign = useMutation(trpc.locks.assign.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(listForm, { defaultValues: { text: "" } });
  const close = useGuardedClose(form, onClose);
  const text = form.watch("text");
  const doors = board.data && locks.data ? planDoors(text, board.data, locks.data) : [];

  async function save(): Promise<void> {
    const problems = doors.filter(({ problem }) => problem !== null);
    if (doors.length === 0 || problems.length > 0) {
      form.setError("text", { type: "list", message: t("locks.list.mend") });
      return;
    }
    const { assigned } = await assign.mutateAsync({
      doors: doors.flatMap(({ roomName, mac }) => (mac === null ? [] : [{ roomName, mac }])),
    });
    toast.success(t("locks.list.saved", { formatted: formatNumber(assigned) }));
    onClose();
  }

  return (
    <FormDialog
      form={form}
      title={t("locks.list.title")}
      description={t("locks.list.text")}
      submitLabel={t("locks.list.save")}
      onClose={close}
      onSubmit={save}
    >
      <Field form={form} name="text" label={t("locks.list.label")} hint={t("locks.list.hint")} required>
        {(control) => (
          <Textarea
            {...control}
            rows={6}
            dir="ltr"
            spellCheck={false}
            maxLength={MAX_TEXT}
            className="max-h-64 font-mono text-sm"
            placeholder={"101, A4:C1:38:00:1F:2B\n102, A4:C1:38:00:1F:2C"}
          />
        )}
      </Field>
      <DoorPreview doors={doors} />
    </FormDialog>
  );
}

/** Shows what would happen to each line, those with a problem first. */
function DoorPreview({ doors }: { doors: readonly PlannedDoor[] }) {
  if (doors.length === 0) return null;
  const sorted = doors.toSorted((a, b) => Number(b.problem !== null) - Number(a.problem !== null));
  return (
    <ul aria-label={t("roomSeries.preview")} className="max-h-64 divide-y overflow-y-auto rounded-md border text-sm">
      {sorted.map(({ line, roomName, mac, problem, isDone }) => {
        const Icon = problem !== null ? CircleAlert : isDone ? CircleCheck : CirclePlus;
        return (
          <li key={line} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2">
            <Icon
              aria-hidden
              className={cn("size-4 shrink-0", problem !== null ? "text-danger" : "text-muted-foreground")}
            />
            <bdi className="min-w-16 font-medium">{roomName || "–"}</bdi>
            <bdi dir="ltr" className="font-mono">
              {mac}
            </bdi>
            <span className={cn("ms-auto", problem !== null ? "text-danger" : "text-muted-foreground")}>
              {problem ?? (isDone ? t("locks.list.already") : t("locks.list.new"))}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
