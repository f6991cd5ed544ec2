import { Suspense, useState } from "react";
import { appLazy } from "@/lib/loading/app-lazy.ts";

const lazyDialogs = {
  create: appLazy(() => import("@/features/rooms/room-form.tsx")),
  series: appLazy(() => import("@/features/rooms/room-series-dialog.tsx")),
  maintenance: appLazy(() => import("@/features/rooms/maintenance-dialog.tsx")),
  group: appLazy(() => import("@/features/rooms/group-choice-dialog.tsx")),
  prices: appLazy(() => import("@/features/money/prices/prices-form.tsx")),
};

export type RoomDialog =
  | { kind: "create" | "series" }
  | { kind: "maintenance" | "group" | "prices"; roomIds: number[] };

type RoomDialogsProps = {
  dialog: RoomDialog | null;
  onClose: () => void;
  /** Called in place of `onClose` after the action was done. */
  onDone?: () => void;
};

/**
 * The dialogs that act on rooms. At most one is open, and it is loaded then, because its form is not part of the
 * board's first load.
 */
export function RoomDialogs({ dialog, onClose, onDone = onClose }: RoomDialogsProps) {
  return dialog && <Suspense>{renderDialog(dialog, onClose, onDone)}</Suspense>;
}

function renderDialog(dialog: RoomDialog, onClose: () => void, onDone: () => void) {
  if (!("roomIds" in dialog)) return <NewRooms kind={dialog.kind} onClose={onClose} />;
  const Dialog = lazyDialogs[dialog.kind];
  return <Dialog roomIds={dialog.roomIds} onClose={onClose} onDone={onDone} />;
}

/** Creates one room, or many at once; the dialog for one leads to the other. */
function NewRooms({ kind, onClose }: { kind: "create" | "series"; onClose: () => void }) {
  const [isSeries, setIsSeries] = useState(kind === "series");
  if (isSeries) return <lazyDialogs.series onClose={onClose} />;
  return <lazyDialogs.create onSeries={() => setIsSeries(true)} onClose={onClose} />;
}
