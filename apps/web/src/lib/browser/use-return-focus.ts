import { useRef } from "react";

/** Longest time until a list shows the result of an action. */
const MAX_UPDATE_MILLISECONDS = 3000;

/** Returns the element that had the focus; for an item of a closing menu, the menu's button. */
function focusOrigin(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest("[role='menu']")?.getAttribute("aria-labelledby");
  const origin = menu ? document.getElementById(menu) : active;
  return origin instanceof HTMLElement ? origin : null;
}

/** Focuses the dialog that is still open, otherwise the page. */
function focusPage(): void {
  const dialogs = document.querySelectorAll<HTMLElement>("[role='dialog'][data-state='open']");
  const target = dialogs[dialogs.length - 1] ?? document.getElementById("main");
  target?.focus({ preventScroll: true });
}

/** Focuses an element. If an update soon removes it, as it does a deleted row, the focus moves to the page. */
function focusUntilRemoved(origin: HTMLElement): void {
  origin.focus({ preventScroll: true });
  const watch = new MutationObserver(() => {
    if (origin.isConnected) return;
    watch.disconnect();
    if (document.activeElement === document.body) focusPage();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), MAX_UPDATE_MILLISECONDS);
}

/** Where the focus returns when a dialog closes that has replaced another, such as a form its "Loading". */
const inherited = new WeakMap<Element, HTMLElement | null>();

function focusedDialog(): Element | null {
  return document.activeElement?.closest("[role='dialog'][data-state='open']") ?? null;
}

type FocusHandlers = { onOpenAutoFocus?: (event: Event) => void; onCloseAutoFocus?: (event: Event) => void };

/**
 * Returns the focus when a dialog closes. Radix returns it only to the dialog's trigger, and dialogs that are opened
 * from a menu, by a key or by another action have none. Spread the result into the dialog's content, after its props.
 */
export function useReturnFocus({ onOpenAutoFocus, onCloseAutoFocus }: FocusHandlers): Required<FocusHandlers> {
  const origin = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: (event) => {
      origin.current = focusOrigin();
      onOpenAutoFocus?.(event);
    },
    onCloseAutoFocus: (event) => {
      if (onCloseAutoFocus) return onCloseAutoFocus(event);
      event.preventDefault();
      const place = (event.target instanceof Element && inherited.get(event.target)) || origin.current;
      const next = focusedDialog();
      if (next && !next.contains(place)) inherited.set(next, place);
      else if (place?.isConnected) focusUntilRemoved(place);
      else focusPage();
    },
  };
}
