import { useRef } from "react";

/** Longest time until a list shows the result of an action. */
const SETTLED_MILLISECONDS = 3000;

/** Returns the element that had the focus; for an item of a closing menu, the menu's button. */
function focused(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest("[role='menu']")?.getAttribute("aria-labelledby");
  const origin = menu ? document.getElementById(menu) : active;
  return origin instanceof HTMLElement ? origin : null;
}

/** Returns the dialog that is still open in front of the page, otherwise the page. */
function focusPage(): void {
  const boxes = document.querySelectorAll<HTMLElement>("[role='dialog'][data-state='open']");
  const target = boxes[boxes.length - 1] ?? document.getElementById("main");
  target?.focus({ preventScroll: true });
}

/** A removed row takes its button along a moment later. The focus then moves to the page instead of being lost. */
function focusWhileThere(origin: HTMLElement): void {
  origin.focus({ preventScroll: true });
  const watch = new MutationObserver(() => {
    if (origin.isConnected) return;
    watch.disconnect();
    if (document.activeElement === document.body) focusPage();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), SETTLED_MILLISECONDS);
}

type FocusHandlers = { onOpenAutoFocus?: (event: Event) => void; onCloseAutoFocus?: (event: Event) => void };

/**
 * Returns the focus when a box closes. Radix returns it only to the trigger of a box, and boxes that are opened from a
 * menu, by a key or by another action have none. Spread the result into the box's content, after its own props.
 */
export function useReturnFocus({ onOpenAutoFocus, onCloseAutoFocus }: FocusHandlers): Required<FocusHandlers> {
  const origin = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: (event) => {
      origin.current = focused();
      onOpenAutoFocus?.(event);
    },
    onCloseAutoFocus: (event) => {
      if (onCloseAutoFocus) return onCloseAutoFocus(event);
      event.preventDefault();
      if (origin.current?.isConnected) focusWhileThere(origin.current);
      else focusPage();
    },
  };
}
