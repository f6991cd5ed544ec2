import { Suspense } from "react";
import { appLazy } from "@/lib/loading/app-lazy.ts";

const lazyDialogs = {
  create: appLazy(() => import("@/features/rooms/room-form.tsx")),
  maintenance: appLazy(() => import("@/features/rooms/maintenance-dialog.tsx")),
  group: appLazy(() => import("@/features/rooms/group-choice-dialog.tsx")),
  prices: appLazy(() => import("@/features/money/prices/prices-form.tsx")),
};

export type RoomDialog = { kind: "create" } | { kind: "maintenance" | "group" | "prices"; roomIds: number[] };

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
  if (dialog.kind === "create") return <lazyDialogs.create onClose={onClose} />;
  const Dialog = lazyDialogs[dialog.kind];
  return <Dialog roomIds={dialog.roomIds} onClose={onClose} onDone={onDone} />;
}
