import type { LucideIcon } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";

export type PaletteCommand = {
  id: string;
  label: string;
  /** Heading under which the command is listed. */
  group: string;
  icon?: LucideIcon;
  /** Further words that find the command. */
  keywords?: string[];
  detail?: string;
  /** Whether the command is listed only after something is typed, because there are too many of its kind. */
  whenTyped?: boolean;
  /** Whether the command can't be chosen while the server is unreachable. */
  needsServer?: boolean;
  run: () => void;
};

let registered: readonly (readonly PaletteCommand[])[] = [];
let isOpen = false;
let wasOpened = false;
const listeners = new Set<() => void>();

function notifyListeners(): void {
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
    notifyListeners();
    return () => {
      registered = registered.filter((other) => other !== commands);
      notifyListeners();
    };
  }, [commands]);
}

export function useRegisteredCommands(): readonly (readonly PaletteCommand[])[] {
  return useSyncExternalStore(subscribe, () => registered);
}

export function usePaletteOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen);
}

/** Returns whether the palette was ever opened; it is loaded from then on. */
export function usePaletteOpened(): boolean {
  return useSyncExternalStore(subscribe, () => wasOpened);
}

export function setPaletteOpen(next: boolean): void {
  isOpen = next;
  wasOpened ||= next;
  notifyListeners();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** ⌘K or Ctrl K opens the palette, `/` focuses the page's search, and `?` lists the shortcuts. */
export function useShortcuts(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.isComposing) return;
      if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPaletteOpen(true);
      } else if (event.key === "?" && !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target)) {
        if (document.querySelector("[role='dialog'], [role='alertdialog']")) return;
        event.preventDefault();
        setShortcutHelpOpen(true);
      } else if (event.key === "/" && !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target)) {
        const search = document.querySelector<HTMLInputElement>("[data-page-search]");
        if (!search || document.querySelector("[role='dialog'], [role='alertdialog']")) return;
        event.preventDefault();
        search.focus();
        search.select();
      }
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

let isHelpOpen = false;

/** Returns whether the list of keyboard shortcuts is shown. */
export function useShortcutHelpOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isHelpOpen);
}

export function setShortcutHelpOpen(next: boolean): void {
  isHelpOpen = next;
  notifyListeners();
}

export const paletteShortcut: string = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";
