import type { LucideIcon } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";

export type PaletteCommand = {
  id: string;
  label: string;
  /** Heading it stands under. */
  group: string;
  icon?: LucideIcon;
  /** More words it is found by. */
  keywords?: string[];
  detail?: string;
  /** Not in the list before something is typed: there are too many of its kind. */
  whenTyped?: boolean;
  /** It has the server do something, and can't be chosen while the server is away. */
  needsServer?: boolean;
  run: () => void;
};

let registered: readonly (readonly PaletteCommand[])[] = [];
let open = false;
let opened = false;
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Offers commands in the palette while the component is mounted. Keep the array stable (useMemo). */
export function useCommands(commands: readonly PaletteCommand[]): void {
  useEffect(() => {
    registered = [...registered, commands];
    changed();
    return () => {
      registered = registered.filter((other) => other !== commands);
      changed();
    };
  }, [commands]);
}

export function useRegisteredCommands(): readonly (readonly PaletteCommand[])[] {
  return useSyncExternalStore(subscribe, () => registered);
}

export function usePaletteOpen(): boolean {
  return useSyncExternalStore(subscribe, () => open);
}

/** Whether it was ever opened: it is loaded then, and stays. */
export function usePaletteOpened(): boolean {
  return useSyncExternalStore(subscribe, () => opened);
}

export function setPaletteOpen(next: boolean): void {
  open = next;
  opened ||= next;
  changed();
}
